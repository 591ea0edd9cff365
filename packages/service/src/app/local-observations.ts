import type { AgentWatch } from '../coordination/agents/watch.ts';
import type { SharedKind, SharedRun } from '../coordination/hosts/contract.ts';
import type { ObservedItems } from '../coordination/hosts/last-shared.ts';
import type { OtherHosts } from '../coordination/hosts/other-hosts.ts';
import { runsInProcess } from '../coordination/runs/io/runs-in-process.ts';
import type { Announcement } from '../kernel/messages.ts';
import { isRefusal } from '../kernel/outcome.ts';
import type { ConsoleQueries } from './console-queries.ts';
import type { ServiceDeps } from './port.ts';

/** What is observed on this host; the sessions come once their watch is there, the clones once they were looked into. */
export type LocalObservations = { sessions: AgentWatch | null; clones: ReadonlySet<string> };

/** What a message says may have changed of what this host shares. */
const kindsTouchedBy: Readonly<Record<Announcement['type'], readonly SharedKind[]>> = {
  plan_changed: [],
  claim_changed: [],
  agents_changed: ['session', 'tree'],
  repository_changed: [],
  run_changed: ['run', 'verdict'],
  run_events: [],
  run_ejected: ['run', 'verdict'],
  event_model_changed: ['model', 'verdict'],
  reset: [],
};

/** At most this many retried tests are shared per run. */
const maxRetriedShared = 200;

/** Gathers what this host shares, by kind, and says when something of a kind may have changed. */
export function observeLocally(
  { config, announcements }: ServiceDeps,
  queries: ConsoleQueries,
  local: LocalObservations,
  others: () => OtherHosts,
) {
  const runs = createRunItems({ announcements }, queries);
  // Runs of a remote console are not shared: every host that needs them names that console itself.
  const ownRuns = config.publisherUrl === undefined;
  const model = () => {
    const view = ownRuns ? queries.eventModel.model({ slice: '' }) : null;
    return view === null || isRefusal(view) ? null : view.name;
  };
  const wanted = () => model() !== null || [...others().all()].some((host) => host.model.size > 0);
  return {
    async all(kinds: ReadonlySet<SharedKind>): Promise<ObservedItems | null> {
      const { sessions } = local;
      if (!sessions || sessions.observedAt() === null) return null;
      const observed: ObservedItems = {};
      if (kinds.has('session')) observed.session = sessions.sessions().map((one) => [one.sessionId, one] as const);
      if (kinds.has('tree')) observed.tree = sessions.trees().map((one) => [one.root, one] as const);
      if (kinds.has('run')) observed.run = ownRuns ? await runs.all() : [];
      if (kinds.has('clone'))
        observed.clone = [...local.clones].map((repository) => [repository, { repository }] as const);
      const name = model();
      if (kinds.has('model')) observed.model = name === null ? [] : [[name, { name }]];
      if (kinds.has('verdict')) {
        observed.verdict = wanted()
          ? [...queries.verdicts.verdicts.all()].map((one) => [one.identity, one] as const)
          : [];
      }
      return observed;
    },
    touching(touch: (kind: SharedKind) => void) {
      const hear = (message: Announcement) => {
        if (message.type === 'run_changed') runs.touched(message.data.run.runId);
        for (const kind of kindsTouchedBy[message.type]) touch(kind);
      };
      for (const feed of new Set([announcements, queries.announcements])) feed.listen(hear);
    },
  };
}

/** Rebuilds summaries only of runs that were announced, so that unchanged ones stay the same object. */
function createRunItems({ announcements }: Pick<ServiceDeps, 'announcements'>, { runQueries }: ConsoleQueries) {
  const inProcess = runsInProcess(runQueries, announcements);
  const items = new Map<string, SharedRun>();
  return {
    touched: (runId: string) => void items.delete(runId),
    async all(): Promise<Array<readonly [string, SharedRun]>> {
      const entries = await runQueries.list({});
      const listed = new Set(entries.map(({ runId }) => runId));
      for (const runId of items.keys()) if (!listed.has(runId)) items.delete(runId);
      for (const entry of entries) {
        if (items.has(entry.runId)) continue;
        const run = runQueries.summary(entry);
        items.set(entry.runId, { run, retried: (await inProcess.retried(run)).slice(0, maxRetriedShared) });
      }
      return [...items];
    },
  };
}
