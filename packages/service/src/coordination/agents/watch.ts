import type { Announcements } from '../../kernel/announcements.ts';
import { type Clock, iso } from '../../kernel/clock.ts';
import { coalesced } from '../../kernel/one-at-a-time.ts';
import type { SourceStatus } from './contract.ts';
import { createGitLocations } from './git-locations.ts';
import { createHookReportStore, type HookReports } from './hooks.ts';
import { createSubagentTrees, createWatchedDirectories, ObservedTrees } from './observed-trees.ts';
import type { PollScope, SessionReader, TreeProbe } from './ports.ts';
import type { SessionFacts } from './session-state.ts';
import { createSessionTracker, type SessionChange } from './session-tracker.ts';
import type { TreeFacts } from './tree.ts';

/** The last observation of every session on this host. */
export type SessionObservations = {
  sessions(): readonly SessionFacts[];
  get(sessionId: string): SessionFacts | undefined;
  trees(): readonly TreeFacts[];
  sources(): readonly SourceStatus[];
  /** Start of the last poll that also checked time and processes; null before the first one has ended. */
  observedAt(): string | null;
};

export type AgentWatch = SessionObservations & {
  /** Polls once, then continues polling until stopped. */
  start(): Promise<() => Promise<void>>;
  /** Polls now, or right after the poll in progress. `all` reads every folder and checks every process. */
  poll(scope?: PollScope): Promise<void>;
  /** The session whose records hold a tool call of this id. */
  sessionOfToolCall(toolCallId: string): Promise<string | null>;
  /** The session that a hook reported together with this tool call. */
  reportedByHook(toolCallId: string): string | null;
  /** Accepts a hook payload of an agent tool: it supplies causes, and triggers the next poll. */
  receiveHook(payload: Readonly<Record<string, unknown>>): void;
};

export type AgentWatchOptions = {
  host: string;
  readers: readonly SessionReader[];
  probe: TreeProbe;
  clock: Clock;
  announcements: Announcements;
  /** Called with unexpected errors; polling continues. */
  onFault: (error: unknown) => void;
};

const pollMs = 1_000;
/** Polling must find everything; folder watches and hooks only make the next poll come sooner. */
export function createAgentWatch(options: AgentWatchOptions): AgentWatch {
  const { readers, probe, clock, onFault: fault } = options;
  const notes = createHookReportStore();
  const session = createSessionPoll(options, notes);
  const { tracker, trees, observedAt } = session;
  let wanted: PollScope | 'changed' = 'all';
  const pollOnce = () => {
    const scope = wanted;
    wanted = 'changed';
    return session.poll(scope);
  };
  const want = (scope: PollScope) => {
    if (wanted !== 'all') wanted = scope;
  };
  const { run, settled } = coalesced(() => pollOnce().catch(fault));

  return {
    sessions: tracker.sessions,
    get: tracker.get,
    trees: () => trees.all(),
    sources: () => [...readers.flatMap((reader) => reader.sources()), ...(probe.sources?.() ?? [])],
    observedAt,
    poll(scope = 'due') {
      want(scope);
      return run();
    },
    async sessionOfToolCall(toolCallId) {
      const found = await Promise.all(readers.map((reader) => reader.sessionOfToolCall?.(toolCallId) ?? null));
      return found.find((sessionId) => sessionId !== null) ?? null;
    },
    reportedByHook: (toolCallId) => notes.toolCalls.get(toolCallId) ?? null,
    receiveHook(payload) {
      notes.record(payload, clock.wall());
      want('due');
      void run();
    },
    async start() {
      const stopWatching = readers.map((reader) => reader.onChange(() => void run()));
      await run();
      const stopPolling = clock.every(pollMs, () => {
        want('due');
        return run();
      });
      return async () => {
        stopPolling();
        for (const stop of stopWatching) stop();
        await settled();
      };
    },
  };
}

/** Directories are looked up in git at most this often, new ones immediately. */
const locateMs = 900;

/** Runs one poll after another: reads what changed, derives states, updates the trees and announces the changes. */
function createSessionPoll(options: AgentWatchOptions, hookReports: HookReports) {
  const { host, readers, probe, clock, announcements } = options;
  const tracker = createSessionTracker();
  const locations = createGitLocations(probe);
  const directories = createWatchedDirectories();
  const subagents = createSubagentTrees(readers);
  const trees = new ObservedTrees();
  const seen = { trees: -1, locations: -1, locatedAt: Number.NEGATIVE_INFINITY };
  let observedAt: string | null = null;

  /** `changed` checks only what changed: anything that depends on time or processes waits for the next poll, which is soon. */
  async function poll(wanted: PollScope | 'changed'): Promise<void> {
    // The time of a poll is its start: what happens during it may have been missed.
    const at = { wall: clock.wall(), monotonic: clock.monotonic() };
    const onlyChanged = wanted === 'changed';
    const least = onlyChanged ? 'due' : wanted;
    const scope = least === 'due' && tracker.awaitsConfirmation() ? 'processes' : least;
    const scans = await Promise.all(readers.map((reader) => reader.poll(scope)));
    if ((!onlyChanged && at.monotonic - seen.locatedAt >= locateMs) || directories.areNew(scans)) {
      seen.locatedAt = at.monotonic;
      const { wanted: cwds, busy } = directories.gather(scans, tracker.sessions());
      await locations.refresh(cwds, busy, at.monotonic);
    }
    const locationsChanged = locations.version() !== seen.locations;
    seen.locations = locations.version();
    const moved = tracker.observe({
      host,
      scans,
      locations: locations.byCwd(),
      locationsChanged,
      hookReports,
      at,
      onlyChanged,
    });
    await updateTrees(moved, at.monotonic);
    if (!onlyChanged) observedAt = iso(at.wall);
  }

  async function updateTrees(moved: ReadonlyMap<string, SessionChange>, now: number): Promise<void> {
    const sessions = tracker.sessions();
    const worktrees = locations.worktrees();
    const parents = await subagents.parents(worktrees, now);
    const version = locations.version() + locations.worktreesVersion() + parents.size;
    let roots: string[] = [];
    if (version !== seen.trees) {
      seen.trees = version;
      roots = trees.rebuild({ host, sessions, locations: locations.byCwd().values(), worktrees, parents });
    } else if (moved.size > 0) roots = trees.update(moved, sessions);
    const data = { sessions: [...moved.keys()], trees: roots };
    if (data.sessions.length + data.trees.length > 0) announcements.announce({ type: 'agents_changed', data });
  }

  return { poll, tracker, trees, observedAt: () => observedAt };
}
