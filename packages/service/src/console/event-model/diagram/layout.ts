import { atOnce, eachOf, type Steps } from '../../../kernel/in-turns.ts';
import type { EventModelView, SliceView } from '../contract.ts';
import type { DiagramLane, ElementKind } from '../vocabulary.ts';
import { type Band, bandsOf, columnSteps } from './columns.ts';
import { card, chapterHeight, gap, headerHeight, padding, track, wrap } from './measure.ts';
import { type Routes, routeSteps } from './routes.ts';
import { type Row, rowsOf } from './rows.ts';

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

/** A drawing in coordinates: the same model gives the same ones, on a page and in a file. */
export type Layout = {
  width: number;
  height: number;
  bands: readonly (Band & { y: number; height: number })[];
  headers: readonly Header[];
  rows: readonly LaneRow[];
  cards: readonly Card[];
  lines: readonly Line[];
};

export const layOut = (model: EventModelView): Layout => atOnce(layOutSteps(model));

export function* layOutSteps(model: EventModelView): Steps<Layout> {
  const rows = rowsOf(model);
  const columns = yield* columnSteps(model, rows);
  const routes = yield* routeSteps(model, columns);
  const bands = bandsOf(columns.columns);
  const headerY = padding + (bands.length > 0 ? chapterHeight : 0);
  const { tops, gapTop, gapHeight, bottom } = heights(rows.rows, routes, headerY + headerHeight);
  const top = (row: number) => tops[row] ?? 0;
  const cards = yield* eachOf([...columns.places.values()], ({ element, row, x, width }) => ({
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

/** Rows from top to bottom with a gap above each and one below the last, each as high as its tracks need. */
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
