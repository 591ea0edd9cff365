import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blocksOf } from './blocks.ts';

/** Nodes that wait only for earlier ones, each in one of a few groups or in none. */
const grouped = fc
  .array(fc.tuple(fc.array(fc.nat(40), { maxLength: 4 }), fc.constantFrom('a', 'b', 'c', null)), {
    minLength: 1,
    maxLength: 40,
  })
  .map((list) => ({
    needs: list.map(([picks], number) =>
      [...new Set(picks.map((pick) => pick % (number + 1)))].filter((n) => n !== number),
    ),
    groups: list.map(([, group]) => group),
  }));

test('folded groups never wait for each other in a circle', () => {
  fc.assert(
    fc.property(grouped, ({ needs, groups }) => {
      const { blockOf } = blocksOf(needs, groups);
      const waits = new Map<number, Set<number>>();
      for (const [to, list] of needs.entries())
        for (const from of list) {
          const [a = 0, b = 0] = [blockOf[to], blockOf[from]];
          if (a !== b) waits.set(a, (waits.get(a) ?? new Set()).add(b));
        }
      const done = new Set<number>();
      const visit = (block: number, way: readonly number[]): void => {
        expect(way).not.toContain(block);
        if (done.has(block)) return;
        for (const next of waits.get(block) ?? []) visit(next, [...way, block]);
        done.add(block);
      };
      for (const block of waits.keys()) visit(block, []);
    }),
  );
});

test('a block holds nodes of one group only, and what has no group stands alone', () => {
  fc.assert(
    fc.property(grouped, ({ needs, groups }) => {
      const { blockOf } = blocksOf(needs, groups);
      for (const [number, block] of blockOf.entries()) {
        expect(groups[block]).toBe(groups[number]);
        if (groups[number] === null) expect(block).toBe(number);
      }
    }),
  );
});

test('a group that nothing else comes between is one block, otherwise it is cut where the way leaves it', () => {
  expect(blocksOf([[], [0], [1]], ['a', 'a', null]).blockOf).toEqual([0, 0, 2]);
  expect(blocksOf([[], [0], [1]], ['a', null, 'a']).blockOf).toEqual([0, 1, 2]);
  expect(blocksOf([[], [], [0], [1]], ['a', 'b', 'b', 'a']).blockOf).not.toEqual([0, 1, 1, 0]);
});
