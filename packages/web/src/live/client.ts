import { QueryClient } from '@tanstack/react-query';
import { claimed } from './claimed.ts';
import { connection } from './connection.ts';
import { perFrame } from './frame.ts';
import { followHub, type Message } from './hub.ts';
import { keys } from './keys.ts';
import { Problem } from './problem.ts';
import { createRefresher } from './refresh.ts';
import type { Claim, PlanStatus, RunSummary } from './wire.ts';

const pace = { live: false, polling: 2_000, connecting: 4_000, lost: 4_000 } as const;

/** Everything the pages know lives here, outside React; pages subscribe to the part they show. */
export const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: Number.POSITIVE_INFINITY,
      // The hub says what changed; without it the page asks by itself.
      refetchInterval: () => pace[connection.getState().link],
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: (count, error) => !(error instanceof Problem && error.status > 0) && count < 2,
    },
  },
});

// A query looks at the pace only when it is answered, and with a hub that fell silent no answer comes.
connection.subscribe(({ link }, before) => {
  if (link === before.link) return;
  for (const { observers } of client.getQueryCache().getAll())
    for (const observer of observers) observer.setOptions(observer.options);
});

const refresh = createRefresher(client);
const runListeners = new Map<string, Set<(events: unknown[] | 'again') => void>>();
/** Runs whose events came since they last changed. Those of another console's runs do not come here. */
const told = new Set<string>();

/** Hears the events of one run as they come; `again` means that some may be missing. */
export function hearRun(runId: string, listener: (events: unknown[] | 'again') => void): () => void {
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
    heard: perFrame(takeAll),
    link: (link) => connection.setState({ link, ...(link === 'live' ? { heardAt: Date.now() } : {}) }),
    hasRead: () => connection.getState().reading,
  });
}

function takeAll(messages: Message[]): void {
  connection.setState({ heardAt: Date.now() });
  const stale = new Map<string, readonly unknown[]>();
  for (const message of messages) for (const key of take(message)) stale.set(JSON.stringify(key), key);
  for (const key of stale.values()) refresh(key);
}

/** Puts in what the message carries and names what must be read again. */
function take({ type, data }: Message): readonly (readonly unknown[])[] {
  switch (type) {
    case 'plan_changed':
      // Which plans touch a repository, and how much of them is open.
      return [keys.plans, keys.plan(data.slug), keys.ready, keys.repositories];
    case 'claim_changed':
      putClaim(data.plan, data.node, data.claim as Claim | null);
      return [keys.plans, keys.plan(data.plan), keys.ready, keys.agents, keys.memory];
    case 'agents_changed':
      return [keys.agents];
    case 'repository_changed':
      return [keys.repositories, keys.memory];
    case 'run_changed':
      if (!told.delete(data.run.runId)) tellRun(data.run.runId, 'again');
      if (!putRun(data.run)) return [];
      return [keys.run(data.run.runId), ...(data.run.session ? [keys.session(data.run.session)] : [])];
    case 'run_events':
      told.add(data.runId);
      tellRun(data.runId, data.events);
      return [];
    case 'run_ejected':
      client.setQueryData<RunSummary[]>(keys.runs, (runs) => runs?.filter(({ runId }) => !data.runIds.includes(runId)));
      return data.runIds.map(keys.run);
    case 'event_model_changed':
      return [keys.eventModel];
    case 'reset':
      for (const runId of runListeners.keys()) tellRun(runId, 'again');
      return [[]];
  }
}

function tellRun(runId: string, events: unknown[] | 'again'): void {
  for (const listener of runListeners.get(runId) ?? []) listener(events);
}

function putClaim(plan: string, node: string, claim: Claim | null): void {
  client.setQueryData<PlanStatus>([...keys.plan(plan), 'status'], (status) => {
    const index = status?.nodes.findIndex(({ id }) => id.toLowerCase() === node.toLowerCase()) ?? -1;
    const view = status?.nodes[index];
    return status && view && { ...status, nodes: status.nodes.with(index, claimed(view, claim)) };
  });
}

/** True when the run began, ended or came back, so that its detail must be read anew. */
function putRun(run: RunSummary): boolean {
  const before = client.getQueryData<RunSummary[]>(keys.runs)?.find(({ runId }) => runId === run.runId);
  client.setQueryData<RunSummary[]>(keys.runs, (runs) => {
    if (!runs) return runs;
    return before ? runs.map((other) => (other.runId === run.runId ? run : other)) : [run, ...runs];
  });
  return before?.state !== run.state;
}
