import { expect, test } from 'vitest';
import type { RunDetail } from '../../../live/wire.ts';
import { barNear, nextPosition, positionOf } from './bar-navigation.ts';
import { type Bar, chartOf, firstAfter, packed } from './chart.ts';

const bar = (from: number, to: number): Bar => ({
  uid: `${from}-${to}`,
  attempt: 1,
  label: '',
  feature: '',
  from,
  to,
  outcome: 'CleanPass',
  open: false,
  lane: null,
  stall: null,
  rank: 0,
});
const at = (second: number) => new Date(second * 1000).toISOString();

const scenario = (uid: string, lane: number | null, from: number, to: number | null, more = {}) => ({
  uid,
  feature: 'F',
  scenario: uid,
  outcome: to === null ? null : 'CleanPass',
  attempt: 1,
  startedAt: at(from),
  finishedAt: to === null ? null : at(to),
  durationMs: to === null ? null : (to - from) * 1000,
  lane,
  attemptsHistory: [],
  steps: [],
  ...more,
});

const detail = (scenarios: object[], more = {}): RunDetail =>
  ({
    run: { state: 'finished', startedAt: at(0), finishedAt: at(60), lastEventAt: at(60) },
    scenarios,
    lanes: [],
    recycles: [],
    workerFaults: [],
    stalls: [],
    ...more,
  }) as unknown as RunDetail;

const shape = (chart: ReturnType<typeof chartOf>) =>
  chart.rows.map(({ label, bars }) => [label, bars.map((one) => `${one.uid}#${one.attempt}`).join(' ')]);

test('what ran one after the other shares a row, what ran at the same time does not', () => {
  const rows = packed([bar(0, 100), bar(50, 120), bar(100, 200), bar(120, 150)]);
  expect(rows.map((row) => row.map(({ uid }) => uid))).toEqual([
    ['0-100', '100-200'],
    ['50-120', '120-150'],
  ]);
});

test('each lane is a row, lanes in their order, and what has no lane stands below', () => {
  const chart = chartOf(detail([scenario('b', 1, 0, 5), scenario('a', 0, 2, 5), scenario('c', null, 0, 9)]), 0);
  expect(shape(chart)).toEqual([
    ['Lane 0', 'a#1'],
    ['Lane 1', 'b#1'],
    ['No lane', 'c#1'],
  ]);
  expect(chart).toMatchObject({ start: 0, end: 60_000, bars: 3 });
});

test('every attempt is a bar of its own, in the lane where it ran', () => {
  const earlier = {
    attempt: 1,
    outcome: 'Failed',
    startedAt: at(0),
    finishedAt: null,
    lane: 0,
    steps: [{ durationMs: 700 }],
  };
  const chart = chartOf(detail([scenario('a', 2, 3, 5, { attempt: 2, attemptsHistory: [earlier] })]), 0);
  expect(shape(chart)).toEqual([
    ['Lane 0', 'a#1'],
    ['Lane 2', 'a#2'],
  ]);
  expect(chart.rows[0]?.bars[0]).toMatchObject({ from: 0, to: 700, outcome: 'Failed' });
});

test('what is under way lasts until now; what lost its worker lasts until that died', () => {
  const open = [scenario('a', 0, 10, null)];
  const live = { run: { state: 'running', startedAt: at(0), finishedAt: null, lastEventAt: at(11) } };
  expect(chartOf(detail(open, live), 30_000).rows[0]?.bars[0]).toMatchObject({ to: 30_000, open: true });
  const workerFaults = [{ lane: 0, at: at(20), fault: 'exit 139' }];
  expect(chartOf(detail(open, { workerFaults }), 0).rows[0]?.bars[0]).toMatchObject({ to: 20_000, open: false });
});

test('an attempt whose end nobody told had ended when the next one began in its lane', () => {
  const earlier = { attempt: 1, outcome: 'Failed', startedAt: at(1), finishedAt: null, lane: 0, steps: [] };
  const all = [scenario('a', 0, 30, 31, { attempt: 2, attemptsHistory: [earlier] }), scenario('b', 0, 4, 9)];
  expect(chartOf(detail(all), 0).rows[0]?.bars.map(({ uid, from, to }) => [uid, from, to])).toEqual([
    ['a', 1_000, 4_000],
    ['b', 4_000, 9_000],
    ['a', 30_000, 31_000],
  ]);
});

test('a stall is marked on the attempt that was under way', () => {
  const stalls = [{ uid: 'a', at: at(40), inFlightMs: 30_000 }];
  const { rows } = chartOf(detail([scenario('a', 0, 5, 50)], { stalls }), 0);
  expect(rows[0]?.bars[0]?.stall).toEqual({ from: 10_000, ms: 30_000 });
});

test('the slowest come first, one a row; features by the time they took', () => {
  const all = [scenario('a', 0, 0, 5), scenario('b', 0, 5, 30), scenario('c', 0, 30, 31, { feature: 'G' })];
  expect(shape(chartOf(detail(all), 0, 'slowest')).map(([label]) => label)).toEqual(['b', 'a', 'c']);
  expect(chartOf(detail(all), 0, 'slowest').rows[0]?.note).toMatch(/^\d.* s$/);
  expect(shape(chartOf(detail(all), 0, 'features'))).toEqual([
    ['F', 'a#1 b#1'],
    ['G', 'c#1'],
  ]);
});

test('keys walk along a row and to whatever ran then in the next one', () => {
  const chart = chartOf(
    detail([scenario('a', 0, 0, 10), scenario('b', 0, 10, 20), scenario('c', 1, 0, 2), scenario('d', 1, 14, 16)]),
    0,
  );
  const b = positionOf(chart, 'b', null);
  expect(b).toEqual({ row: 0, index: 1 });
  expect(nextPosition(chart, b, 'ArrowLeft')).toEqual({ row: 0, index: 0 });
  expect(nextPosition(chart, b, 'ArrowRight')).toEqual(b);
  expect(nextPosition(chart, b, 'ArrowDown')).toEqual({ row: 1, index: 1 });
  expect(nextPosition(chart, null, 'ArrowRight')).toEqual({ row: 0, index: 0 });
  expect(nextPosition(chart, b, 'x')).toBeNull();
  expect(barNear(chart, 1, 15_000, 0)?.uid).toBe('d');
  expect(barNear(chart, 1, 9_000, 0)).toBeUndefined();
  expect(firstAfter(chart.rows[1]?.bars ?? [], 3_000)).toBe(1);
});

test('an instant that nobody set, or that a wrong clock gave, does not squeeze the others together', () => {
  const odd = { startedAt: '0001-01-01T00:00:00.000Z', finishedAt: '9999-12-31T00:00:00.000Z' };
  const claims = { startedAt: null, durationMs: 1e308 };
  const scenarios = [
    scenario('a', 0, 1, 5),
    scenario('b', 0, 6, 9),
    scenario('unset', 1, 0, 1, odd),
    scenario('c', 1, 2, 8),
    scenario('endless', 1, 0, 8, claims),
  ];
  const run = { state: 'finished', startedAt: odd.startedAt, finishedAt: odd.finishedAt, lastEventAt: at(60) };
  const chart = chartOf(detail(scenarios, { run }), 0);
  expect(shape(chart)).toEqual([
    ['Lane 0', 'a#1 b#1'],
    ['Lane 1', 'c#1'],
  ]);
  expect([chart.start, chart.end]).toEqual([1000, 9000]);
});
