import type { Tree } from './contract.ts';
import type { GitLocation, WorktreeOnDisk } from './ports.ts';
import type { SessionFacts } from './session-facts.ts';

/** A tree as the observer knows it, before claims tell who owns it. */
export type TreeFacts = Omit<Tree, 'owners'>;

export type TreeInputs = {
  host: string;
  sessions: readonly SessionFacts[];
  locations: Iterable<GitLocation>;
  worktrees: readonly WorktreeOnDisk[];
  /** Root of a subagent's worktree to the session that started the subagent: it has no session of its own. */
  parents: ReadonlyMap<string, string>;
};

/** Every root with a session above it, and every worktree of an agent that is still on disk. */
export function treesOf(inputs: TreeInputs): TreeFacts[] {
  const locationByRoot = new Map<string, GitLocation>();
  for (const location of inputs.locations) {
    if (location.root !== null && !locationByRoot.get(location.root)?.onDisk)
      locationByRoot.set(location.root, location);
  }
  const sessionsByRoot = new Map<string, SessionFacts[]>();
  for (const session of inputs.sessions) {
    if (session.tree === null) continue;
    const sessionsInTree = sessionsByRoot.get(session.tree);
    if (sessionsInTree) sessionsInTree.push(session);
    else sessionsByRoot.set(session.tree, [session]);
  }
  const onDisk = new Map(inputs.worktrees.map((worktree) => [worktree.root, worktree]));
  const roots = new Set([...sessionsByRoot.keys(), ...onDisk.keys()]);
  const byId = new Map(inputs.sessions.map((session) => [session.sessionId, session]));
  return [...roots].flatMap((root) => {
    const location = onDisk.get(root) ?? locationByRoot.get(root);
    const parent = byId.get(inputs.parents.get(root) ?? '');
    const own = sessionsByRoot.get(root) ?? [];
    const sessions = parent && !own.includes(parent) ? [...own, parent] : own;
    return location ? [treeOf(root, location, sessions, inputs, onDisk.get(root))] : [];
  });
}

function treeOf(
  root: string,
  location: GitLocation,
  sessions: readonly SessionFacts[],
  inputs: TreeInputs,
  worktree: WorktreeOnDisk | undefined,
): TreeFacts {
  const living = sessions.filter((session) => session.live);
  const inUse = (session: SessionFacts) =>
    session.state !== 'gone' && (isWithin(session.cwd, root) || isWithin(session.launchCwd, root));
  return {
    host: inputs.host,
    root,
    mainRoot: location.mainRoot,
    repository: location.repository,
    branch: location.branch,
    worktree: location.worktree,
    onDisk: location.onDisk,
    sessions: sessions.map(({ sessionId }) => sessionId),
    contested: living.reduce((count, session) => count + Math.max(1, session.processes), 0) > 1,
    needsCleanup:
      isAgentWorktree(root) &&
      location.onDisk &&
      !worktree?.lockedByLiveProcess &&
      sessions.every(({ state }) => state === 'gone') &&
      !inputs.sessions.some(inUse),
  };
}

const withForwardSlashes = (path: string) => path.replaceAll('\\', '/');

/** The innermost worktree of an agent that a path lies in, whether it is still there or not. */
export function agentWorktreeOf(path: string): { root: string; mainRoot: string; name: string } | null {
  const found = /^(.*)\/\.claude\/worktrees\/([^/]+)/.exec(withForwardSlashes(path));
  if (!found) return null;
  const [{ length }, main = '', name = ''] = found;
  return { root: path.slice(0, length), mainRoot: path.slice(0, main.length), name };
}

const isAgentWorktree = (root: string) => agentWorktreeOf(root)?.root === root;

export const isWithin = (path: string | null, root: string): boolean =>
  path !== null && (path === root || withForwardSlashes(path).startsWith(`${withForwardSlashes(root)}/`));
