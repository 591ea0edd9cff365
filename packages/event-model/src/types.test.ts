import fc from 'fast-check';
import { expect, test } from 'vitest';
import { typeOf } from '../testing/wallets.ts';
import { distinctTypes, sameType, typeIndex } from './types.ts';

const anyType = fc
  .record({ name: fc.constantFrom('A', 'B'), assemblyName: fc.constantFrom('', 'Shop', 'Bank') })
  .map(({ name, assemblyName }) => typeOf(name, assemblyName));

test('an index finds exactly the same types as comparing each with each, in the order added', () => {
  fc.assert(
    fc.property(fc.array(anyType), anyType, (added, asked) => {
      const index = typeIndex<number>();
      for (const [at, type] of added.entries()) index.add(type, at);
      const found = added.flatMap((type, at) => (sameType(type, asked) ? [at] : []));
      expect(index.of(asked)).toEqual(found);
      expect(index.has(asked)).toBe(found.length > 0);
    }),
  );
});

test('distinct types are distinct, lose no name, and are so once and for all', () => {
  fc.assert(
    fc.property(fc.array(anyType), (types) => {
      const distinct = distinctTypes(types);
      expect(distinctTypes(distinct)).toEqual(distinct);
      expect(distinctTypes([...types, ...types])).toEqual(distinct);
      expect(new Set(distinct.map(({ name }) => name))).toEqual(new Set(types.map(({ name }) => name)));
    }),
  );
});

test('many types of one short name are still found at once', () => {
  const index = typeIndex<number>();
  for (let at = 0; at < 40_000; at += 1) index.add(typeOf('X', `Assembly${at}`), at);
  let found = 0;
  for (let at = 0; at < 40_000; at += 1) found += index.of(typeOf('X', `Assembly${at}`)).length;
  expect(found).toBe(40_000);
}, 10_000);
