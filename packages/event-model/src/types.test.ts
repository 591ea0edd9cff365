import fc from 'fast-check';
import { expect, test } from 'vitest';
import { typeOf } from '../testing/wallets.ts';
import { distinctTypes, sameType, typeIndex } from './types.ts';

const anyType = fc
  .record({ name: fc.constantFrom('A', 'B'), assemblyName: fc.constantFrom('', 'Shop', 'Bank') })
  .map(({ name, assemblyName }) => typeOf(name, assemblyName));

test('an index finds exactly the types that pairwise comparison finds, in the order added', () => {
  fc.assert(
    fc.property(fc.array(anyType), anyType, (added, asked) => {
      const index = typeIndex<number>();
      for (const [at, type] of added.entries()) index.add(type, at);
      const found = added.flatMap((type, at) => (sameType(type, asked) ? [at] : []));
      expect(index.get(asked)).toEqual(found);
      expect(index.has(asked)).toBe(found.length > 0);
    }),
  );
});

test('distinct types have no duplicates, keep every name, and stay the same when repeated', () => {
  fc.assert(
    fc.property(fc.array(anyType), (types) => {
      const distinct = distinctTypes(types);
      expect(distinctTypes(distinct)).toEqual(distinct);
      expect(distinctTypes([...types, ...types])).toEqual(distinct);
      expect(new Set(distinct.map(({ name }) => name))).toEqual(new Set(types.map(({ name }) => name)));
    }),
  );
});

test('many types with one short name are found without comparing them all', () => {
  const index = typeIndex<number>();
  for (let at = 0; at < 40_000; at += 1) index.add(typeOf('X', `Assembly${at}`), at);
  let found = 0;
  for (let at = 0; at < 40_000; at += 1) found += index.get(typeOf('X', `Assembly${at}`)).length;
  expect(found).toBe(40_000);
});
