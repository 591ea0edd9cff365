import { expect, test } from 'vitest';
import { levelsWithin, steppedArea } from './level-path.ts';

const levels = [
  { at: 0, total: 2, done: 0 },
  { at: 50, total: 4, done: 1 },
  { at: 100, total: 4, done: 4 },
];

test('a range begins with what stood before it', () => {
  expect(levelsWithin(levels, 60, 100)).toEqual([
    { at: 60, total: 4, done: 1 },
    { at: 100, total: 4, done: 4 },
  ]);
  expect(levelsWithin(levels, -10, 50)).toEqual(levels.slice(0, 2));
});

test('a level stays until the next, so that no value is drawn that never was', () => {
  const frame = { from: 0, to: 100, top: 4, width: 100, height: 40 };
  expect(steppedArea(levels, ({ done }) => done, frame)).toBe('M0 40H0V40H50V30H100V0H100V40Z');
});
