import type { Tree } from './contract.ts';
import type { GitLocation, WorktreeOnDisk } from './ports.ts';
import type { SessionFacts } from './session-state.ts';

/** A tree as observed, before it is joined with claims and changes. */
export type TreeFacts = Omit<Tree, 'owners' | 'changes' | 'changesTruncated' | 'overlaps'>;

export type TreeInputs = {
  host: string;
  sessions: readonly SessionFacts[];
  locations: Iterable<GitLocation>;
  worktrees: readonly WorktreeOnDisk[];
  /** Root of a subagent's worktree to the session that started the subagent: it has no session of its own. */
  parents: ReadonlyMap<string, string>;
};

/** The sessions and worktrees of each root. */
export type TreeParts = {
  host: string;
  all: readonly SessionFacts[];
  sessionsIn(root: string): readonly SessionFacts[];
  locationOf(root: string): GitLocation | undefined;
  worktreeAt(root: string): WorktreeOnDisk | undefined;
};

/** Every root with a session above it, and every worktree of an agent that is still on disk. */
export function treesOf(inputs: TreeInputs): TreeFacts[] {
  const { roots, parts } = treePartsOf(inputs);
  return [...roots].flatMap((root) => treeAt(root, parts) ?? []);
}

export function treePartsOf(inputs: TreeInputs): { roots: ReadonlySet<string>; parts: TreeParts } {
  const locationByRoot = new Map<string, GitLocation>();
  for (const location of inputs.locations) {
    if (location.root !== null && !locationByRoot.get(location.root)?.onDisk)
      locationByRoot.set(location.root, location);
  }
  const sessionsByRoot = new Map<string, SessionFacts[]>();
  const byId = new Map<string, SessionFacts>();
  for (const session of inputs.sessions) {
    byId.set(session.sessionId, session);
    if (session.tree === null) continue;
    const sessionsInTree = sessionsByRoot.get(session.tree);
    if (sessionsInTree) sessionsInTree.push(session);
    else sessionsByRoot.set(session.tree, [session]);
  }
  const onDisk = new Map(inputs.worktrees.map((worktree) => [worktree.root, worktree]));
  return {
    roots: new Set([...sessionsByRoot.keys(), ...onDisk.keys()]),
    parts: {
      host: inputs.host,
      all: inputs.sessions,
      sessionsIn(root) {
        const own = sessionsByRoot.get(root) ?? [];
        const parent = byId.get(inputs.parents.get(root) ?? '');
        return parent && !own.includes(parent) ? [...own, parent] : own;
      },
      locationOf: (root) => onDisk.get(root) ?? locationByRoot.get(root),
      worktreeAt: (root) => onDisk.get(root),
    },
  };
}

/** Undefined if the root is unknown or no longer in use. */
export function treeAt(root: string, parts: TreeParts): TreeFacts | undefined {
  const location = parts.locationOf(root);
  const sessions = parts.sessionsIn(root);
  const worktree = parts.worktreeAt(root);
  return location && (sessions.length > 0 || worktree) ? treeOf(root, location, sessions, parts, worktree) : undefined;
}

/** The roots whose trees may change with this session. */
export function rootsTouchedBy({ tree, cwd, launchCwd }: Pick<SessionFacts, 'tree' | 'cwd' | 'launchCwd'>): string[] {
  const worktrees = [cwd, launchCwd].map((path) => (path === null ? undefined : agentWorktreeOf(path)?.root));
  return [tree ?? undefined, ...worktrees].filter((root) => root !== undefined);
}

function treeOf(
  root: string,
  location: GitLocation,
  sessions: readonly SessionFacts[],
  parts: TreeParts,
  worktree: WorktreeOnDisk | undefined,
): TreeFacts {
  const living = sessions.filter((session) => session.live);
  const inUse = (session: SessionFacts) =>
    session.state !== 'gone' && (isWithin(session.cwd, root) || isWithin(session.launchCwd, root));
  return {
    host: parts.host,
    root,
    mainRoot: location.mainRoot,
    repository: location.repository,
    branch: location.branch,
    worktree: location.worktree,
    onDisk: location.onDisk,
    sessions: sessions.map(({ sessionId }) => sessionId),
    live: living.map(({ sessionId }) => sessionId),
    contested: living.reduce((count, session) => count + Math.max(1, session.processes), 0) > 1,
    needsCleanup:
      (worktree !== undefined || isAgentWorktree(root)) &&
      location.onDisk &&
      !worktree?.lockedByLiveProcess &&
      sessions.every(({ state }) => state === 'gone') &&
      !parts.all.some(inUse),
  };
}

const withForwardSlashes = (path: string) => path.replaceAll('\\', '/');

export type AgentWorktree = {
  root: string;
  /** The surrounding repository; null if the path does not show it. */
  mainRoot: string | null;
  name: string;
  /** The folder that the tool created; its parents are not part of the worktree. */
  top: string;
};

/** The innermost worktree of an agent that a path lies in, whether it is still there or not. */
export function agentWorktreeOf(path: string): AgentWorktree | null {
  const found = [claudeWorktreeOf(path), codexWorktreeOf(path)].filter((one) => one !== null);
  return found.sort((a, b) => b.root.length - a.root.length)[0] ?? null;
}

/** `<repository>/.claude/worktrees/<name>` */
function claudeWorktreeOf(path: string): AgentWorktree | null {
  const found = /^(.*)\/\.claude\/worktrees\/([^/]+)/.exec(withForwardSlashes(path));
  if (!found) return null;
  const [{ length }, main = '', name = ''] = found;
  const root = path.slice(0, length);
  return { root, mainRoot: path.slice(0, main.length), name, top: root };
}

/** `~/.codex/worktrees/<id>/<repository>`, in one folder for all repositories. */
function codexWorktreeOf(path: string): AgentWorktree | null {
  const found = /^.*\/\.codex\/worktrees\/([^/]+)/.exec(withForwardSlashes(path));
  if (!found) return null;
  const [{ length }, name = ''] = found;
  const below = path.slice(length + 1).split(/[\\/]/, 1)[0] ?? '';
  const top = path.slice(0, length);
  return { root: below === '' ? top : path.slice(0, length + 1 + below.length), mainRoot: null, name, top };
}

const isAgentWorktree = (root: string) => agentWorktreeOf(root)?.root === root;

export const isWithin = (path: string | null, root: string): boolean =>
  path !== null && (path === root || withForwardSlashes(path).startsWith(`${withForwardSlashes(root)}/`));
