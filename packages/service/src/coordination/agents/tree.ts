import type { Tree } from './contract.ts';
import type { SessionFacts } from './facts.ts';
import type { Place, WorktreeOnDisk } from './ports.ts';

/** A tree as the observer knows it, before claims tell who owns it. */
export type TreeFacts = Omit<Tree, 'owners'>;

export type Grounds = {
  host: string;
  sessions: readonly SessionFacts[];
  places: Iterable<Place>;
  worktrees: readonly WorktreeOnDisk[];
  /** Root of a subagent's worktree to the session that started the subagent: it has no session of its own. */
  parents: ReadonlyMap<string, string>;
};

/** Every root with a session above it, and every worktree of an agent that is still on disk. */
export function treesOf(grounds: Grounds): TreeFacts[] {
  const places = new Map<string, Place>();
  for (const place of grounds.places) {
    if (place.root !== null && !places.get(place.root)?.onDisk) places.set(place.root, place);
  }
  const inside = new Map<string, SessionFacts[]>();
  for (const session of grounds.sessions) {
    if (session.tree === null) continue;
    const there = inside.get(session.tree);
    if (there) there.push(session);
    else inside.set(session.tree, [session]);
  }
  const onDisk = new Map(grounds.worktrees.map((worktree) => [worktree.root, worktree]));
  const roots = new Set([...inside.keys(), ...onDisk.keys()]);
  const byId = new Map(grounds.sessions.map((session) => [session.sessionId, session]));
  return [...roots].flatMap((root) => {
    const place = onDisk.get(root) ?? places.get(root);
    const parent = byId.get(grounds.parents.get(root) ?? '');
    const own = inside.get(root) ?? [];
    const sessions = parent && !own.includes(parent) ? [...own, parent] : own;
    return place ? [treeOf(root, place, sessions, grounds, onDisk.get(root))] : [];
  });
}

function treeOf(
  root: string,
  place: Place,
  sessions: readonly SessionFacts[],
  grounds: Grounds,
  worktree: WorktreeOnDisk | undefined,
): TreeFacts {
  const living = sessions.filter((session) => session.live);
  const inUse = (session: SessionFacts) =>
    session.state !== 'gone' && (isWithin(session.cwd, root) || isWithin(session.launchCwd, root));
  return {
    host: grounds.host,
    root,
    mainRoot: place.mainRoot,
    repository: place.repository,
    branch: place.branch,
    worktree: place.worktree,
    onDisk: place.onDisk,
    sessions: sessions.map(({ sessionId }) => sessionId),
    contested: living.reduce((count, session) => count + Math.max(1, session.processes), 0) > 1,
    needsCleanup:
      isAgentWorktree(root) &&
      place.onDisk &&
      !worktree?.lockedByLiving &&
      sessions.every(({ state }) => state === 'gone') &&
      !grounds.sessions.some(inUse),
  };
}

const slashed = (path: string) => path.replaceAll('\\', '/');

/** The innermost worktree of an agent that a path lies in, whether it is still there or not. */
export function agentWorktreeOf(path: string): { root: string; mainRoot: string; name: string } | null {
  const found = /^(.*)\/\.claude\/worktrees\/([^/]+)/.exec(slashed(path));
  if (!found) return null;
  const [{ length }, main = '', name = ''] = found;
  return { root: path.slice(0, length), mainRoot: path.slice(0, main.length), name };
}

const isAgentWorktree = (root: string) => agentWorktreeOf(root)?.root === root;

export const isWithin = (path: string | null, root: string): boolean =>
  path !== null && (path === root || slashed(path).startsWith(`${slashed(root)}/`));
