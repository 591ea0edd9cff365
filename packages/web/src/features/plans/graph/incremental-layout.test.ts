import fc from 'fast-check';
import { expect, test } from 'vitest';
import { overlapping } from '../../../../../../testing/overlapping-cards.ts';
import { incrementalLayout } from './incremental-layout.ts';
import { type CardPosition, card, type Graph, layeredLayout } from './layout.ts';

const nextLayout = (graph: Graph, before: ReadonlyMap<string, CardPosition>) =>
  incrementalLayout(graph, before) ?? layeredLayout(graph);

/** An acyclic graph, and a new node that waits for some of its nodes and that some later nodes wait for. */
const growing = fc
  .record({
    count: fc.integer({ min: 4, max: 50 }),
    pairs: fc.array(fc.tuple(fc.nat(49), fc.nat(49)), { maxLength: 90 }),
    position: fc.nat(49),
    needs: fc.array(fc.nat(49), { maxLength: 3 }),
    users: fc.array(fc.nat(49), { maxLength: 3 }),
  })
  .map(({ count, pairs, position, needs, users }) => {
    const name = (at: number) => `n${at}`;
    const ids = Array.from({ length: count }, (_, at) => name(at));
    const edges = pairs
      .map(([a, b]): [number, number] => [Math.min(a, b) % count, Math.max(a, b) % count])
      .filter(([a, b]) => a < b)
      .map(([a, b]): [string, string] => [name(a), name(b)]);
    const at = position % count;
    const added: [string, string][] = [
      ...needs.map((need): [string, string] => [name(need % (at + 1)), 'new']),
      ...users
        .map((user): [string, string] => ['new', name(at + 1 + (user % count))])
        .filter(([, to]) => ids.includes(to)),
    ];
    const before: Graph = { ids, edges };
    const after: Graph = { ids: [...ids, 'new'], edges: [...edges, ...added] };
    return { before, after };
  });

const downstream = ({ edges }: Graph, start: string): Set<string> => {
  const seen = new Set([start]);
  for (const id of seen) for (const [from, to] of edges) if (from === id) seen.add(to);
  return seen;
};

test('a new node with its lines moves nothing but what must stand further right because of it', () => {
  fc.assert(
    fc.property(growing, ({ before, after }) => {
      const was = layeredLayout(before);
      const is = nextLayout(after, was);
      const behind = downstream(after, 'new');
      for (const [id, position] of was) {
        if (is.get(id)?.x === position.x) expect(is.get(id)).toEqual(position);
        else expect(behind.has(id) && (is.get(id)?.x ?? 0) > position.x).toBe(true);
      }
    }),
  );
});

test('a grown drawing keeps dependencies on the left, and no two cards overlap', () => {
  fc.assert(
    fc.property(growing, ({ before, after }) => {
      const positions = nextLayout(after, layeredLayout(before));
      expect(positions.size).toBe(after.ids.length);
      const at = (id: string) => positions.get(id) as CardPosition;
      expect(after.edges.filter(([from, to]) => at(from).x + card.width >= at(to).x)).toEqual([]);
      expect(overlapping([...positions.values()])).toEqual([]);
    }),
  );
});

test('a drawing that has little in common with the one before is not grown from it', () => {
  const before = layeredLayout({ ids: ['a', 'b'], edges: [['a', 'b']] });
  const graph: Graph = { ids: ['x', 'y', 'z'], edges: [['x', 'y']] };
  expect(incrementalLayout(graph, before)).toBeNull();
});
