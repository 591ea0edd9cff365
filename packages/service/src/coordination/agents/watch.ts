import type { Announcements } from '../../kernel/announce.ts';
import { type Clock, iso } from '../../kernel/clock.ts';
import type { Source } from './contract.ts';
import type { SessionFacts } from './facts.ts';
import { createHookNotes } from './hooks.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { createPlaces } from './places.ts';
import type { Scan, SessionSource, TreeProbe } from './ports.ts';
import { createRoster } from './roster.ts';
import { createSubagentTrees } from './subagent-trees.ts';
import { type TreeFacts, treesOf } from './tree.ts';

/** What was last seen of every session on this host. */
export type Sightings = {
  sessions(): readonly SessionFacts[];
  get(sessionId: string): SessionFacts | undefined;
  trees(): readonly TreeFacts[];
  sources(): readonly Source[];
  /** When it last looked; null before the first look is through. */
  observedAt(): string | null;
};

export type AgentWatch = Sightings & {
  /** Looks once, then goes on looking until stopped. */
  start(): Promise<() => Promise<void>>;
  /** Looks now, or right after the look that is under way. */
  look(): Promise<void>;
  /** Takes what an agent's own hook tells: it names causes, and hastens the next look. */
  tell(payload: Readonly<Record<string, unknown>>): void;
};

export type WatchOptions = {
  host: string;
  sources: readonly SessionSource[];
  probe: TreeProbe;
  clock: Clock;
  announcements: Announcements;
  /** Told of what no reader foresaw; the next look is made all the same. */
  fault: (error: unknown) => void;
};

const everyMs = 1_000;

/** Polling is the truth; wake-ups and hooks only make the next look come sooner. */
export function createAgentWatch(options: WatchOptions): AgentWatch {
  const { host, sources, probe, clock, announcements, fault } = options;
  const roster = createRoster();
  const places = createPlaces(probe);
  const notes = createHookNotes();
  const subagents = createSubagentTrees(sources);
  let scans: readonly Scan[] = [];
  let trees = new Map<string, Drawn>();
  let drawnFrom = -1;
  let observedAt: string | null = null;

  async function lookOnce(): Promise<void> {
    // The time of a look is when it began: what happens during it may have been missed.
    const at = { wall: clock.wall(), monotonic: clock.monotonic() };
    scans = await Promise.all(sources.map((source) => source.scan()));
    const { wanted, busy } = directoriesOf(scans, roster.sessions());
    await places.refresh(wanted, busy, at.monotonic);
    const moved = roster.observe({ host, scans, places: places.byCwd(), notes, at });
    if (moved.length > 0 || places.version() !== drawnFrom) await redraw(moved, at.monotonic);
    observedAt = iso(at.wall);
  }

  async function redraw(moved: string[], now: number): Promise<void> {
    drawnFrom = places.version();
    const sessions = roster.sessions();
    const parents = await subagents.parents(places.worktrees(), now);
    const grounds = { host, sessions, places: places.byCwd().values(), worktrees: places.worktrees(), parents };
    const drawn = new Map(treesOf(grounds).map((tree) => [tree.root, { tree, text: JSON.stringify(tree) }]));
    const data = { sessions: moved, trees: differing(trees, drawn) };
    trees = drawn;
    if (data.sessions.length + data.trees.length > 0) announcements.announce({ type: 'agents_changed', data });
  }

  const { run: look, settled } = oneAtATime(() => lookOnce().catch(fault));

  return {
    sessions: roster.sessions,
    get: roster.get,
    trees: () => [...trees.values()].map(({ tree }) => tree),
    sources: () => scans.map(({ tool, path, ok, detail }) => ({ tool, path, ok, detail })),
    observedAt: () => observedAt,
    look,
    tell(payload) {
      notes.take(payload, clock.wall());
      void look();
    },
    async start() {
      const quiet = sources.map((source) => source.onMoved(() => void look()));
      await look();
      const rest = clock.every(everyMs, look);
      return async () => {
        rest();
        for (const stop of quiet) stop();
        await settled();
      };
    },
  };
}

/** The directories to find in git, and which of them a living session stands in. */
function directoriesOf(scans: readonly Scan[], sessions: readonly SessionFacts[]) {
  const wanted = new Map<string, string | null>();
  for (const { entries, transcripts } of scans) {
    for (const { cwd } of entries) if (cwd !== null) wanted.set(cwd, null);
    for (const { cwd, branch } of transcripts) if (cwd !== null) wanted.set(cwd, branch);
  }
  for (const { cwd, branch } of sessions) if (cwd !== null && !wanted.has(cwd)) wanted.set(cwd, branch);
  const busy = new Set(sessions.flatMap(({ live, cwd }) => (live && cwd !== null ? [cwd] : [])));
  return { wanted, busy };
}

/** A working tree as it was last told, and the same in one text to compare. */
type Drawn = { tree: TreeFacts; text: string };

function differing(before: ReadonlyMap<string, Drawn>, after: ReadonlyMap<string, Drawn>): string[] {
  const roots = new Set([...before.keys(), ...after.keys()]);
  return [...roots].filter((root) => before.get(root)?.text !== after.get(root)?.text);
}
