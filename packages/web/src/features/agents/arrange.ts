import type { Board, Session, Tree } from '../../live/wire.ts';

export const isLive = ({ state, pid }: Session): boolean =>
  state === 'running' || state === 'idle' || (state === 'unknown' && pid !== null);

const hurts = (health: string): boolean => health === 'stalled' || health === 'orphaned' || health === 'unknown';

export const needsAttention = (session: Session): boolean => session.claims.some(({ health }) => hurts(health));

export type TreeView = { tree: Tree; sessions: readonly Session[]; gone: number; weight: number };

/** Trees with their sessions, trouble first; sessions that are gone and hold nothing are only counted. */
export function treesOf(board: Board): TreeView[] {
  const byId = new Map(board.sessions.map((session) => [session.sessionId, session]));
  return board.trees
    .map((tree): TreeView => {
      const all = tree.sessions.flatMap((id) => byId.get(id) ?? []);
      const sessions = all.filter((session) => session.state !== 'gone' || session.claims.length > 0);
      return { tree, sessions, gone: all.length - sessions.length, weight: weightOf(tree, sessions) };
    })
    .filter(({ sessions, tree }) => sessions.length > 0 || tree.needsCleanup || tree.contested)
    .sort((a, b) => a.weight - b.weight || compare(nameOf(a.tree), nameOf(b.tree)));
}

function weightOf(tree: Tree, sessions: readonly Session[]): number {
  if (sessions.some(({ claims }) => claims.some(({ health }) => health === 'orphaned'))) return 0;
  if (tree.contested) return 1;
  if (sessions.some(needsAttention)) return 2;
  if (sessions.some(({ state }) => state === 'running')) return 3;
  return tree.needsCleanup ? 5 : 4;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** `acme/shop`, and for a linked worktree the name of its folder too. */
export function nameOf({ repository, root, worktree }: Tree): string {
  const folder = root.split('/').pop() ?? root;
  const name = repository ?? folder;
  return worktree ? `${name}, worktree ${folder}` : name;
}

/** How many hosts the board tells of; where it is one, naming it says nothing. */
export const hostsOf = ({ sessions, trees }: Board): number =>
  new Set([...sessions, ...trees].map(({ host }) => host)).size;

/** Who claimed under this session, as labels. */
export function agentsOf(board: Board): ReadonlyMap<string, string> {
  const agents = new Map<string, string>();
  for (const { owners } of board.trees) for (const { sessionId, agent } of owners) agents.set(sessionId, agent);
  return agents;
}

/** What a person may type to take a tree away; nothing here does it for them. */
export function cleanupOf({ root, mainRoot }: Tree): string {
  const quote = (path: string) => (/^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);
  return mainRoot ? `git -C ${quote(mainRoot)} worktree remove ${quote(root)}` : `rm -r ${quote(root)}`;
}

/** Claims by plan, with the session that holds each. */
export function plansOf(board: Board): [string, { node: string; session: Session; index: number }[]][] {
  const byPlan = new Map<string, { node: string; session: Session; index: number }[]>();
  for (const session of board.sessions)
    session.claims.forEach(({ plan, node }, index) => {
      byPlan.set(plan, [...(byPlan.get(plan) ?? []), { node, session, index }]);
    });
  return [...byPlan].sort(([a], [b]) => compare(a, b));
}

/** The last two folders of a path, which tell most. */
export const endOf = (path: string | null): string => {
  const parts = (path ?? '').split('/').filter(Boolean);
  return parts.length > 2 ? `…/${parts.slice(-2).join('/')}` : (path ?? '');
};
