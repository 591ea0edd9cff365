import type { Announcements } from '../../kernel/announcements.ts';
import { type Clock, iso } from '../../kernel/clock.ts';
import { coalesced } from '../../kernel/coalesced.ts';
import type { SourceStatus } from './contract.ts';
import { createGitLocations } from './git-locations.ts';
import { createHookReportStore } from './hooks.ts';
import type { SessionSource, SourceScan, TreeProbe } from './ports.ts';
import type { SessionFacts } from './session-facts.ts';
import { createSessionTracker } from './session-tracker.ts';
import { createSubagentTrees } from './subagent-trees.ts';
import { type TreeFacts, treesOf } from './tree.ts';

/** The last observation of every session on this host. */
export type SessionObservations = {
  sessions(): readonly SessionFacts[];
  get(sessionId: string): SessionFacts | undefined;
  trees(): readonly TreeFacts[];
  sources(): readonly SourceStatus[];
  /** Start of the last poll; null before the first one has ended. */
  observedAt(): string | null;
};

export type AgentWatch = SessionObservations & {
  /** Polls once, then goes on polling until stopped. */
  start(): Promise<() => Promise<void>>;
  /** Polls now, or right after the poll that is under way. */
  poll(): Promise<void>;
  /** Takes a hook payload of an agent tool: it names causes, and hastens the next poll. */
  receiveHook(payload: Readonly<Record<string, unknown>>): void;
};

export type AgentWatchOptions = {
  host: string;
  sources: readonly SessionSource[];
  probe: TreeProbe;
  clock: Clock;
  announcements: Announcements;
  /** Called with unexpected errors; polling goes on. */
  onFault: (error: unknown) => void;
};

const pollMs = 1_000;

/** Polling must find everything; folder watches and hooks only make the next poll come sooner. */
export function createAgentWatch(options: AgentWatchOptions): AgentWatch {
  const { host, sources, probe, clock, announcements, onFault: fault } = options;
  const tracker = createSessionTracker();
  const locations = createGitLocations(probe);
  const notes = createHookReportStore();
  const subagents = createSubagentTrees(sources);
  let scans: readonly SourceScan[] = [];
  let trees = new Map<string, ComparableTree>();
  let treesVersion = -1;
  let observedAt: string | null = null;

  async function pollOnce(): Promise<void> {
    // The time of a poll is its start: what happens during it may have been missed.
    const at = { wall: clock.wall(), monotonic: clock.monotonic() };
    scans = await Promise.all(sources.map((source) => source.scan()));
    const { wanted, busy } = directoriesOf(scans, tracker.sessions());
    await locations.refresh(wanted, busy, at.monotonic);
    const moved = tracker.observe({ host, scans, locations: locations.byCwd(), hookReports: notes, at });
    if (moved.length > 0 || locations.version() !== treesVersion) await updateTrees(moved, at.monotonic);
    observedAt = iso(at.wall);
  }

  async function updateTrees(moved: string[], now: number): Promise<void> {
    treesVersion = locations.version();
    const sessions = tracker.sessions();
    const parents = await subagents.parents(locations.worktrees(), now);
    const inputs = { host, sessions, locations: locations.byCwd().values(), worktrees: locations.worktrees(), parents };
    const updated = new Map(treesOf(inputs).map((tree) => [tree.root, { tree, text: JSON.stringify(tree) }]));
    const data = { sessions: moved, trees: changedRoots(trees, updated) };
    trees = updated;
    if (data.sessions.length + data.trees.length > 0) announcements.announce({ type: 'agents_changed', data });
  }

  const { run, settled } = coalesced(() => pollOnce().catch(fault));

  return {
    sessions: tracker.sessions,
    get: tracker.get,
    trees: () => [...trees.values()].map(({ tree }) => tree),
    sources: () => scans.map(({ tool, path, ok, detail }) => ({ tool, path, ok, detail })),
    observedAt: () => observedAt,
    poll: run,
    receiveHook(payload) {
      notes.record(payload, clock.wall());
      void run();
    },
    async start() {
      const stopWatching = sources.map((source) => source.onChange(() => void run()));
      await run();
      const stopPolling = clock.every(pollMs, run);
      return async () => {
        stopPolling();
        for (const stop of stopWatching) stop();
        await settled();
      };
    },
  };
}

/** The directories to find in git, and which of them a living session stands in. */
function directoriesOf(scans: readonly SourceScan[], sessions: readonly SessionFacts[]) {
  const wanted = new Map<string, string | null>();
  for (const { entries, transcripts } of scans) {
    for (const { cwd } of entries) if (cwd !== null) wanted.set(cwd, null);
    for (const { cwd, branch } of transcripts) if (cwd !== null) wanted.set(cwd, branch);
  }
  for (const { cwd, branch } of sessions) if (cwd !== null && !wanted.has(cwd)) wanted.set(cwd, branch);
  const busy = new Set(sessions.flatMap(({ live, cwd }) => (live && cwd !== null ? [cwd] : [])));
  return { wanted, busy };
}

/** A working tree as it was last announced, and its JSON to compare with. */
type ComparableTree = { tree: TreeFacts; text: string };

function changedRoots(
  before: ReadonlyMap<string, ComparableTree>,
  after: ReadonlyMap<string, ComparableTree>,
): string[] {
  const roots = new Set([...before.keys(), ...after.keys()]);
  return [...roots].filter((root) => before.get(root)?.text !== after.get(root)?.text);
}
