import type { RunDetail } from '../../../live/wire.ts';
import { formatDuration } from '../../../ui/time.tsx';
import { type Bar, barsOf } from './bars.ts';

export type Arrangement = 'lanes' | 'features' | 'slowest';
/** `bars` do not overlap in time; the earliest comes first. */
export type TimelineRow = { label: string; note: string; lane: number | null; bars: readonly Bar[] };
export type Chart = { rows: readonly TimelineRow[]; start: number; end: number; bars: number };

/** More rows could not be read, and finding a free one would take longer with each. */
const maxRows = 48;
/** How many rows are visible without scrolling. */
const slowestShown = 16;
/** The clocks of two events may differ by this much: a shorter overlap does not count. */
const slackMs = 10;

/** The attempts of a run in rows. Times are milliseconds since the epoch. */
export function chartOf(detail: RunDetail, now: number, by: Arrangement = 'lanes'): Chart {
  const all = barsOf(detail, now);
  const isNear = nearnessTo(all);
  const bars = all.filter(({ from, to }) => isNear(from) && isNear(to));
  const { run } = detail;
  const ended = Date.parse(run.finishedAt ?? run.lastEventAt ?? '') || 0;
  const edges = [Date.parse(run.startedAt ?? '') || Number.NaN, run.state === 'running' ? now : ended].filter(isNear);
  let [start, end] = [Math.min(...edges), Math.max(...edges)];
  for (const { from, to } of bars) {
    if (from < start) start = from;
    if (to > end) end = to;
  }
  const rows = arrangements[by](bars, detail).slice(0, maxRows);
  return { rows, start: Number.isFinite(start) ? start : 0, end: Number.isFinite(end) ? end : 0, bars: bars.length };
}

/** No run takes this long: an instant that far from most others was never set, or comes from a wrong clock. */
export const farMs = 30 * 24 * 60 * 60_000;

function nearnessTo(bars: readonly Bar[]): (instant: number) => boolean {
  const starts = bars.map(({ from }) => from).sort((a, b) => a - b);
  const middle = starts[starts.length >> 1];
  return (instant) => !Number.isNaN(instant) && (middle === undefined || Math.abs(instant - middle) <= farMs);
}

const arrangements: Record<Arrangement, (bars: readonly Bar[], detail: RunDetail) => TimelineRow[]> = {
  lanes: byLane,
  features: byFeature,
  slowest: bySlowest,
};

/** The lane that the publisher names; a bar without one goes to the first row that was free then. */
function byLane(bars: readonly Bar[], detail: RunDetail): TimelineRow[] {
  const passes = new Map(detail.lanes.map(({ lane, passes }) => [lane, passes]));
  const lanes = Map.groupBy(bars, ({ lane }) => lane);
  const named = [...lanes.keys()].filter((lane) => lane !== null).sort((a, b) => a - b);
  const rows = named.flatMap((lane) =>
    packed(lanes.get(lane) ?? []).map((one, index): TimelineRow => {
      const many = passes.get(lane);
      const first = index === 0;
      return {
        label: first ? `Lane ${lane}` : '',
        note: first && many ? `pass ${many}` : '',
        lane,
        bars: one,
      };
    }),
  );
  const free = packed(lanes.get(null) ?? []).map((one, index): TimelineRow => {
    const label = named.length > 0 ? (index === 0 ? 'No lane' : '') : `Row ${index + 1}`;
    return { label, note: '', lane: null, bars: one };
  });
  return [...rows, ...free];
}

/** Features by duration, the longest first; concurrent attempts use another row. */
function byFeature(bars: readonly Bar[]): TimelineRow[] {
  const features = [...Map.groupBy(bars, ({ feature }) => feature)].map(([feature, own]) => ({
    feature,
    own,
    ms: own.reduce((sum, { from, to }) => sum + to - from, 0),
  }));
  return features
    .sort((a, b) => b.ms - a.ms)
    .flatMap(({ feature, own }) =>
      packed(own)
        .slice(0, 4)
        .map(
          (one, index): TimelineRow => ({
            label: index === 0 ? feature || 'No feature' : '',
            note: '',
            lane: null,
            bars: one,
          }),
        ),
    );
}

function bySlowest(bars: readonly Bar[]): TimelineRow[] {
  return bars
    .toSorted((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from)
    .slice(0, slowestShown)
    .map(
      (bar): TimelineRow => ({
        label: bar.label,
        note: formatDuration(bar.to - bar.from),
        lane: bar.lane,
        bars: [bar],
      }),
    );
}

/** Interval partitioning: each bar goes to the first row whose last bar has ended; bars without a row are omitted. */
export function packed(bars: readonly Bar[]): Bar[][] {
  const rows: { end: number; bars: Bar[] }[] = [];
  for (const bar of bars.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const row = rows.find(({ end }) => end <= bar.from + slackMs);
    if (row) {
      row.bars.push(bar);
      row.end = Math.max(row.end, bar.to);
    } else if (rows.length < maxRows) rows.push({ end: bar.to, bars: [bar] });
  }
  return rows.map((row) => row.bars);
}

/** The first bar of a row that ends at or after a time. */
export function firstAfter(bars: readonly Bar[], time: number): number {
  let [low, high] = [0, bars.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bars[middle]?.to ?? time) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
