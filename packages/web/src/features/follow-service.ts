import type { QueryKey } from '@tanstack/react-query';
import type { Message } from 'signalbox/browser/messages';
import { addressOf } from '../live/call.ts';
import { connection, onServiceBack } from '../live/connection.ts';
import { followHub } from '../live/hub.ts';
import { queryClient } from '../live/query-client.ts';
import { createRefresher } from '../live/refresh.ts';
import type { Claim, RunSummary } from '../live/wire.ts';
import { withClaim } from './nodes/with-claim.ts';
import { statusQuery } from './plans/plan-queries.ts';
import type { RunNews } from './runs/live-run.ts';
import { runsQuery } from './runs/run-queries.ts';
import { queryKeys } from './shared/query-keys.ts';
import { staleAfter } from './shared/stale-queries.ts';

const refresh = createRefresher(queryClient);
/** Runs that sent events since their last `run_changed`. Runs of another console send no events here. */
const runsWithEvents = new Set<string>();
const runListeners = new Map<string, Set<(news: RunNews) => void>>();

/** Starts to follow the service; called once. */
export function followService(): () => void {
  // No message contains the result of a read that failed meanwhile, so everything is read again.
  const stopWaiting = onServiceBack(() => {
    notifyAllRuns('refetch');
    for (const key of staleAfter.missedMessages()) refresh(key);
  });
  const stopFollowing = followHub(addressOf('messages', {}), {
    onMessages: applyMessages,
    onLink: (link) => connection.setState({ link, ...(link === 'live' ? { heardAt: Date.now() } : {}) }),
    hasRead: () => connection.getState().reading,
  });
  return () => {
    stopWaiting();
    stopFollowing();
  };
}

function applyMessages(messages: Message[]): void {
  connection.setState({ heardAt: Date.now() });
  const stale = new Map<string, QueryKey>();
  for (const message of messages) for (const key of applyMessage(message)) stale.set(JSON.stringify(key), key);
  for (const key of stale.values()) refresh(key);
}

/** Writes what the message carries into the cache and returns the keys to read again. */
function applyMessage({ type, data }: Message): readonly QueryKey[] {
  switch (type) {
    case 'plan_changed':
      return staleAfter.planChange(data.slug);
    case 'claim_changed':
      putClaim(data.plan, data.node, data.claim);
      return staleAfter.claimChange(data.plan);
    case 'agents_changed':
      return staleAfter.agentsChange();
    case 'overlap_changed':
      return staleAfter.overlapChange();
    case 'repository_changed':
      return staleAfter.repositoryChange();
    case 'run_changed':
      if (!runsWithEvents.delete(data.run.runId)) notifyRun(data.run.runId, 'refetch');
      return putRun(data.run) ? staleAfter.runStateChange(data.run) : [];
    case 'run_events':
      runsWithEvents.add(data.runId);
      notifyRun(data.runId, data.events);
      return [];
    case 'run_ejected':
      queryClient.setQueryData(runsQuery().queryKey, (runs) =>
        runs?.filter(({ runId }) => !data.runIds.includes(runId)),
      );
      return staleAfter.ejection(data.runIds);
    case 'event_model_changed':
      return staleAfter.eventModelChange();
    case 'store_changed':
      connection.setState({ staleSince: data.staleSince });
      return data.staleSince === null ? staleAfter.missedMessages() : [queryKeys.readiness];
    case 'reset':
      notifyAllRuns('refetch');
      return staleAfter.missedMessages();
  }
}

function putClaim(plan: string, node: string, claim: Claim | null): void {
  queryClient.setQueryData(statusQuery(plan).queryKey, (status) => {
    const index = status?.nodes.findIndex(({ id }) => id.toLowerCase() === node.toLowerCase()) ?? -1;
    const view = status?.nodes[index];
    return status && view && { ...status, nodes: status.nodes.with(index, withClaim(view, claim)) };
  });
}

/** Returns true if the run started, ended, came back or failed for the first time: then its detail must be read again. */
function putRun(run: RunSummary): boolean {
  const { queryKey } = runsQuery();
  const before = queryClient.getQueryData(queryKey)?.find(({ runId }) => runId === run.runId);
  queryClient.setQueryData(queryKey, (runs) => {
    if (!runs) return runs;
    return before ? runs.map((other) => (other.runId === run.runId ? run : other)) : [run, ...runs];
  });
  return before?.state !== run.state || before.failed > 0 !== run.failed > 0;
}

export function subscribeToRun(runId: string, listener: (news: RunNews) => void): () => void {
  const ofRun = runListeners.get(runId) ?? new Set();
  runListeners.set(runId, ofRun.add(listener));
  return () => {
    ofRun.delete(listener);
    if (ofRun.size === 0) runListeners.delete(runId);
  };
}

function notifyRun(runId: string, news: RunNews): void {
  for (const listener of runListeners.get(runId) ?? []) listener(news);
}

function notifyAllRuns(news: RunNews): void {
  for (const runId of runListeners.keys()) notifyRun(runId, news);
}
