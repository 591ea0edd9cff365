import { expect, test } from 'vitest';
import { spanOf, stacked, ticksOf } from './day-lanes.ts';

const at = (time: string): string => `2026-01-05T${time}:00.000Z`;
const bar = (from: string, to: string) =>
  ({ ref: 'p/a', agent: 'ada', end: 'done', from: at(from), to: at(to) }) as const;

test('bars that overlap stand in rows of their own', () => {
  const lane = stacked({
    key: 'ada',
    bars: [bar('11:00', '12:00'), bar('09:00', '10:00'), bar('09:30', '11:30')],
    waits: [],
  });
  expect(lane.rows).toBe(2);
  expect(lane.bars.map(({ from, row }) => [from, row])).toEqual([
    [at('09:00'), 0],
    [at('09:30'), 1],
    [at('11:00'), 0],
  ]);
});

test('the chart begins with the hour of the first claim', () => {
  const lanes = [{ key: 'ada', bars: [bar('09:20', '10:00')], waits: [] }];
  expect(spanOf(lanes, at('00:00'), at('17:00'))).toEqual({
    from: Date.parse(at('09:00')),
    to: Date.parse(at('17:00')),
  });
  expect(spanOf([], at('00:00'), at('17:00')).to).toBe(Date.parse(at('17:00')));
});

test('however long the time, there are few ticks', () => {
  for (const hours of [1, 8, 20, 48, 168, 2_000]) {
    const ticks = ticksOf({ from: 0, to: hours * 3_600_000 });
    expect(ticks.length, `${hours} h`).toBeLessThanOrEqual(15);
    expect(ticks.length, `${hours} h`).toBeGreaterThan(0);
  }
});
