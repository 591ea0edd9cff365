import { type CardPosition, card } from '../packages/web/src/features/plans/graph/layout.ts';

/** Pairs of cards that touch each other; a drawing has none. */
export const overlapping = (positions: readonly CardPosition[]): [CardPosition, CardPosition][] =>
  positions.flatMap((a, index) =>
    positions
      .slice(index + 1)
      .filter((b) => Math.abs(a.x - b.x) < card.width && Math.abs(a.y - b.y) < card.height)
      .map((b): [CardPosition, CardPosition] => [a, b]),
  );
