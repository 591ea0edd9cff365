import { type CardPosition, type Graph, pitch } from './layout.ts';

/** The share of cards that both drawings must have in common; below it the graph is laid out from scratch. */
const minShared = 0.7;

/** Positions for a graph that is similar to the one drawn before; null when it is not similar. */
export function incrementalLayout(
  graph: Graph,
  before: ReadonlyMap<string, CardPosition>,
): Map<string, CardPosition> | null {
  const shared = graph.ids.filter((id) => before.has(id)).length;
  if (shared < graph.ids.length * minShared || shared < before.size * minShared) return null;
  return keepPositions(graph, before);
}

/**
 * Everything stays in place. A new card goes to the free position nearest to its neighbours. A card moves to the right
 * only if something it needs would otherwise not be on its left.
 */
function keepPositions(graph: Graph, before: ReadonlyMap<string, CardPosition>): Map<string, CardPosition> {
  const needs = new Map<string, string[]>(graph.ids.map((id) => [id, []]));
  const users = new Map<string, string[]>(graph.ids.map((id) => [id, []]));
  for (const [from, to] of graph.edges) {
    if (from === to || !needs.has(from) || !needs.has(to)) continue;
    needs.get(to)?.push(from);
    users.get(from)?.push(to);
  }
  const positions = new Map<string, CardPosition>();
  const columns = new Map<number, number[]>();
  const put = (id: string, position: CardPosition) => {
    positions.set(id, position);
    const column = columns.get(position.x);
    if (column) column.push(position.y);
    else columns.set(position.x, [position.y]);
  };
  const moved: { id: string; x: number }[] = [];
  const xs = new Map<string, number>();
  for (const id of topologicalOrder(graph.ids, needs, users)) {
    const old = before.get(id);
    const least = Math.max(
      ...(needs.get(id) ?? []).map((need) => (xs.get(need) ?? 0) + pitch.x),
      Number.NEGATIVE_INFINITY,
    );
    const x = old
      ? Math.max(old.x, least)
      : least > Number.NEGATIVE_INFINITY
        ? least
        : leftOf(users.get(id) ?? [], before);
    xs.set(id, x);
    if (old && old.x === x) put(id, old);
    else moved.push({ id, x });
  }
  for (const { id, x } of moved) {
    const near = [...(needs.get(id) ?? []), ...(users.get(id) ?? [])].flatMap((other) => positions.get(other)?.y ?? []);
    const wanted =
      near.length > 0 ? near.reduce((sum, y) => sum + y, 0) / near.length : (before.get(id)?.y ?? bottomOf(positions));
    put(id, { x, y: nearestFreeY(Math.round(wanted), columns.get(x) ?? []), layer: Math.round(x / pitch.x) });
  }
  return positions;
}

/** A needed node comes before the nodes that need it. */
function topologicalOrder(
  ids: readonly string[],
  needs: ReadonlyMap<string, readonly string[]>,
  users: ReadonlyMap<string, readonly string[]>,
): string[] {
  const open = new Map(ids.map((id) => [id, needs.get(id)?.length ?? 0]));
  const order = ids.filter((id) => open.get(id) === 0);
  for (const id of order)
    for (const user of users.get(id) ?? []) {
      const left = (open.get(user) ?? 0) - 1;
      open.set(user, left);
      if (left === 0) order.push(user);
    }
  return order;
}

/** Just left of the first node that needs it. */
function leftOf(users: readonly string[], before: ReadonlyMap<string, CardPosition>): number {
  const xs = users.flatMap((id) => before.get(id)?.x ?? []);
  return xs.length === 0 ? 0 : Math.min(...xs) - pitch.x;
}

const bottomOf = (positions: ReadonlyMap<string, CardPosition>): number =>
  [...positions.values()].reduce((most, { y }) => Math.max(most, y + pitch.y), 0);

/** The height nearest to the wanted one at which a card does not overlap another card of this column. */
function nearestFreeY(wanted: number, usedYs: readonly number[]): number {
  const isFree = (y: number) => usedYs.every((other) => Math.abs(other - y) >= pitch.y);
  if (isFree(wanted)) return wanted;
  const candidates = usedYs.flatMap((y) => [y - pitch.y, y + pitch.y]).filter(isFree);
  return candidates.reduce((best, y) => (Math.abs(y - wanted) < Math.abs(best - wanted) ? y : best));
}
