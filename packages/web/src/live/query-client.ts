import { QueryClient } from '@tanstack/react-query';
import type { Message } from 'signalbox/browser/messages';
import { connection } from './connection.ts';
import { followHub } from './hub.ts';
import { perFrame } from './per-frame.ts';
import { Problem } from './problem.ts';
import { queryKeys } from './query-keys.ts';
import { createRefresher } from './refresh.ts';
import type { Claim, PlanStatus, RunSummary } from './wire.ts';
import { withClaim } from './with-claim.ts';

const refetchMs = { live: false, polling: 2_000, connecting: 4_000, lost: 4_000 } as const;

/** The cache of everything read from the service; pages subscribe to the queries they show. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      // The hub announces changes; without it the page polls.
      refetchInterval: () => refetchMs[connection.getState().link],
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: (count, error) => !(error instanceof Problem && error.status > 0) && count < 2,
    },
  },
});

// A query reads its refetch interval only after an answer, so a lost link must set the options again.
connection.subscribe(({ link }, before) => {
  if (link === before.link) return;
  for (const { observers } of queryClient.getQueryCache().getAll())
    for (const observer of observers) observer.setOptions(observer.options);
});

const refresh = createRefresher(queryClient);
const runListeners = new Map<string, Set<(events: readonly unknown[] | 'again') => void>>();
/** Runs that sent events since their last `run_changed`. Runs of another console send no events here. */
const runsWithEvents = new Set<string>();

/** Calls the listener with each batch of events of one run; `again` means that some may be missing. */
export function subscribeToRun(runId: string, listener: (events: readonly unknown[] | 'again') => void): () => void {
  const listeners = runListeners.get(runId) ?? new Set();
  runListeners.set(runId, listeners.add(listener));
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) runListeners.delete(runId);
  };
}

/** Starts to follow the service; called once. */
export function followService(): () => void {
  return followHub('/api/messages', {
    onMessage: perFrame(applyMessages),
    onLink: (link) => connection.setState({ link, ...(link === 'live' ? { heardAt: Date.now() } : {}) }),
    hasRead: () => connection.getState().reading,
  });
}

function applyMessages(messages: Message[]): void {
  connection.setState({ heardAt: Date.now() });
  const stale = new Map<string, readonly unknown[]>();
  for (const message of messages) for (const key of applyMessage(message)) stale.set(JSON.stringify(key), key);
  for (const key of stale.values()) refresh(key);
}

/** Writes what the message carries into the cache and returns the keys to read again. */
function applyMessage({ type, data }: Message): readonly (readonly unknown[])[] {
  switch (type) {
    case 'plan_changed':
      // A repository shows the plans that touch it and how many of their nodes are open.
      return [queryKeys.plans, queryKeys.plan(data.slug), queryKeys.ready, queryKeys.repositories];
    case 'claim_changed':
      putClaim(data.plan, data.node, data.claim);
      return [queryKeys.plans, queryKeys.plan(data.plan), queryKeys.ready, queryKeys.agents, queryKeys.memory];
    case 'agents_changed':
      return [queryKeys.agents];
    case 'repository_changed':
      return [queryKeys.repositories, queryKeys.memory];
    case 'run_changed':
      if (!runsWithEvents.delete(data.run.runId)) notifyRun(data.run.runId, 'again');
      if (!putRun(data.run)) return [];
      return [queryKeys.run(data.run.runId), ...(data.run.session ? [queryKeys.session(data.run.session)] : [])];
    case 'run_events':
      runsWithEvents.add(data.runId);
      notifyRun(data.runId, data.events);
      return [];
    case 'run_ejected':
      queryClient.setQueryData<RunSummary[]>(queryKeys.runs, (runs) =>
        runs?.filter(({ runId }) => !data.runIds.includes(runId)),
      );
      return data.runIds.map(queryKeys.run);
    case 'event_model_changed':
      return [queryKeys.eventModel];
    case 'reset':
      for (const runId of runListeners.keys()) notifyRun(runId, 'again');
      return [[]];
  }
}

function notifyRun(runId: string, events: readonly unknown[] | 'again'): void {
  for (const listener of runListeners.get(runId) ?? []) listener(events);
}

function putClaim(plan: string, node: string, claim: Claim | null): void {
  queryClient.setQueryData<PlanStatus>([...queryKeys.plan(plan), 'status'], (status) => {
    const index = status?.nodes.findIndex(({ id }) => id.toLowerCase() === node.toLowerCase()) ?? -1;
    const view = status?.nodes[index];
    return status && view && { ...status, nodes: status.nodes.with(index, withClaim(view, claim)) };
  });
}

/** Returns true when the run started, ended or came back: then its detail must be read again. */
function putRun(run: RunSummary): boolean {
  const before = queryClient.getQueryData<RunSummary[]>(queryKeys.runs)?.find(({ runId }) => runId === run.runId);
  queryClient.setQueryData<RunSummary[]>(queryKeys.runs, (runs) => {
    if (!runs) return runs;
    return before ? runs.map((other) => (other.runId === run.runId ? run : other)) : [run, ...runs];
  });
  return before?.state !== run.state;
}
