import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isEqual, shareStatus } from './share-status.ts';

test('equal is what reads equal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      expect(isEqual(a, JSON.parse(JSON.stringify(a)))).toBe(true);
      expect(isEqual(a, b)).toBe(isEqual(b, a));
      if (isEqual(a, b)) expect(b).toEqual(a);
    }),
  );
});

test('a member whose name every object inherits is a difference', () => {
  for (const name of ['valueOf', 'constructor', '__proto__']) {
    const named: unknown = JSON.parse(`{ "${name}": {} }`);
    expect([name, isEqual({}, named), isEqual(named, {})]).toEqual([name, false, false]);
  }
});

test('a node that did not change stays the same object, and the list too when none did', () => {
  const read = (status: string) => ({
    slug: 'p',
    nodes: [
      { id: 'a', status, labels: ['x'] },
      { id: 'b', status: 'done' },
    ],
  });
  const before = read('ready');
  const same = shareStatus(before, read('ready')) as typeof before;
  expect(same.nodes).toBe(before.nodes);
  const after = shareStatus(before, read('claimed')) as typeof before;
  expect(after.nodes[0]).toEqual({ id: 'a', status: 'claimed', labels: ['x'] });
  expect(after.nodes[1]).toBe(before.nodes[1]);
});
