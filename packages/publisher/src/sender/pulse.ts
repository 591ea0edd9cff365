import type { MonitorEvent, RunProgress, TestStalled } from '../events.ts';

type Open = { name: string; since: number; lane: number | null; stalled: boolean };
type Beat = { runId: string; stallMs: number; startedAt: number; processId: number };

export type Pulse = {
  /** Looks at an event on its way out. */
  see(event: MonitorEvent, now: number): void;
  /** Tests that have been under way for too long, each attempt named once. */
  stalls(now: number): TestStalled[];
  progress(now: number): RunProgress;
};

/**
 * What is under way, seen from the thread that a blocked test cannot block: only from here can it be said that a run
 * is alive and does not move.
 */
export function createPulse({ runId, stallMs, startedAt, processId }: Beat): Pulse {
  const open = new Map<string, Open>();
  const lanes = new Map<string, number>();
  let completed = 0;
  let total = 0;

  const see: Pulse['see'] = (event, now) => {
    if (event.type === 'scenario_started' || event.type === 'test_started') {
      const name = event.type === 'scenario_started' ? event.scenario : event.displayName;
      open.set(event.uid, { name, since: now, lane: lanes.get(event.uid) ?? null, stalled: false });
    } else if (event.type === 'scenario_finished' || event.type === 'test_finished') {
      if (open.delete(event.uid)) completed++;
    } else if (event.type === 'retry_scheduled') completed--;
    else if (event.type === 'lane_started') for (const uid of event.uids) lanes.set(uid, event.lane);
    else if (event.type === 'run_started') total = event.totalScenarios ?? total;
  };

  return {
    see,
    stalls(now) {
      const late = [...open].filter(([, test]) => !test.stalled && now - test.since >= stallMs);
      return late.map(([uid, test]) => {
        test.stalled = true;
        const { name: displayName, lane, since } = test;
        const at = new Date(now).toISOString();
        return { type: 'test_stalled', runId, uid, displayName, inFlightMs: now - since, lane, processId, at };
      });
    },
    progress(now) {
      const [longest] = [...open].sort(([, a], [, b]) => a.since - b.since);
      return {
        type: 'run_progress',
        runId,
        elapsedMs: now - startedAt,
        completed,
        total: Math.max(total, completed + open.size),
        inFlight: open.size,
        longestRunningUid: longest?.[0] ?? null,
        longestRunningDisplayName: longest?.[1].name ?? null,
        longestRunningMs: longest ? now - longest[1].since : null,
        peakWorkerRssBytes: null,
        at: new Date(now).toISOString(),
      };
    },
  };
}
