import { expect, test } from 'vitest';
import { findCycle, pathBetween } from './check-references.ts';

const size = 100_000;

test('a chain of 100,000 nodes has no cycle, and closing it shows the whole way round', () => {
  const chain = (close: boolean) => (key: string) => {
    const next = Number(key) + 1;
    return next < size ? [String(next)] : close ? ['0'] : [];
  };
  expect(findCycle(['0'], chain(false))).toBeUndefined();
  const cycle = findCycle(['0'], chain(true));
  expect(cycle).toHaveLength(size + 1);
  expect([cycle?.[0], cycle?.at(-1)]).toEqual(['0', '0']);
});

test('the way between two ends of a chain of 100,000 is found', () => {
  const edges = Array.from({ length: size }, (_, vertex) => (vertex + 1 < size ? [vertex + 1] : []));
  expect(pathBetween(0, size - 1, edges)).toHaveLength(size);
  expect(pathBetween(size - 1, 0, edges)).toBeUndefined();
});

test('only the cycle itself is shown, not the way to it', () => {
  const edges: Record<string, string[]> = { a: ['b'], b: ['c', 'd'], c: [], d: ['e'], e: ['b'] };
  expect(findCycle(['a'], (key) => edges[key] ?? [])).toEqual(['b', 'd', 'e', 'b']);
});
