import type { Announcements } from '../../kernel/announcements.ts';
import { type Clock, iso } from '../../kernel/clock.ts';
import { createGitLocations } from './git-locations.ts';
import type { HookReports } from './hooks.ts';
import { ObservedTrees } from './observed-trees.ts';
import type { PollScope, SessionReader, TreeProbe } from './ports.ts';
import { createSessionTracker, type SessionChange } from './session-tracker.ts';
import { createSubagentTrees } from './subagent-trees.ts';
import { createWatchedDirectories } from './watched-directories.ts';

export type SessionPollOptions = {
  host: string;
  readers: readonly SessionReader[];
  probe: TreeProbe;
  clock: Clock;
  announcements: Announcements;
};

/** Directories are looked up in git at most this often, new ones at once. */
const locateMs = 900;

/** One poll after another: reads what changed, derives states, updates the trees and announces what moved. */
export function createSessionPoll(options: SessionPollOptions, hookReports: HookReports) {
  const { host, readers, probe, clock, announcements } = options;
  const tracker = createSessionTracker();
  const locations = createGitLocations(probe);
  const directories = createWatchedDirectories();
  const subagents = createSubagentTrees(readers);
  const trees = new ObservedTrees();
  const seen = { trees: -1, locations: -1, locatedAt: Number.NEGATIVE_INFINITY };
  let observedAt: string | null = null;

  /** `changed` looks at what moved alone: what depends on time or on processes waits for the next poll, which is soon. */
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
