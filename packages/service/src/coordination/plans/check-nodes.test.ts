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
  expect(await check(good(2_000))).toEqual({ faults: [], turns: 4 });
});

test('faults are told where they stand, and what was not checked behind them', async () => {
  const nodes = [...good(1_200), { id: 'x', titel: 'a' }, ...good(2_000)];
  expect(await check(nodes)).toEqual({
    faults: [
      { path: 'nodes[1200].titel', message: 'unknown member; did you mean title?' },
      { path: 'nodes', message: '1701 more were not checked yet' },
    ],
    turns: 2,
  });
});

test('a list of rubbish is not looked through to its end', async () => {
  const { faults, turns } = await check(Array.from({ length: 90_000 }, () => ({})));
  expect([faults.length, turns]).toEqual([501, 0]);
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
