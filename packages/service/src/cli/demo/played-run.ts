import { z } from 'zod';

const playedEvent = z.looseObject({ type: z.string() });
type PlayedEvent = z.output<typeof playedEvent>;
export type TimedEvent = { atMs: number; event: PlayedEvent };

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A recorded run as events, each with its time since the start; a line without a time has that of the line before. */
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

const durations = new Set(['durationMs', 'inFlightMs']);

/** The same run, scaled to a number of seconds. */
export function paced(events: readonly TimedEvent[], seconds: number): TimedEvent[] {
  const factor = (seconds * 1_000) / (events.at(-1)?.atMs || 1);
  const scaled = (key: string, value: unknown) =>
    durations.has(key) && typeof value === 'number' ? Math.round(value * factor) : value;
  return events.map(({ atMs, event }) => ({
    atMs: atMs * factor,
    event: {
      ...Object.fromEntries(Object.entries(event).map(([key, value]) => [key, scaled(key, value)])),
      type: event.type,
    },
  }));
}

/** The same run, with times that begin now. */
export const eventNow = (event: PlayedEvent, now: string): PlayedEvent => ({
  ...Object.fromEntries(
    Object.entries(event).map(([key, value]) => [key, typeof value === 'string' && instant.test(value) ? now : value]),
  ),
  type: event.type,
});

const troubles = new Set(['worker_faulted', 'test_stalled', 'retry_scheduled']);
const laneStarts = new Set(['worker_started', 'lane_started']);

/** The run after the fix: every test passes on its first attempt, and no worker restarts. */
export function allPassing(events: readonly TimedEvent[]): TimedEvent[] {
  const lastAttempts = new Map(
    events.flatMap(({ event: { uid, attempt } }) => (typeof attempt === 'number' ? [[uid, attempt] as const] : [])),
  );
  const isLast = ({ uid, attempt }: PlayedEvent) => attempt === undefined || attempt === lastAttempts.get(uid);
  const laneEnds = new Map(events.map(({ event }, at) => [`${event.type} ${event.lane}`, at]));
  const laneBegins = new Map(events.map(({ event }, at) => [`${event.type} ${event.lane}`, at] as const).toReversed());
  const isOfOneWorker = ({ type, lane }: PlayedEvent, at: number) =>
    laneStarts.has(type) ? laneBegins.get(`${type} ${lane}`) === at : laneEnds.get(`${type} ${lane}`) === at;
  let passed = 0;
  return events.flatMap(({ atMs, event }, at) => {
    if (troubles.has(event.type) || !isLast(event)) return [];
    if (event.type === 'lane_finished' || laneStarts.has(event.type))
      return isOfOneWorker(event, at)
        ? [{ atMs, event: 'crashed' in event ? { ...event, crashed: false } : event }]
        : [];
    const once = event.attempt === undefined ? event : { ...event, attempt: 1 };
    if (event.type === 'step_finished') return [{ atMs, event: { ...once, status: 'ok', errorMessage: null } }];
    if (event.type === 'scenario_finished') {
      passed += 1;
      return [{ atMs, event: { ...once, outcome: 'CleanPass', attempts: 1, errorMessage: null } }];
    }
    if (event.type !== 'run_finished') return [{ atMs, event: once }];
    return [{ atMs, event: { ...event, exitCode: 0, passed, failed: 0, passedOnRetry: 0 } }];
  });
}

const spec = 'src/totals.spec.ts';
/** The test that fails first in the recorded run of the SDK. */
export const firstFailure = 'Price parsing/a comma is a decimal sign';

/** The first failure as current publishers send it: the expected value, the location, and a screenshot. */
export function withFailureDetails(
  events: readonly TimedEvent[],
  picture: { data: string; size: number; sha256: string },
): TimedEvent[] {
  let told = false;
  return events.flatMap(({ atMs, event }) => {
    if (told || event.type !== 'scenario_finished' || event.outcome !== 'Failed') return [{ atMs, event }];
    told = true;
    const { runId, uid } = event;
    const name = String(uid).split('/').at(-1) ?? '';
    const rerun = `npx vitest run ${spec} -t "${name}"`;
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
        place: { file: spec, line: 118, column: 7 },
        frame: {
          start: 116,
          lines: [
            `test('${name}', () => {`,
            "  const basket = read('1,96 EUR');",
            `  expect(basket).toEqual({ currency: 'EUR', total: ${expected} });`,
            '});',
          ],
        },
      },
    ];
    return [
      { atMs, event: attachment },
      { atMs, event: { ...event, errors, rerun, file: spec, line: 116 } },
    ];
  });
}
