import { expect, test } from 'vitest';
import { z } from 'zod';
import { readList, valuesIn } from './shape.ts';

const item = z.strictObject({
  id: z.string().trim(),
  title: z.string().optional(),
  list: z.array(z.null()).optional(),
});
const document = z.object({ nodes: z.array(item) });
const good = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `n${at}` }));

async function read(nodes: unknown, more: { leastValues?: number } = {}) {
  let turns = 0;
  const shape = { member: 'nodes', item, document, mostItems: 100_000, mostValues: 3_000, ...more };
  const read = await readList(nodes, shape, async () => {
    turns += 1;
  });
  return { ...read, turns };
}

test('a valid long list is read, and other work runs in between', async () => {
  const padded = good(3_000).map(({ id }) => ({ id: ` ${id}` }));
  expect(await read(padded)).toEqual({ items: good(3_000), turns: 2 });
  expect(await read(good(2_999))).toEqual({ items: good(2_999), turns: 1 });
  expect(await read(good(3_000), { leastValues: 30 })).toEqual({ items: good(3_000), turns: 30 });
});

test('faults are reported with their place, and how many later items were not checked', async () => {
  expect(await read([...good(2_000), { id: 'x', titel: 'a' }, ...good(2_000)])).toEqual({
    faults: [
      { path: 'nodes[2000].titel', message: 'unknown member; did you mean title?' },
      { path: 'nodes', message: '1001 more were not checked yet' },
    ],
    turns: 1,
  });
});

test('an invalid list is not checked to its end', async () => {
  const { faults = [], turns } = { faults: undefined, ...(await read(Array.from({ length: 90_000 }, () => ({})))) };
  expect([faults.length, turns]).toEqual([1_002, 0]);
  expect(faults.slice(-2)).toEqual([
    { path: '', message: 'and 2000 more' },
    { path: 'nodes', message: '87000 more were not checked yet' },
  ]);
});

test('an item with too many values is not checked', async () => {
  const faults = [{ path: 'nodes[1]', message: 'has more than 3000 values' }];
  expect(await read([{ id: 'a' }, { id: 'b', list: Array(100_000).fill(null) }])).toEqual({ faults, turns: 0 });
});

test('a list with too many items is not checked', async () => {
  const faults = [{ path: 'nodes', message: 'must be at most 100000' }];
  expect(await read(Array(100_001).fill(0))).toEqual({ faults, turns: 0 });
});

test.each([[undefined], ['text'], [[0, 1]], [good(1_000)]])(
  'what is no long list is left to the schema',
  async (nodes) => {
    expect(await read(nodes)).toEqual({ turns: 0 });
  },
);

test.each([
  [null, 1],
  ['text', 1],
  [[], 1],
  [[1, 2, 3], 4],
  [{ a: { b: [null, {}] } }, 5],
])('%j has %i values', (value, count) => expect(valuesIn(value, 100)).toBe(count));

test('counting stops at the limit', () => {
  expect(valuesIn(Array(1_000).fill(0), 10)).toBe(11);
  expect(valuesIn([[[0, 0, 0], 0], 0], 3)).toBe(4);
});
