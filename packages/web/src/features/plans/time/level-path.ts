import type { BurnUpLevel } from './burn-up-levels.ts';

/** The levels within a range; it starts with the last level before the range. */
export function levelsWithin(levels: readonly BurnUpLevel[], from: number, to: number): BurnUpLevel[] {
  const inside = levels.filter(({ at }) => at > from && at <= to);
  const before = levels.findLast(({ at }) => at <= from);
  return before ? [{ ...before, at: from }, ...inside] : inside;
}

type ChartFrame = { from: number; to: number; top: number; width: number; height: number };

/** A closed path of steps: each level lasts until the next, without interpolation. */
export function steppedArea(
  levels: readonly BurnUpLevel[],
  of: (level: BurnUpLevel) => number,
  frame: ChartFrame,
): string {
  const { from, to, top, width, height } = frame;
  const x = (at: number) => Math.round(((at - from) / Math.max(1, to - from)) * width * 10) / 10;
  const y = (value: number) => Math.round((1 - value / top) * height * 10) / 10;
  const [first] = levels;
  if (!first) return '';
  const steps = levels.map((level) => `H${x(level.at)}V${y(of(level))}`).join('');
  return `M${x(first.at)} ${height}${steps}H${x(to)}V${height}Z`;
}
