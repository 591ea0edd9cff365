import { expect, test } from 'vitest';
import { faultsOfManyNodes } from './check-nodes.ts';

const good = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `n${at}` }));

async function check(nodes: unknown) {
  let turns = 0;
  const faults = await faultsOfManyNodes({ nodes }, async () => {
    turns += 1;
  });
  return { faults, turns };
}

test('a long list in order has no faults, and others have their turn while it is checked', async () => {
  expect(await check(good(3_000))).toEqual({ faults: [], turns: 2 });
});

test('faults are told where they stand, and what was not checked behind them', async () => {
  const nodes = [...good(2_000), { id: 'x', titel: 'a' }, ...good(2_000)];
  expect(await check(nodes)).toEqual({
    faults: [
      { path: 'nodes[2000].titel', message: 'unknown member; did you mean title?' },
      { path: 'nodes', message: '1001 more were not checked yet' },
    ],
    turns: 1,
  });
});

test('a list of rubbish is not looked through to its end', async () => {
  const { faults, turns } = await check(Array.from({ length: 90_000 }, () => ({})));
  expect([faults.length, turns]).toEqual([1_002, 0]);
  expect(faults.slice(-2)).toEqual([
    { path: '', message: 'and 2000 more' },
    { path: 'nodes', message: '87000 more were not checked yet' },
  ]);
});

test('a node of very many values is not looked at', async () => {
  const faults = [{ path: 'nodes[1]', message: 'has more than 3000 values' }];
  expect(await check([{ id: 'a' }, { id: 'b', dependsOn: Array(100_000).fill(null) }])).toEqual({ faults, turns: 0 });
});

test('more nodes than a plan may have are not looked at', async () => {
  expect(await check(Array(100_001).fill(0))).toEqual({
    faults: [{ path: 'nodes', message: 'must be at most 100000' }],
    turns: 0,
  });
});

test.each([[undefined], ['text'], [[0, 1]]])('%s is left to the schema', async (nodes) => {
  expect(await check(nodes)).toEqual({ faults: [], turns: 0 });
});
