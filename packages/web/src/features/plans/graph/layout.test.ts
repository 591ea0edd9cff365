import fc from 'fast-check';
import { expect, test } from 'vitest';
import { overlapping } from '../../../../../../testing/overlapping-cards.ts';
import { card, type Graph, layeredLayout, spread } from './layout.ts';

/** Any acyclic graph: an edge goes from a smaller number to a larger one. */
const graph = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.array(fc.tuple(fc.nat(59), fc.nat(59)), { maxLength: 120 }))
  .map(([count, pairs]): Graph => {
    const ids = Array.from({ length: count }, (_, at) => `n${at}`);
    const edges = pairs
      .map(([a, b]): [number, number] => [Math.min(a, b) % count, Math.max(a, b) % count])
      .filter(([a, b]) => a < b)
      .map(([a, b]): [string, string] => [`n${a}`, `n${b}`]);
    return { ids, edges };
  });

test('no two cards overlap', () => {
  fc.assert(
    fc.property(graph, (drawn) => {
      const positions = [...layeredLayout(drawn).values()];
      expect(positions).toHaveLength(drawn.ids.length);
      expect(overlapping(positions)).toEqual([]);
    }),
  );
});

test('what is needed stands left of what needs it', () => {
  fc.assert(
    fc.property(graph, (drawn) => {
      const positions = layeredLayout(drawn);
      for (const [from, to] of drawn.edges)
        expect((positions.get(from)?.x ?? 0) + card.width).toBeLessThan(positions.get(to)?.x ?? 0);
    }),
  );
});

test('the same graph is drawn the same way', () => {
  fc.assert(
    fc.property(graph, (drawn) => {
      expect([...layeredLayout(drawn)]).toEqual([...layeredLayout(drawn)]);
    }),
  );
});

test('a new node without lines moves nothing', () => {
  fc.assert(
    fc.property(graph, (drawn) => {
      const before = layeredLayout(drawn);
      const after = layeredLayout({ ...drawn, ids: [...drawn.ids, 'new'] });
      const linked = new Set(drawn.edges.flat());
      for (const id of linked) expect(after.get(id)).toEqual(before.get(id));
    }),
  );
});

test('spread keeps the order and the distance, and moves nothing that has room', () => {
  expect(spread([0, 100, 250], 78)).toEqual([0, 100, 250]);
  expect(spread([10, 10, 10], 20)).toEqual([-10, 10, 30]);
});

test('nodes without edges are stacked apart from the rest, so that none looks like the next step of another', () => {
  const positions = layeredLayout({ ids: ['begin', 'first', 'end', 'second', 'third'], edges: [['begin', 'end']] });
  const at = (id: string) => positions.get(id) ?? { x: Number.NaN, y: Number.NaN };
  expect(at('end').x).toBeGreaterThan(at('begin').x);
  for (const id of ['first', 'second', 'third']) expect(at(id).x).toBe(at('begin').x);
  expect(at('first').y).toBeGreaterThan(at('begin').y + card.height * 2);
});
