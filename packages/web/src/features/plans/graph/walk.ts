import type { Place } from './layout.ts';
import type { Drawn } from './model.ts';

export type Step = 'need' | 'user' | 'up' | 'down';

/** The next card from one: along a line to the left or right, or to the neighbour in its layer. */
export function walk(
  from: string,
  step: Step,
  { graph: { edges } }: Drawn,
  places: ReadonlyMap<string, Place>,
): string | null {
  const here = places.get(from);
  if (!here) return null;
  const near = (ids: readonly string[]) =>
    ids
      .map((id) => ({ id, place: places.get(id) }))
      .flatMap(({ id, place }) =>
        place ? [{ id, far: Math.abs(place.y - here.y) + Math.abs(place.x - here.x) / 4 }] : [],
      )
      .sort((a, b) => a.far - b.far)[0]?.id ?? null;
  if (step === 'need') return near(edges.filter(([, to]) => to === from).map(([id]) => id));
  if (step === 'user') return near(edges.filter(([id]) => id === from).map(([, to]) => to));
  const side = step === 'up' ? -1 : 1;
  return near([...places].filter(([, place]) => place.x === here.x && (place.y - here.y) * side > 0).map(([id]) => id));
}

/** The card at the top left, where a walk begins. */
export function first(places: ReadonlyMap<string, Place>): string | null {
  let best: { id: string; place: Place } | null = null;
  for (const [id, place] of places)
    if (!best || place.x < best.place.x || (place.x === best.place.x && place.y < best.place.y)) best = { id, place };
  return best?.id ?? null;
}
