import type { Board, Session, Tree } from '../../live/wire.ts';

const isTroubled = (health: string): boolean => health === 'stalled' || health === 'orphaned' || health === 'unknown';

export const needsAttention = (session: Session): boolean => session.claims.some(({ health }) => isTroubled(health));

export type TreeView = { tree: Tree; sessions: readonly Session[]; gone: number; urgency: number };

/** Trees with their sessions, trouble first; sessions that are gone and hold nothing are only counted. */
export function treeViews(board: Board): TreeView[] {
  const byId = new Map(board.sessions.map((session) => [session.sessionId, session]));
  return board.trees
    .map((tree): TreeView => {
      const all = tree.sessions.flatMap((id) => byId.get(id) ?? []);
      const sessions = all.filter((session) => session.state !== 'gone' || session.claims.length > 0);
      return { tree, sessions, gone: all.length - sessions.length, urgency: treeUrgency(tree, sessions) };
    })
    .filter(({ sessions, tree }) => sessions.length > 0 || tree.needsCleanup || tree.contested)
    .sort((a, b) => a.urgency - b.urgency || compare(treeName(a.tree), treeName(b.tree)));
}

function treeUrgency(tree: Tree, sessions: readonly Session[]): number {
  if (sessions.some(({ claims }) => claims.some(({ health }) => health === 'orphaned'))) return 0;
  if (tree.contested) return 1;
  if (sessions.some(needsAttention)) return 2;
  if (sessions.some(({ state }) => state === 'running')) return 3;
  return tree.needsCleanup ? 5 : 4;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** `acme/shop`, and for a linked worktree the name of its folder too. */
export function treeName({ repository, root, worktree }: Tree): string {
  const folder = root.split('/').pop() ?? root;
  const name = repository ?? folder;
  return worktree ? `${name}, worktree ${folder}` : name;
}

/** The number of hosts on the board; a single host is not named. */
export const hostCount = ({ sessions, trees }: Board): number =>
  new Set([...sessions, ...trees].map(({ host }) => host)).size;

/** The agent label of each session that holds a claim. */
export function agentBySession(board: Board): ReadonlyMap<string, string> {
  const agents = new Map<string, string>();
  for (const { owners } of board.trees) for (const { sessionId, agent } of owners) agents.set(sessionId, agent);
  return agents;
}

/** The command that removes a tree; a person runs it, the page never does. */
export function cleanupCommand({ root, mainRoot }: Tree): string {
  const quote = (path: string) => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
  return mainRoot ? `git -C ${quote(mainRoot)} worktree remove ${quote(root)}` : `rm -r ${quote(root)}`;
}

/** Claims by plan, with the session that holds each. */
export function claimsByPlan(board: Board): [string, { node: string; session: Session; index: number }[]][] {
  const byPlan = new Map<string, { node: string; session: Session; index: number }[]>();
  for (const session of board.sessions)
    session.claims.forEach(({ plan, node }, index) => {
      byPlan.set(plan, [...(byPlan.get(plan) ?? []), { node, session, index }]);
    });
  return [...byPlan].sort(([a], [b]) => compare(a, b));
}

/** The last two folders of a path. */
export const shortPath = (path: string | null): string => {
  const parts = (path ?? '').split('/').filter(Boolean);
  return parts.length > 2 ? `…/${parts.slice(-2).join('/')}` : (path ?? '');
};
