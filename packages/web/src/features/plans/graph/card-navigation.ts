import type { Drawing } from './drawing.ts';
import type { CardPosition } from './layout.ts';

export type Direction = 'need' | 'user' | 'up' | 'down';

/** The next card from one: along a line to the left or right, or to the neighbour in its layer. */
export function nextCard(
  from: string,
  direction: Direction,
  { graph: { edges } }: Drawing,
  places: ReadonlyMap<string, CardPosition>,
): string | null {
  const current = places.get(from);
  if (!current) return null;
  const nearest = (ids: readonly string[]) =>
    ids
      .map((id) => ({ id, place: places.get(id) }))
      .flatMap(({ id, place }) =>
        place ? [{ id, far: Math.abs(place.y - current.y) + Math.abs(place.x - current.x) / 4 }] : [],
      )
      .sort((a, b) => a.far - b.far)[0]?.id ?? null;
  if (direction === 'need') return nearest(edges.filter(([, to]) => to === from).map(([id]) => id));
  if (direction === 'user') return nearest(edges.filter(([id]) => id === from).map(([, to]) => to));
  const side = direction === 'up' ? -1 : 1;
  return nearest(
    [...places].filter(([, place]) => place.x === current.x && (place.y - current.y) * side > 0).map(([id]) => id),
  );
}

/** The card at the top left, where a walk begins. */
export function firstCard(places: ReadonlyMap<string, CardPosition>): string | null {
  let best: { id: string; place: CardPosition } | null = null;
  for (const [id, place] of places)
    if (!best || place.x < best.place.x || (place.x === best.place.x && place.y < best.place.y)) best = { id, place };
  return best?.id ?? null;
}
