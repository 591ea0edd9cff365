import { z } from 'zod';

const playedEvent = z.looseObject({ type: z.string() });
type PlayedEvent = z.output<typeof playedEvent>;
export type TimedEvent = { atMs: number; event: PlayedEvent };

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A recorded run as events with the time of each since its start; lines without a time happen with the one before. */
export function timedEvents(lines: string, more: { runId: string; repository: string; tag?: string }): TimedEvent[] {
  let first: number | null = null;
  let atMs = 0;
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const event: PlayedEvent = { ...playedEvent.parse(JSON.parse(line)), runId: more.runId };
      const told = Object.values(event).find((value) => typeof value === 'string' && instant.test(value));
      const at = typeof told === 'string' ? Date.parse(told) : null;
      first ??= at;
      if (at !== null && first !== null) atMs = at - first;
      const start = event.type === 'run_started' ? { repository: more.repository, tag: more.tag ?? event.tag } : {};
      return { atMs, event: { ...event, ...start } };
    });
}

/** The same as it happens now. */
export const eventNow = (event: PlayedEvent, now: string): PlayedEvent => ({
  ...Object.fromEntries(
    Object.entries(event).map(([key, value]) => [key, typeof value === 'string' && instant.test(value) ? now : value]),
  ),
  type: event.type,
});

const troubles = new Set(['worker_faulted', 'test_stalled', 'retry_scheduled']);

/** The run after everything was mended: every test passes at once. */
export function allPassing(events: readonly TimedEvent[]): TimedEvent[] {
  let passed = 0;
  return events.flatMap(({ atMs, event }) => {
    if (troubles.has(event.type) || (typeof event.attempt === 'number' && event.attempt > 1)) return [];
    if (event.type === 'lane_finished') return [{ atMs, event: { ...event, crashed: false } }];
    if (event.type === 'step_finished') return [{ atMs, event: { ...event, status: 'ok', errorMessage: null } }];
    if (event.type === 'scenario_finished') {
      passed += 1;
      return [{ atMs, event: { ...event, outcome: 'CleanPass', attempts: 1, errorMessage: null } }];
    }
    if (event.type !== 'run_finished') return [{ atMs, event }];
    return [{ atMs, event: { ...event, exitCode: 0, passed, failed: 0, passedOnRetry: 0 } }];
  });
}

/** The first failure as a publisher tells it today: what was expected, where, and a picture of the page. */
export function withFailureDetails(
  events: readonly TimedEvent[],
  picture: { data: string; size: number; sha256: string },
): TimedEvent[] {
  let told = false;
  return events.flatMap(({ atMs, event }) => {
    if (told || event.type !== 'scenario_finished' || event.outcome !== 'Failed') return [{ atMs, event }];
    told = true;
    const { runId, uid } = event;
    const [, expected = '196', actual = '197'] = /be (\d+) but was (\d+)/.exec(String(event.errorMessage)) ?? [];
    const attachment = {
      type: 'attachment',
      runId,
      uid,
      attempt: 1,
      name: 'basket.png',
      mediaType: 'image/png',
      ...picture,
    };
    const errors = [
      {
        message: String(event.errorMessage).split('\n')[0],
        name: 'AssertionError',
        expected: `{\n  "currency": "EUR",\n  "total": ${expected}\n}`,
        actual: `{\n  "currency": "EUR",\n  "total": ${actual}\n}`,
        place: { file: 'src/totals.spec.ts', line: 118, column: 7 },
        frame: {
          start: 116,
          lines: [
            "test('totals add up in minor units', () => {",
            '  const basket = read(prices);',
            '  expect(basket.total).toEqual(total);',
            '});',
          ],
        },
      },
    ];
    return [
      { atMs, event: attachment },
      { atMs, event: { ...event, errors, file: 'src/totals.spec.ts', line: 116 } },
    ];
  });
}
