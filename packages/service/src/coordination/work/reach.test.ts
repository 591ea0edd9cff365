import { expect, test } from 'vitest';
import { Edges } from './edges.ts';
import { Reach } from './reach.ts';

const all = (size: number) => new Uint8Array(size).fill(1);

function countAll(edges: Edges, size: number, sources: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  edges.reserve(size);
  new Reach(edges).count(sources, all(size), (source, count) => counts.set(source, count));
  return counts;
}

test('large reaches are counted as exactly as small ones', () => {
  const size = 5000;
  const edges = new Edges();
  for (let vertex = 0; vertex + 2 < size; vertex += 1) {
    edges.add(vertex, vertex + 1);
    edges.add(vertex, vertex + 2);
  }
  const sources = Array.from({ length: 70 }, (_, index) => index * 50);
  const expected = new Map(sources.map((source) => [source, size - 1 - source]));
  expect(countAll(edges, size, sources)).toEqual(expected);
});

test('a chain of 100,000 nodes fits', () => {
  const size = 100_000;
  const edges = new Edges();
  for (let vertex = 0; vertex + 1 < size; vertex += 1) edges.add(vertex, vertex + 1);
  expect(countAll(edges, size, [0, 1, size - 1])).toEqual(
    new Map([
      [0, size - 1],
      [1, size - 2],
      [size - 1, 0],
    ]),
  );
});

test('a diamond with 2 to the 30 paths counts its nodes, not its paths', () => {
  const edges = new Edges();
  for (let level = 0; level < 30; level += 1) {
    const top = level * 3;
    for (const side of [top + 1, top + 2]) {
      edges.add(top, side);
      edges.add(side, top + 3);
    }
  }
  expect(countAll(edges, 91, [0]).get(0)).toBe(90);
});

test('an edge that was taken away leads nowhere, and its place is used again', () => {
  const edges = new Edges();
  edges.add(0, 1);
  edges.add(0, 2);
  edges.remove(0, 1);
  expect(countAll(edges, 5, [0]).get(0)).toBe(1);
  edges.add(2, 3);
  expect(countAll(edges, 5, [0]).get(0)).toBe(2);
});
