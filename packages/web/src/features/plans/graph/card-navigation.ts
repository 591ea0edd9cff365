import type { Drawing } from './drawing.ts';
import type { CardPosition } from './layout.ts';

export type Direction = 'need' | 'user' | 'up' | 'down';

/** The next card from one: along a line to the left or right, or to the neighbour in its layer. */
export function nextCard(
  from: string,
  direction: Direction,
  { graph: { edges } }: Drawing,
  positions: ReadonlyMap<string, CardPosition>,
): string | null {
  const current = positions.get(from);
  if (!current) return null;
  const nearest = (ids: readonly string[]) =>
    ids
      .map((id) => ({ id, position: positions.get(id) }))
      .flatMap(({ id, position }) =>
        position ? [{ id, far: Math.abs(position.y - current.y) + Math.abs(position.x - current.x) / 4 }] : [],
      )
      .sort((a, b) => a.far - b.far)[0]?.id ?? null;
  if (direction === 'need') return nearest(edges.filter(([, to]) => to === from).map(([id]) => id));
  if (direction === 'user') return nearest(edges.filter(([id]) => id === from).map(([, to]) => to));
  const side = direction === 'up' ? -1 : 1;
  return nearest(
    [...positions]
      .filter(([, position]) => position.x === current.x && (position.y - current.y) * side > 0)
      .map(([id]) => id),
  );
}

/** The card at the top left, where keyboard navigation begins. */
export function firstCard(positions: ReadonlyMap<string, CardPosition>): string | null {
  let best: { id: string; position: CardPosition } | null = null;
  for (const [id, position] of positions)
    if (!best || position.x < best.position.x || (position.x === best.position.x && position.y < best.position.y))
      best = { id, position };
  return best?.id ?? null;
}
