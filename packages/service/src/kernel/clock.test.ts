import { expect, test } from 'vitest';
import { durationMs } from './clock.ts';

test('a duration is read in its short and in its long form', () => {
  expect(['7d', '36h', '1.5M', 'P7D', 'PT12H', 'P1WT30S'].map(durationMs)).toEqual([
    604_800_000, 129_600_000, 90_000, 604_800_000, 43_200_000, 604_830_000,
  ]);
});

test('months, years and empty forms are not durations', () => {
  expect(['P1M', 'P1Y', 'P', 'PT', '7', 'd', ''].map(durationMs)).toEqual([null, null, null, null, null, null, null]);
});
