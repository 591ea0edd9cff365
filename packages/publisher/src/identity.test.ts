import { expect, test } from 'vitest';
import { Identities } from './identity.ts';

test('two tests of one name have two ids, and each project has its own', () => {
  const names = new Identities();
  const make = (project: string | null = null) =>
    names.make({ file: 'tests/cart.test.ts', titles: ['cart', 'adds'], project });
  expect(
    [make(), make(), make('light'), make('dark')].map(({ uid, scenario, order }) => [uid, scenario, order]),
  ).toEqual([
    ['tests/cart.test.ts/cart > adds', 'cart > adds', 1],
    ['tests/cart.test.ts/cart > adds #2', 'cart > adds #2', 2],
    ['tests/cart.test.ts/[light] > cart > adds', 'cart > adds', 1],
    ['tests/cart.test.ts/[dark] > cart > adds', 'cart > adds', 1],
  ]);
});
