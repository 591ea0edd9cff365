import type { FollowedScenario } from '../../../live/live-run.ts';
import type { RunDetail, ScenarioView } from '../../../live/wire.ts';

export type Bar = {
  uid: string;
  label: string;
  from: number;
  to: number;
  outcome: ScenarioView['outcome'];
  open: boolean;
};
export type Row = { label: string; bars: readonly Bar[] };
export type Chart = { rows: readonly Row[]; start: number; end: number };

/**
 * When each scenario ran and where: in the lane that its publisher names, else in the first row that was free then, so
 * that what ran at the same time stands one above the other. Times are milliseconds since the epoch.
 */
export function chartOf(detail: RunDetail, now: number): Chart {
  const { run } = detail;
  const live = run.state === 'running';
  const lanes = new Map(detail.lanes.flatMap(({ lane, uids }) => uids.map((uid) => [uid, lane] as const)));
  const byLane = new Map<number, Bar[]>(detail.lanes.map(({ lane }) => [lane, []]));
  const free: Bar[] = [];
  for (const scenario of detail.scenarios) {
    const bar = barOf(scenario, live, now);
    if (!bar) continue;
    const lane = lanes.get(scenario.uid);
    const list = lane === undefined ? undefined : byLane.get(lane);
    if (list) list.push(bar);
    else free.push(bar);
  }
  const named = [...byLane]
    .filter(([, bars]) => bars.length > 0)
    .map(([lane, bars]): Row => ({ label: `Lane ${lane}`, bars: bars.sort((a, b) => a.from - b.from) }));
  const rows = [
    ...named,
    ...packed(free).map((bars, index): Row => ({ label: named.length > 0 ? '' : `Row ${index + 1}`, bars })),
  ];
  const all = rows.flatMap(({ bars }) => bars);
  const start = Math.min(Date.parse(run.startedAt ?? '') || Number.POSITIVE_INFINITY, ...spanOf(all, 'from'));
  const end = Math.max(live ? now : Date.parse(run.finishedAt ?? run.lastEventAt ?? '') || 0, ...spanOf(all, 'to'));
  return { rows, start: Number.isFinite(start) ? start : end, end };
}

/** The least and the most, found without spreading a long list into arguments. */
function spanOf(bars: readonly Bar[], side: 'from' | 'to'): [number] | [] {
  if (bars.length === 0) return [];
  return [
    bars.reduce(
      (best, bar) => (side === 'from' ? Math.min(best, bar.from) : Math.max(best, bar.to)),
      bars[0]?.[side] ?? 0,
    ),
  ];
}

function barOf(scenario: ScenarioView, live: boolean, now: number): Bar | null {
  const { uid, outcome, finishedAt, durationMs } = scenario;
  const label = scenario.scenario;
  if (finishedAt !== null) {
    const to = Date.parse(finishedAt);
    return { uid, label, from: to - (durationMs ?? 0), to, outcome, open: false };
  }
  if (outcome !== null || !live) return null;
  const began = (scenario as FollowedScenario).startedAt;
  return began ? { uid, label, from: Date.parse(began), to: now, outcome, open: true } : null;
}

/** More rows than this cannot be read, and looking for a free one would take longer with each. */
const mostRows = 48;

/** Interval partitioning: each bar goes to the first row whose last bar has ended; what finds none is left out. */
export function packed(bars: readonly Bar[]): Bar[][] {
  const rows: { end: number; bars: Bar[] }[] = [];
  for (const bar of bars.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const row = rows.find(({ end }) => end <= bar.from);
    if (row) {
      row.bars.push(bar);
      row.end = bar.to;
    } else if (rows.length < mostRows) rows.push({ end: bar.to, bars: [bar] });
  }
  return rows.map((row) => row.bars);
}
