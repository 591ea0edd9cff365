import type { MonitorEvent, RunProgress, TestStalled } from '../events.ts';

type Open = { name: string; since: number; dueAt: number; stalled: boolean };
type Beat = { runId: string; stallMs: number; startedAt: number; processId: number; participant?: string };

export type Pulse = {
  /** Observes an outgoing event. */
  see(event: MonitorEvent, now: number): void;
  /** Tests that have been running for longer than usual for any test. */
  late(now: number): string[];
  /** Sets a test's usual duration, before which it is not stalled. */
  allow(uid: string, ms: number): void;
  /** Tests that have been running for too long; each attempt is returned once. */
  stalls(now: number): TestStalled[];
  progress(now: number): RunProgress;
};

/**
 * The running tests, seen from a thread that a blocked test cannot block: only this thread can report that a run is
 * alive but not progressing.
 */
export function createPulse({ runId, stallMs, startedAt, processId, participant }: Beat): Pulse {
  const open = new Map<string, Open>();
  const lanes = new Map<string, number>();
  let completed = 0;
  let total = 0;

  const overdue = (now: number) => [...open].filter(([, test]) => !test.stalled && now >= test.dueAt);

  const see: Pulse['see'] = (event, now) => {
    if (event.type === 'scenario_started' || event.type === 'test_started') {
      const name = event.type === 'scenario_started' ? event.scenario : event.displayName;
      open.set(event.uid, { name, since: now, dueAt: now + stallMs, stalled: false });
    } else if (event.type === 'scenario_finished' || event.type === 'test_finished') {
      if (open.delete(event.uid)) completed++;
    } else if (event.type === 'retry_scheduled') completed--;
    else if (event.type === 'lane_started') for (const uid of event.uids) lanes.set(uid, event.lane);
    else if (event.type === 'run_started') total = event.totalScenarios ?? total;
  };

  return {
    see,
    late: (now) => overdue(now).map(([uid]) => uid),
    allow(uid, ms) {
      const test = open.get(uid);
      if (test) test.dueAt = Math.max(test.dueAt, test.since + ms);
    },
    stalls(now) {
      return overdue(now).map(([uid, test]) => {
        test.stalled = true;
        const { name: displayName, since } = test;
        const lane = lanes.get(uid) ?? null;
        const at = new Date(now).toISOString();
        const stalled = { uid, displayName, inFlightMs: now - since, lane, processId, at };
        return { type: 'test_stalled', runId, ...stalled, ...(participant && { participant }) };
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
