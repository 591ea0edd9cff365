import type { Task } from '../../../service/src/event-loop/task.ts';
import type { Element, EventModelView, SliceView, TypeRef } from '../contract.ts';
import { distinctTypes, sameType, typeIndex } from '../types.ts';
import { type DiagramLane, diagramLanes } from '../vocabulary.ts';

/** Sizes of a drawing in pixels. */
export const card = { minWidth: 180, maxWidth: 320, height: 72, inset: 10 } as const;
export const gap = { x: 24, y: 48, slice: 56 } as const;
export const gutter = { label: 132, space: 12 } as const;
export const padding = 12;
export const font = { size: 13, line: 1.25, letter: 7.2 } as const;
export const chapterHeight = 28;
export const headerHeight = 52;
export const track = { inset: 10, spacing: 7 } as const;
const maxLines = 3;

/** Wide enough for the longest label over two lines. */
export function cardWidth(labels: readonly string[]): number {
  const longest = Math.max(0, ...labels.map((label) => label.length));
  const wanted = Math.ceil(longest / 2) * font.letter + 2 * card.inset;
  return Math.round(Math.min(card.maxWidth, Math.max(card.minWidth, wanted)));
}

/** Breaks a label at spaces, after separators and before the capitals of a compound name. */
export function wrap(label: string, width: number, lines: number = maxLines): string[] {
  const room = Math.max(4, Math.floor((width - 2 * card.inset) / font.letter));
  const pieces = label.split(/(?<=[\s./_-])|(?<=[a-z0-9])(?=[A-Z])/u).flatMap((piece) => chop(piece, room));
  const wrapped = [''];
  for (const piece of pieces) {
    const last = wrapped[wrapped.length - 1] ?? '';
    if ((last + piece.trimEnd()).length <= room) wrapped[wrapped.length - 1] = last + piece;
    else wrapped.push(piece);
  }
  const shown = wrapped.map((line) => line.trim()).filter((line) => line !== '');
  if (shown.length <= lines) return shown;
  const kept = shown.slice(0, lines);
  return [...kept.slice(0, -1), `${(kept.at(-1) ?? '').slice(0, room - 1)}…`];
}

function chop(piece: string, room: number): string[] {
  const letters = [...piece];
  const parts: string[] = [];
  for (let at = 0; at < letters.length; at += room) parts.push(letters.slice(at, at + room).join(''));
  return parts;
}

export type Row = { lane: DiagramLane; label: string };
export type Rows = { rows: Row[]; rowOf(slice: SliceView, element: Element): number };

const laneLabel: Record<DiagramLane, string> = {
  Wireframe: 'Triggers',
  Command: 'Commands',
  EventStream: 'Events',
  ReadModel: 'Read models',
};

/** One row per lane. With two or more aggregates, events have one row per aggregate and a last one for all others. */
export function rowsOf(model: EventModelView): Rows {
  const streams = streamsOf(model);
  const split = streams.length >= 2;
  const stream = split ? streamIndexOf(model, streams) : () => 0;
  const drawn = model.slices.flatMap((slice) =>
    slice.elements.filter((element) => element.lane === 'EventStream').map((element) => stream(slice, element)),
  );
  const others = split && drawn.includes(streams.length) ? [''] : [];
  const labels = split ? [...streams.map((type) => type.name), ...others] : [laneLabel.EventStream];
  const rows = diagramLanes.flatMap((lane): Row[] =>
    lane === 'EventStream' ? labels.map((label) => ({ lane, label })) : [{ lane, label: laneLabel[lane] }],
  );
  const first = new Map(diagramLanes.map((lane) => [lane, rows.findIndex((row) => row.lane === lane)]));
  return {
    rows,
    rowOf: (slice, element) =>
      (first.get(element.lane) ?? 0) + (element.lane === 'EventStream' ? stream(slice, element) : 0),
  };
}

/** The aggregates that slices name: first those that the model declares, then the others. */
function streamsOf(model: EventModelView): TypeRef[] {
  const drawn = typeIndex<true>();
  for (const type of model.slices.flatMap((slice) => slice.aggregateTypes)) drawn.add(type, true);
  const declared = model.aggregates.map((aggregate) => aggregate.type).filter((type) => drawn.has(type));
  return distinctTypes([...declared, ...model.slices.flatMap((slice) => slice.aggregateTypes)]);
}

/** An event belongs to the row of its slice's aggregate, or of the aggregate that applies it; others to the last row. */
function streamIndexOf(model: EventModelView, streams: readonly TypeRef[]) {
  const streamIndexes = typeIndex<number>();
  for (const [index, type] of streams.entries()) streamIndexes.add(type, index);
  const appliers = typeIndex<number>();
  for (const aggregate of model.aggregates) {
    const [index] = streamIndexes.get(aggregate.type);
    if (index !== undefined) for (const event of aggregate.appliedEvents) appliers.add(event, index);
  }
  return (slice: SliceView, element: Element): number => {
    const type = element.type;
    if (element.kind !== 'Event' || !type) return streams.length;
    const own = slice.aggregateTypes.flatMap((aggregate) => streamIndexes.get(aggregate).slice(0, 1));
    const applying = appliers.get(type);
    const emitted = slice.emittedEvents.some((event) => sameType(event, type));
    if (!emitted) return applying[0] ?? own[0] ?? streams.length;
    return own.find((index) => applying.includes(index)) ?? own[0] ?? applying[0] ?? streams.length;
  };
}

/** The position of an element. Its row is known before the height of that row. */
export type PlacedElement = { element: Element; slice: number; row: number; x: number; width: number };
export type SliceColumn = { slice: SliceView; x: number; width: number };
export type Columns = { columns: SliceColumn[]; places: Map<string, PlacedElement>; width: number };

/** Slices from left to right in the order of the model; elements of one cell side by side. */
export function* columnSteps(model: EventModelView, { rowOf }: Rows): Task<Columns> {
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
    const cards = Math.max(1, ...filled.values());
    const columnWidth = cards * width + (cards - 1) * gap.x;
    columns.push({ slice, x, width: columnWidth });
    x += columnWidth + gap.slice;
    yield;
  }
  return { columns, places, width: Math.max(x - gap.slice, padding + gutter.label + gutter.space) + padding };
}

export type Band = { chapter: string; x: number; width: number };

/** One band for each sequence of neighbouring slices with the same chapter. */
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
