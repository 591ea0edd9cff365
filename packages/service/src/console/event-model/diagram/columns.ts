import type { Steps } from '../../../kernel/in-turns.ts';
import type { Element, EventModelView, SliceView } from '../contract.ts';
import { cardWidth, gap, gutter, padding } from './measure.ts';
import type { Rows } from './rows.ts';

/** Where an element stands: the row is known before its height is. */
export type PlacedElement = { element: Element; slice: number; row: number; x: number; width: number };
export type SliceColumn = { slice: SliceView; x: number; width: number };
export type Columns = { columns: SliceColumn[]; places: Map<string, PlacedElement>; width: number };

/** Slices from left to right as they are told, never sorted; elements of one cell side by side. */
export function* columnSteps(model: EventModelView, { rowOf }: Rows): Steps<Columns> {
  const columns: SliceColumn[] = [];
  const places = new Map<string, PlacedElement>();
  let x = padding + gutter.label + gutter.space;
  for (const [index, slice] of model.slices.entries()) {
    const width = cardWidth(slice.elements.filter(({ kind }) => kind !== 'Hotspot').map(({ label }) => label));
    const filled = new Map<number, number>();
    for (const element of slice.elements) {
      const row = rowOf(slice, element);
      const before = filled.get(row) ?? 0;
      filled.set(row, before + 1);
      places.set(element.id, { element, slice: index, row, x: x + before * (width + gap.x), width });
    }
    const most = Math.max(1, ...filled.values());
    const whole = most * width + (most - 1) * gap.x;
    columns.push({ slice, x, width: whole });
    x += whole + gap.slice;
    yield;
  }
  return { columns, places, width: Math.max(x - gap.slice, padding + gutter.label + gutter.space) + padding };
}

export type Band = { chapter: string; x: number; width: number };

/** One band for each run of neighbours that share a chapter. */
export function bandsOf(columns: readonly SliceColumn[]): Band[] {
  const bands: Band[] = [];
  let open: Band | null = null;
  for (const { slice, x, width } of columns) {
    if (open && open.chapter === slice.chapter) {
      open.width = x + width - open.x;
    } else {
      open = slice.chapter === null ? null : { chapter: slice.chapter, x, width };
      if (open) bands.push(open);
    }
  }
  return bands;
}
