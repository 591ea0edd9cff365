import type { Lane } from 'signalbox/browser/report';

export type Span = { from: number; to: number };
type Bar = Lane['bars'][number];
/** A lane with its bars in rows, so that no two bars of a row overlap. */
export type StackedLane = { key: string; rows: number; bars: readonly (Bar & { row: number })[]; waits: Lane['waits'] };

const hourMs = 3_600_000;
const mostRows = 5;

/** Begins at the hour of the first claim: a night without work is not drawn. */
export function spanOf(lanes: readonly Lane[], since: string, until: string): Span {
  const starts = lanes.flatMap(({ bars, waits }) => [...bars, ...waits].map(({ from }) => Date.parse(from)));
  const first = starts.reduce((a, b) => Math.min(a, b), Date.parse(until) - hourMs);
  const from = Math.max(Date.parse(since), Math.floor(first / hourMs) * hourMs);
  return { from, to: Math.max(Date.parse(until), from + hourMs) };
}

export function stacked({ key, bars, waits }: Lane): StackedLane {
  const ends: string[] = [];
  const placed = bars
    .toSorted((a, b) => (a.from < b.from ? -1 : 1))
    .map((bar) => {
      const free = ends.findIndex((end) => end <= bar.from);
      const row = free >= 0 ? free : Math.min(ends.length, mostRows - 1);
      ends[row] = bar.to;
      return { ...bar, row };
    });
  return { key, rows: Math.max(1, ends.length), bars: placed, waits };
}

/** About ten round times; `dayOnly` if they are days. */
export function ticksOf({ from, to }: Span): { at: number; isDay: boolean }[] {
  const hours = (to - from) / hourMs;
  const step = hours <= 12 ? 1 : hours <= 26 ? 2 : hours <= 60 ? 6 : 24 * Math.ceil(hours / 24 / 10);
  const ticks: { at: number; isDay: boolean }[] = [];
  const day = new Date(from);
  day.setHours(0, 0, 0, 0);
  for (let at = day.getTime(); at <= to; at += step * hourMs)
    if (at >= from) ticks.push({ at, isDay: step >= 24 || new Date(at).getHours() === 0 });
  return ticks;
}
