import { type CardPosition, pitch } from './layout.ts';

/** A drawing with at least this many columns is wrapped, but only if it is thin: otherwise lines would run through cards. */
const wrapFrom = 20;
const thinHeight = 5 * pitch.y;
const wantedRatio = 1.7;
/** Room between two rows, where the lines from one row to the next run. */
const rowGap = 46;

type Positions = ReadonlyMap<string, CardPosition>;

/** Breaks a long chain into rows, as a text breaks into lines; anything else stays as it is. */
export function wrapLongChain(positions: Positions): Positions {
  const all = [...positions.values()];
  const left = Math.min(...all.map(({ x }) => x));
  const top = Math.min(...all.map(({ y }) => y));
  const columns = Math.round((Math.max(...all.map(({ x }) => x)) - left) / pitch.x) + 1;
  const height = Math.max(...all.map(({ y }) => y)) - top + pitch.y;
  if (columns < wrapFrom || height > thinHeight) return positions;
  const rowHeight = height + rowGap;
  const perRow = Math.max(6, Math.round(Math.sqrt((wantedRatio * columns * rowHeight) / pitch.x)));
  const wrapped = ({ x, y, layer }: CardPosition): CardPosition => {
    const column = Math.round((x - left) / pitch.x);
    return { x: (column % perRow) * pitch.x, y: y - top + Math.floor(column / perRow) * rowHeight, layer };
  };
  return new Map([...positions].map(([id, position]) => [id, wrapped(position)]));
}
