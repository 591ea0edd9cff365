import type { Announcement } from '../../kernel/messages.ts';
import type { SharedTests } from '../../run-contract/test-history.ts';
import type { TreeFacts } from '../agents/tree.ts';
import type { AgentWatch } from '../agents/watch.ts';
import type { RunSource } from '../runs/ports.ts';
import type { TreeChanges } from '../trees/overlaps.ts';
import type { ReplacedHistory, SharedHost, SharedKind, SharedRun, SharedVerdict } from './contract.ts';
import type { ObservedItems } from './last-shared.ts';
import type { OtherHosts } from './other-hosts.ts';

/** The observations of this host; sessions are added once their watch has started, clones once they have been read. */
export type LocalObservations = {
  sessions: AgentWatch | null;
  changes: (() => readonly TreeChanges[]) | null;
  clones: ReadonlySet<string>;
  host: () => SharedHost;
  replaced: () => ReplacedHistory | null;
};

/** The shared part of this host's console. */
export type OwnConsole = {
  runIds(): Promise<readonly string[]>;
  run: RunSource['get'];
  retried: RunSource['retried'];
  /** Null if none was pushed. */
  modelName(): string | null;
  verdicts(): Iterable<SharedVerdict>;
  /** The tests of the newest runs of each suite, as the same object while the run is the same. */
  tests(): Promise<Iterable<SharedTests>>;
};

/** Which kinds of shared items a message may affect. */
const kindsTouchedBy: Readonly<Record<Announcement['type'], readonly SharedKind[]>> = {
  plan_changed: [],
  claim_changed: [],
  agents_changed: ['session', 'tree'],
  overlap_changed: ['changes'],
  repository_changed: [],
  run_changed: ['run', 'verdict', 'tests'],
  run_events: [],
  run_ejected: ['run', 'verdict'],
  event_model_changed: ['model', 'verdict'],
  store_changed: [],
  reset: [],
};

/** Whether such a message affects shared items; run events, which are most of them, do not. */
export const isTouching = (type: Announcement['type']): boolean => kindsTouchedBy[type].length > 0;

/** Containers of one host often have the same paths. */
const sharedTreeId = ({ root, host }: Pick<TreeFacts, 'root' | 'host'>): string => `${host}:${root}`;

/** At most this many retried tests are shared per run. */
const maxRetriedShared = 200;

/** Collects what this host shares, by kind, and signals when items of a kind may have changed. */
export function observeLocally(local: LocalObservations, console: OwnConsole, others: () => OtherHosts) {
  const runs = createRunItems(console);
  const isModelShared = (name: string | null) =>
    name !== null || [...others().all()].some((host) => host.model.size > 0);
  return {
    async all(kinds: ReadonlySet<SharedKind>): Promise<ObservedItems | null> {
      const { sessions } = local;
      if (!sessions || sessions.observedAt() === null) return null;
      const observed: ObservedItems = {};
      if (kinds.has('session')) observed.session = sessions.sessions().map((one) => [one.sessionId, one] as const);
      if (kinds.has('tree')) observed.tree = sessions.trees().map((one) => [sharedTreeId(one), one] as const);
      if (kinds.has('changes'))
        observed.changes = (local.changes?.() ?? []).map((one) => [sharedTreeId(one), one] as const);
      if (kinds.has('run')) observed.run = await runs.all();
      if (kinds.has('host')) {
        const [host, replaced] = [local.host(), local.replaced()];
        observed.host = [[host.name, replaced ? { ...host, replaced } : host]];
      }
      if (kinds.has('tests')) observed.tests = [...(await console.tests())].map((one) => [one.runId, one] as const);
      if (kinds.has('clone'))
        observed.clone = [...local.clones].map((repository) => [repository, { repository }] as const);
      const name = console.modelName();
      if (kinds.has('model')) observed.model = name === null ? [] : [[name, { name }]];
      if (kinds.has('verdict')) {
        observed.verdict = isModelShared(name)
          ? [...console.verdicts()].map((one) => [one.identity, one] as const)
          : [];
      }
      return observed;
    },
    touching:
      (touch: (kind: SharedKind) => void) =>
      (message: Announcement): void => {
        if (message.type === 'run_changed') runs.touched(message.data.run.runId);
        for (const kind of kindsTouchedBy[message.type]) touch(kind);
      },
  };
}

/** Rebuilds summaries only of runs that were announced, so that unchanged ones stay the same object. */
function createRunItems(console: OwnConsole) {
  const items = new Map<string, SharedRun>();
  return {
    touched: (runId: string) => void items.delete(runId),
    async all(): Promise<Array<readonly [string, SharedRun]>> {
      const listed = new Set(await console.runIds());
      for (const runId of items.keys()) if (!listed.has(runId)) items.delete(runId);
      for (const runId of listed) {
        const run = items.has(runId) ? undefined : await console.run(runId);
        if (run) items.set(runId, { run, retried: (await console.retried(run)).slice(0, maxRetriedShared) });
      }
      return [...items];
    },
  };
}
