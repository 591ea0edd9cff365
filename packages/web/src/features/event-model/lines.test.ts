import { expect, test } from 'vitest';
import { clippedPath, drawnLines, overlaps } from './lines.ts';

test('a line knows the stretch of the drawing that it crosses, however it turns', () => {
  const [line] = drawnLines([
    {
      kind: 'link',
      points: [
        [50, 0],
        [10, 0],
        [10, 20],
        [90, 20],
      ],
    },
  ]);
  expect(line).toMatchObject({ kind: 'link', from: 10, to: 90 });
  expect(line?.arrowHead).toBe('M90 20L84 23.3L84 16.7Z');
});

test('a line without an end is not drawn', () => {
  expect(drawnLines([{ kind: 'edge', points: [[1, 1]] }])).toEqual([]);
});

test('lines that touch the visible range are drawn, lines entirely before or after it are not', () => {
  const visible = { from: 100, to: 200 };
  expect([
    overlaps(0, 99, visible),
    overlaps(0, 100, visible),
    overlaps(150, 160, visible),
    overlaps(201, 300, visible),
  ]).toEqual([false, true, true, false]);
});

test('a line is drawn only as far as it is visible, and again where it comes back', () => {
  const points = [
    [0, 5],
    [1000, 5],
    [1000, 50],
    [0, 50],
  ] as const;
  expect(clippedPath(points, { from: 100, to: 203 })).toBe('M96 5L208 5M208 50L96 50');
  expect(clippedPath(points, { from: 900, to: 1100 })).toBe('M896 5L1000 5L1000 50L896 50');
  expect(clippedPath(points, { from: 2000, to: 3000 })).toBe('');
});
