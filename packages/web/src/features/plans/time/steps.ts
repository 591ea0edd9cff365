import type { Level } from './burn-up.ts';

/** Levels of a range; what stood before it begins it. */
export function within(levels: readonly Level[], from: number, to: number): Level[] {
  const inside = levels.filter(({ at }) => at > from && at <= to);
  const before = levels.findLast(({ at }) => at <= from);
  return before ? [{ ...before, at: from }, ...inside] : inside;
}

type Frame = { from: number; to: number; top: number; width: number; height: number };

/** A closed path under a level that stays until the next: no value is drawn that never was. */
export function stepped(levels: readonly Level[], of: (level: Level) => number, frame: Frame): string {
  const { from, to, top, width, height } = frame;
  const x = (at: number) => Math.round(((at - from) / Math.max(1, to - from)) * width * 10) / 10;
  const y = (value: number) => Math.round((1 - value / top) * height * 10) / 10;
  const [first] = levels;
  if (!first) return '';
  const steps = levels.map((level) => `H${x(level.at)}V${y(of(level))}`).join('');
  return `M${x(first.at)} ${height}${steps}H${x(to)}V${height}Z`;
}
