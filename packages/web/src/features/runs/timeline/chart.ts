import type { RunDetail, ScenarioView } from '../../../live/wire.ts';
import type { Tone } from '../../../ui/appearance.tsx';
import { formatDuration } from '../../../ui/time.tsx';

/** One attempt of a scenario in time. Times are milliseconds since the epoch. */
export type Bar = {
  uid: string;
  attempt: number;
  label: string;
  feature: string;
  from: number;
  to: number;
  outcome: ScenarioView['outcome'];
  /** Still running. */
  open: boolean;
  lane: number | null;
  /** The reported stall: when events stopped, and how long ago that was at the time of the report. */
  stall: { from: number; ms: number } | null;
  /** The end is unknown; `to` is the latest possible end. */
  vague?: boolean;
  /** The index of its tone in `severity`; stored, because every frame needs it for every bar. */
  rank: number;
};

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
  const edges = [Date.parse(run.startedAt ?? '') || Number.NaN, endOf(run, now)].filter(isNear);
  let [start, end] = [Math.min(...edges), Math.max(...edges)];
  for (const { from, to } of bars) {
    if (from < start) start = from;
    if (to > end) end = to;
  }
  const rows = arrangements[by](bars, detail).slice(0, maxRows);
  return { rows, start: Number.isFinite(start) ? start : 0, end: Number.isFinite(end) ? end : 0, bars: bars.length };
}

const endOf = ({ state, finishedAt, lastEventAt }: RunDetail['run'], now: number): number =>
  state === 'running' ? now : Date.parse(finishedAt ?? lastEventAt ?? '') || 0;

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

type Times = { startedAt: string | null; finishedAt: string | null; durationMs: number | null };
type RunFacts = {
  live: boolean;
  /** When it ended; now while it is live. */
  end: number;
  lanes: ReadonlyMap<string, number>;
  faults: readonly Fault[];
};
type Fault = { lane: number | null; at: number };

/** Every attempt that is known to have begun. */
function barsOf(detail: RunDetail, now: number): Bar[] {
  const facts: RunFacts = {
    live: detail.run.state === 'running',
    end: endOf(detail.run, now),
    lanes: new Map(detail.lanes.flatMap(({ lane, uids }) => uids.map((uid) => [uid, lane] as const))),
    faults: detail.workerFaults.map(({ lane, at }) => ({ lane, at: Date.parse(at ?? '') })),
  };
  const bars: Bar[] = [];
  for (const scenario of detail.scenarios) addBars(bars, scenario, facts);
  limitVagueBars(bars);
  for (const { uid, at, inFlightMs } of detail.stalls) markStall(bars, uid, Date.parse(at ?? ''), inFlightMs);
  return bars;
}

function addBars(bars: Bar[], scenario: ScenarioView, facts: RunFacts): void {
  const { uid, feature, scenario: label, attemptsHistory } = scenario;
  const one = { uid, label, feature, stall: null };
  attemptsHistory.forEach((earlier, index) => {
    const next = attemptsHistory[index + 1]?.startedAt ?? scenario.startedAt;
    const span = spanOf(earlier) ?? spanBefore(earlier, next);
    const lane = earlier.lane ?? facts.lanes.get(uid) ?? null;
    if (span)
      bars.push(ranked({ ...one, ...span, attempt: earlier.attempt, outcome: earlier.outcome, open: false, lane }));
  });
  const lane = scenario.lane ?? facts.lanes.get(uid) ?? null;
  const span = spanOf(scenario) ?? openSpan(scenario, lane, facts);
  const open = scenario.outcome === null && facts.live;
  if (span) bars.push(ranked({ ...one, ...span, attempt: scenario.attempt, outcome: scenario.outcome, open, lane }));
}

const ranked = (bar: Omit<Bar, 'rank'>): Bar => ({ ...bar, rank: rankOf(bar) });

function spanOf({ startedAt, finishedAt, durationMs }: Times): { from: number; to: number } | null {
  if (finishedAt === null) return null;
  const to = Date.parse(finishedAt);
  const from = startedAt === null ? to - (durationMs ?? 0) : Date.parse(startedAt);
  return { from: Math.min(from, to), to };
}

/** An attempt without a recorded end took as long as its steps, and ended before the next one began. */
function spanBefore(
  { startedAt, steps }: { startedAt: string | null; steps: readonly { durationMs: number | null }[] },
  next: string | null,
): { from: number; to: number; vague: boolean } | null {
  if (startedAt === null) return null;
  const from = Date.parse(startedAt);
  const took = steps.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
  const limit = next === null ? Number.POSITIVE_INFINITY : Date.parse(next);
  const to = took > 0 ? from + took : limit;
  return { from, to: Number.isFinite(to) ? Math.max(from, Math.min(to, limit)) : from, vague: took === 0 };
}

/** Without a verdict: until now while the run is live, otherwise until its worker died or the run ended. */
function openSpan(
  { startedAt, outcome }: ScenarioView,
  lane: number | null,
  { live, end, faults }: RunFacts,
): { from: number; to: number } | null {
  if (startedAt === null || outcome !== null) return null;
  const from = Date.parse(startedAt);
  if (live) return { from, to: Math.max(from, end) };
  const died = faults.find((fault) => fault.lane === lane && fault.at >= from);
  return { from, to: Math.max(from, died?.at ?? end) };
}

function markStall(bars: readonly Bar[], uid: string, at: number, ms: number): void {
  const from = at - ms;
  const bar = bars.findLast((one) => one.uid === uid && one.from <= at);
  if (bar) bar.stall = { from: Math.max(from, bar.from), ms };
}

/** A worker does one thing at a time, so an attempt without a recorded end ended when the next one in its lane began. */
function limitVagueBars(bars: readonly Bar[]): void {
  const vague = bars.filter((bar) => bar.vague && bar.lane !== null);
  if (vague.length === 0) return;
  const starts = new Map(
    [...Map.groupBy(bars, ({ lane }) => lane)].map(([lane, own]) => [
      lane,
      own.map(({ from }) => from).sort((a, b) => a - b),
    ]),
  );
  for (const bar of vague) {
    const own = starts.get(bar.lane) ?? [];
    const next = own[firstGreater(own, bar.from)];
    if (next !== undefined && next < bar.to) bar.to = next;
  }
}

/** The index of the first number in a sorted list that is greater. */
function firstGreater(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The parts of an attempt that decide its severity. */
type Attempt = { outcome: ScenarioView['outcome']; open: boolean; attempt: number };

/** From the best to the worst: if several share a pixel, the worst is shown. */
export const severity: readonly Tone[] = ['done', 'blocked', 'active', 'indet', 'warn', 'fail'];

export const toneOf = ({ rank }: { rank: number }): Tone => severity[rank] ?? 'indet';

const rankOf = (attempt: Attempt): number => severity.indexOf(stateOf(attempt));

function stateOf({ outcome, open, attempt }: Attempt): Tone {
  if (outcome === null) return open ? 'active' : 'indet';
  if (outcome === 'Failed' || outcome === 'Aborted') return 'fail';
  if (outcome === 'Skipped') return 'blocked';
  return outcome === 'PassOnRetry' || attempt > 1 ? 'warn' : 'done';
}
