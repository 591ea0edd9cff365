import type { RunDetail, ScenarioView } from '../../../live/wire.ts';
import { rankOf } from './severity.ts';

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
  /** How severe it is, see `severity`. */
  rank: number;
};

type Times = { startedAt: string | null; finishedAt: string | null; durationMs: number | null };
type RunFacts = {
  live: boolean;
  now: number;
  end: number;
  lanes: ReadonlyMap<string, number>;
  faults: readonly Fault[];
};
type Fault = { lane: number | null; at: number };

/** Every attempt that is known to have begun. */
export function barsOf(detail: RunDetail, now: number): Bar[] {
  const live = detail.run.state === 'running';
  const facts: RunFacts = {
    live,
    now,
    end: live ? now : Date.parse(detail.run.finishedAt ?? detail.run.lastEventAt ?? '') || 0,
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
  { live, now, end, faults }: RunFacts,
): { from: number; to: number } | null {
  if (startedAt === null || outcome !== null) return null;
  const from = Date.parse(startedAt);
  if (live) return { from, to: Math.max(from, now) };
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
