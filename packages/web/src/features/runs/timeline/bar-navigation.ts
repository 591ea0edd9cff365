import { type Bar, type Chart, firstAfter } from './chart.ts';

export type BarPosition = { row: number; index: number };

export function positionOf({ rows }: Chart, uid: string | null, attempt: number | null): BarPosition | null {
  if (uid === null) return null;
  let found: BarPosition | null = null;
  for (const [row, { bars }] of rows.entries()) {
    for (const [index, bar] of bars.entries()) {
      if (bar.uid !== uid) continue;
      if (bar.attempt === attempt) return { row, index };
      // If no attempt is given, the latest one is used.
      if (!found || (barAt(rows, found)?.attempt ?? 0) < bar.attempt) found = { row, index };
    }
  }
  return found;
}

export const barAt = (rows: Chart['rows'], { row, index }: BarPosition): Bar | undefined => rows[row]?.bars[index];

/** Left and right move along a row; up and down move to the bar of the next row at the same time. */
export function nextPosition(chart: Chart, from: BarPosition | null, key: string): BarPosition | null {
  if (!from) return chart.rows.length > 0 ? { row: 0, index: 0 } : null;
  const row = chart.rows[from.row];
  const bar = row?.bars[from.index];
  if (!row || !bar) return null;
  switch (key) {
    case 'ArrowRight':
      return { row: from.row, index: Math.min(row.bars.length - 1, from.index + 1) };
    case 'ArrowLeft':
      return { row: from.row, index: Math.max(0, from.index - 1) };
    case 'Home':
      return { row: from.row, index: 0 };
    case 'End':
      return { row: from.row, index: row.bars.length - 1 };
    case 'ArrowDown':
    case 'ArrowUp': {
      const to = from.row + (key === 'ArrowDown' ? 1 : -1);
      const next = chart.rows[to];
      if (!next || next.bars.length === 0) return from;
      const index = Math.min(next.bars.length - 1, firstAfter(next.bars, (bar.from + bar.to) / 2));
      return { row: to, index };
    }
    default:
      return null;
  }
}

/** The bar at a point, or the nearest one within `reachMs`. */
export function barNear({ rows }: Chart, row: number, time: number, reachMs: number): Bar | undefined {
  const bars = rows[row]?.bars ?? [];
  const next = bars[firstAfter(bars, time - reachMs)];
  return next && next.from <= time + reachMs ? next : undefined;
}
