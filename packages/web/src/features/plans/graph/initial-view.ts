import type { Tone } from '../../../ui/appearance.tsx';
import type { Drawing } from './drawing.ts';
import type { CardPosition } from './layout.ts';
import {
  centredOn,
  clearOfOverview,
  extentOf,
  filledWith,
  fit,
  overview,
  readableZoom,
  type Size,
  type ViewTransform,
} from './view-transform.ts';

type Positions = ReadonlyMap<string, CardPosition>;

/** States of nodes that somebody works on or could work on. */
const frontierTones: ReadonlySet<Tone> = new Set(['ready', 'active', 'warn', 'orphan', 'fail', 'indet', 'handed']);

/** The height of the buttons above the drawing. */
const toolbar = 36;

const inReadingOrder = (a: CardPosition, b: CardPosition): number => a.layer - b.layer || a.y - b.y || a.x - b.x;

/** The initial view: the whole drawing if its titles are readable, otherwise the selected card, otherwise the ready and claimed nodes. */
export function initialView(
  shapes: Drawing['shapes'],
  positions: Positions,
  size: Size,
  selected: string | null,
): ViewTransform {
  const extent = extentOf(positions);
  const filling = (view: ViewTransform) => filledWith(view, extent, size, 28, toolbar);
  const whole = fit(extent, size, 28, toolbar);
  if (whole.k >= readableZoom) {
    const hasMap = size.width >= overview.opensFrom && positions.size >= overview.fewestCards;
    return hasMap ? clearOfOverview(whole, positions, size, toolbar + 12) : whole;
  }
  const chosen = selected === null ? undefined : positions.get(selected);
  if (chosen) return centredOn(chosen, size, 1);
  const frontier = [...positions].filter(([id]) => frontierTones.has(shapes.get(id)?.appearance.tone ?? 'blocked'));
  const box = fit(extentOfCards(frontier), size, 60, toolbar);
  if (frontier.length > 0 && box.k >= readableZoom) return filling(box);
  const cards = (frontier.length > 0 ? frontier : [...positions]).map(([, position]) => position);
  const [first] = cards.sort(inReadingOrder);
  return first ? filling(centredOn(first, size, 0.85)) : whole;
}

const extentOfCards = (cards: readonly [string, CardPosition][]) => {
  const box = extentOf(new Map(cards));
  const left = Math.min(...cards.map(([, { x }]) => x));
  const top = Math.min(...cards.map(([, { y }]) => y));
  return { ...box, left, top };
};
