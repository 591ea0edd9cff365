import { mapInSteps, runNow, type Task } from '../../../service/src/event-loop/task.ts';
import type { EventModelView, SliceView } from '../contract.ts';
import type { DiagramLane, ElementKind } from '../vocabulary.ts';
import {
  type Band,
  bandsOf,
  type Columns,
  card,
  chapterHeight,
  columnSteps,
  gap,
  headerHeight,
  type PlacedElement,
  padding,
  type Row,
  rowsOf,
  type SliceColumn,
  track,
  wrap,
} from './grid.ts';

export type Card = {
  id: string;
  kind: ElementKind;
  lines: readonly string[];
  label: string;
  observed: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
};
export type LaneRow = { lane: DiagramLane; label: string; y: number; height: number };
export type Header = { slice: SliceView; x: number; y: number; width: number; height: number };
export type Line = { kind: 'edge' | 'link'; points: readonly (readonly [x: number, y: number])[] };

/** The coordinates of a drawing. The page and the exported file use the same ones. */
export type Layout = {
  width: number;
  height: number;
  bands: readonly (Band & { y: number; height: number })[];
  headers: readonly Header[];
  rows: readonly LaneRow[];
  cards: readonly Card[];
  lines: readonly Line[];
};

export const layOut = (model: EventModelView): Layout => runNow(layOutSteps(model));

export function* layOutSteps(model: EventModelView): Task<Layout> {
  const rows = rowsOf(model);
  const columns = yield* columnSteps(model, rows);
  const routes = yield* routeSteps(model, columns);
  const bands = bandsOf(columns.columns);
  const headerY = padding + (bands.length > 0 ? chapterHeight : 0);
  const { tops, gapTop, gapHeight, bottom } = heights(rows.rows, routes, headerY + headerHeight);
  const top = (row: number) => tops[row] ?? 0;
  const cards = yield* mapInSteps([...columns.places.values()], ({ element, row, x, width }) => ({
    id: element.id,
    kind: element.kind,
    lines: wrap(element.label, width),
    label: element.label,
    observed: element.provenance === 'Observed',
    x,
    y: top(row),
    width,
    height: card.height,
  }));
  return {
    width: columns.width,
    height: bottom + padding,
    bands: bands.map((band) => ({ ...band, y: padding, height: chapterHeight })),
    headers: columns.columns.map(({ slice, x, width }) => ({ slice, x, y: headerY, width, height: headerHeight })),
    rows: rows.rows.map((row, index) => ({ ...row, y: top(index), height: card.height })),
    cards,
    lines: routes.routes.map(({ kind, stops }) => ({
      kind,
      points: stops.map((stop) => {
        if ('row' in stop) return [stop.x, top(stop.row) + sideOffset[stop.side]] as const;
        const lane = stop.track === null ? undefined : routes.tracks.get(stop.track);
        const inside = lane === undefined ? (gapHeight[stop.gap] ?? 0) / 2 : track.inset + lane * track.spacing;
        return [stop.x, (gapTop[stop.gap] ?? 0) + inside] as const;
      }),
    })),
  };
}

const sideOffset = { top: 0, middle: card.height / 2, bottom: card.height } as const;

/** Rows from top to bottom, with a gap above each and one below the last. A gap is as high as its tracks need. */
function heights(rows: readonly Row[], { tracksPerGap }: Routes, start: number) {
  const gapHeight = Array.from({ length: rows.length + 1 }, (_, index) => {
    const tracks = tracksPerGap.get(index) ?? 0;
    const needed = tracks === 0 ? 0 : 2 * track.inset + (tracks - 1) * track.spacing;
    const inner = index > 0 && index < rows.length;
    return Math.max(inner ? gap.y : gap.y / 2, needed);
  });
  const tops: number[] = [];
  const gapTop: number[] = [];
  let y = start;
  for (const height of gapHeight) {
    gapTop.push(y);
    y += height;
    if (tops.length < rows.length) {
      tops.push(y);
      y += card.height;
    }
  }
  return { tops, gapTop, gapHeight, bottom: y };
}

/** A point of a line: a side of a card, or a height inside the gap above row `gap`. */
type Stop = { x: number } & (
  | { row: number; side: 'top' | 'middle' | 'bottom' }
  | { gap: number; track: string | null }
);
type Route = { kind: 'edge' | 'link'; stops: Stop[] };
/** The part of a line that follows one track of a gap. */
type Stretch = { gap: number; key: string; from: number; to: number };
type Routes = { routes: Route[]; tracks: Map<string, number>; tracksPerGap: Map<number, number> };

/**
 * Every line of a drawing, as stops without heights: the gaps grow with the lines that run through them. Gap 0 is above
 * the first row. Lines run in gaps and beside columns, so they cross cards only inside one cell.
 */
function* routeSteps(model: EventModelView, { columns, places }: Columns): Task<Routes> {
  const routes: Route[] = [];
  const stretches = new Map<string, Stretch>();
  const stretch = (gap: number, name: string, xs: readonly number[]): string => {
    const key = `${gap} ${name}`;
    const before = stretches.get(key);
    const all = before ? [before.from, before.to, ...xs] : xs;
    stretches.set(key, { gap, key, from: Math.min(...all), to: Math.max(...all) });
    return key;
  };
  for (const { edges } of model.slices) {
    for (const { fromId, toId } of edges) {
      const [from, to] = [places.get(fromId), places.get(toId)];
      if (from && to) routes.push({ kind: 'edge', stops: insideSlice(from, to, columns[from.slice]) });
    }
    yield;
  }
  for (const { fromElementId, toElementId } of model.links) {
    const [from, to] = [places.get(fromElementId), places.get(toElementId)];
    if (from && to) routes.push({ kind: 'link', stops: betweenSlices(from, to, columns[to.slice], stretch) });
    yield;
  }
  return { routes, ...(yield* firstFit([...stretches.values()])) };
}

const centre = ({ x, width }: PlacedElement): number => x + width / 2;

function insideSlice(from: PlacedElement, to: PlacedElement, column: SliceColumn | undefined): Stop[] {
  if (from.row === to.row) return sideways(from, to);
  const down = to.row > from.row;
  // Upward lines are offset from downward ones, so that two lines of one slice do not overlap.
  const [out, into] = down ? [0, 0] : [32, 14];
  const leave: Stop = { x: centre(from) + out, row: from.row, side: down ? 'bottom' : 'top' };
  const arrive: Stop = { x: centre(to) + into, row: to.row, side: down ? 'top' : 'bottom' };
  const near = down ? from.row + 1 : from.row;
  const far = down ? to.row : to.row + 1;
  const at = (x: number, gap: number): Stop => ({ x, gap, track: null });
  if (near === far) return [leave, at(leave.x, near), at(arrive.x, near), arrive];
  const beside = (column?.x ?? 0) - (down ? 10 : 18 + 5 * (from.row % 3));
  return [leave, at(leave.x, near), at(beside, near), at(beside, far), at(arrive.x, far), arrive];
}

function sideways(from: PlacedElement, to: PlacedElement): Stop[] {
  const right = to.x > from.x;
  return [
    { x: right ? from.x + from.width : from.x, row: from.row, side: 'middle' },
    { x: right ? to.x : to.x + to.width, row: to.row, side: 'middle' },
  ];
}

/** Links that leave one element share a stretch, and so do links that enter one element. */
function betweenSlices(
  from: PlacedElement,
  to: PlacedElement,
  column: SliceColumn | undefined,
  stretch: (gap: number, name: string, xs: readonly number[]) => string,
): Stop[] {
  const [out, into] = [centre(from) + 10, centre(to) - 10];
  const near = from.row + 1;
  const far = to.row > from.row ? to.row : to.row + 1;
  const leave: Stop = { x: out, row: from.row, side: 'bottom' };
  const arrive: Stop = { x: into, row: to.row, side: to.row > from.row ? 'top' : 'bottom' };
  if (near === far) {
    const key = stretch(near, from.element.id, [out, into]);
    return [leave, { x: out, gap: near, track: key }, { x: into, gap: near, track: key }, arrive];
  }
  const beside = (column?.x ?? 0) - 38;
  const first = stretch(near, from.element.id, [out, beside]);
  const second = stretch(far, to.element.id, [beside, into]);
  return [
    leave,
    { x: out, gap: near, track: first },
    { x: beside, gap: near, track: first },
    { x: beside, gap: far, track: second },
    { x: into, gap: far, track: second },
    arrive,
  ];
}

/** Gives each stretch, from left to right, the first track of its gap that is free along its whole length. */
function* firstFit(stretches: readonly Stretch[]): Task<Pick<Routes, 'tracks' | 'tracksPerGap'>> {
  const ordered = stretches.map((stretch, index) => ({ ...stretch, index }));
  ordered.sort((a, b) => a.gap - b.gap || a.from - b.from || a.index - b.index);
  const tracks = new Map<string, number>();
  const ends = new Map<number, number[]>();
  for (const { gap, key, from, to } of ordered) {
    const trackEnds = ends.get(gap) ?? [];
    const free = trackEnds.findIndex((end) => end + track.spacing < from);
    const at = free === -1 ? trackEnds.length : free;
    trackEnds[at] = to;
    ends.set(gap, trackEnds);
    tracks.set(key, at);
    yield;
  }
  return { tracks, tracksPerGap: new Map([...ends].map(([gap, trackEnds]) => [gap, trackEnds.length])) };
}
