import { isWaiting } from 'signalbox/browser/needs';
import type { Board, Session, Tree } from '../../live/wire.ts';

const isTroubled = (health: string): boolean => health === 'stalled' || health === 'orphaned' || health === 'unknown';

export const needsAttention = (session: Session): boolean =>
  isWaiting(session) || session.claims.some(({ health }) => isTroubled(health));

export type TreeView = { tree: Tree; sessions: readonly Session[]; gone: number; urgency: number };

/** Trees with their sessions, problems first; sessions that are gone and hold nothing are only counted. */
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
  if (sessions.some(isWaiting)) return 0;
  if (sessions.some(({ claims }) => claims.some(({ health }) => health === 'orphaned'))) return 1;
  if (tree.contested) return 2;
  if (sessions.some(needsAttention)) return 3;
  if (sessions.some(({ state }) => state === 'running')) return 4;
  return tree.needsCleanup ? 6 : 5;
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

/** Sessions by plan, each with its claims in that plan alone. */
export function sessionsByPlan(board: Board): [string, Session[]][] {
  const byPlan = new Map<string, Session[]>();
  for (const session of board.sessions)
    for (const [plan, claims] of Map.groupBy(session.claims, (claim) => claim.plan))
      byPlan.set(plan, [...(byPlan.get(plan) ?? []), { ...session, claims }]);
  return [...byPlan].sort(([a], [b]) => compare(a, b));
}

export type SessionFilter = Session['state'] | 'live' | 'waiting';

/** The sessions that a figure of the board counts. */
export const isInFilter = (session: Session, filter: SessionFilter): boolean => {
  if (filter === 'live') return session.live;
  if (filter === 'waiting') return isWaiting(session);
  // A waiting session runs nothing: it is counted once, as waiting.
  return session.state === filter && !isWaiting(session);
};

/** The last two folders of a path. */
export const shortPath = (path: string | null): string => {
  const parts = (path ?? '').split('/').filter(Boolean);
  return parts.length > 2 ? `…/${parts.slice(-2).join('/')}` : (path ?? '');
};
