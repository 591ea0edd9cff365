import { expect, test } from 'vitest';
import { paths } from './paths.ts';

test('names stay one part of the address, whatever is in them', () => {
  expect(paths.plan('a b')).toBe('/plans/a%20b');
  expect(paths.node('checkout-2', 'a&b#c', 'graph')).toBe('/plans/checkout-2?node=a%26b%23c&view=graph');
  expect(paths.run('r1', 'Cart/total 50%')).toBe('/runs/r1?scenario=Cart%2Ftotal%2050%25');
});

test('a reference and a full name lead to both of their parts', () => {
  expect(paths.nodeRef('rel/build.1')).toBe('/plans/rel?node=build.1');
  expect(paths.repositoryNamed('acme/shop')).toBe('/repositories/acme/shop');
});
