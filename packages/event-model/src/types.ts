import type { TypeRef } from './contract.ts';

/** Equal full names where both are known from code; where one was only declared, equal short names. */
export const sameType = (a: TypeRef, b: TypeRef): boolean =>
  a.assemblyName !== '' && b.assemblyName !== '' ? a.fullName === b.fullName : a.name === b.name;

/**
 * One entry per type, in order of first mention. A type that is known from code takes the place of its declaration.
 * Types of one short name are told apart by their full names, unless one of them was only declared.
 */
export function distinctTypes(types: readonly TypeRef[]): TypeRef[] {
  if (types.length < 2) return [...types];
  const declared = new Set(types.filter((type) => type.assemblyName === '').map((type) => type.name));
  const byKey = new Map<string, TypeRef>();
  for (const type of types) {
    const key = declared.has(type.name) ? type.name : `${type.name} ${type.fullName}`;
    const before = byKey.get(key);
    if (!before || (before.assemblyName === '' && type.assemblyName !== '')) byKey.set(key, type);
  }
  return [...byKey.values()];
}

export type TypeIndex<Value> = {
  add(type: TypeRef, value: Value): void;
  /** Every value whose type is the same as this one, in the order added. */
  of(type: TypeRef): Value[];
  has(type: TypeRef): boolean;
};

/** Finds the same types without comparing each with each, however many share a short name. */
export function typeIndex<Value>(): TypeIndex<Value> {
  type Entry = { at: number; value: Value };
  type Entries = Map<string, Entry[]>;
  const known: Entries = new Map();
  const declared: Entries = new Map();
  const named: Entries = new Map();
  let count = 0;
  const put = (entries: Entries, key: string, entry: Entry) => {
    const before = entries.get(key);
    if (before) before.push(entry);
    else entries.set(key, [entry]);
  };
  /** What is known from code matches by its full name, or a mere declaration of its short one. */
  const listsOf = ({ name, fullName, assemblyName }: TypeRef): (Entry[] | undefined)[] =>
    assemblyName === '' ? [named.get(name)] : [known.get(fullName), declared.get(name)];
  return {
    add(type, value) {
      const entry = { at: count, value };
      count += 1;
      put(named, type.name, entry);
      if (type.assemblyName === '') put(declared, type.name, entry);
      else put(known, type.fullName, entry);
    },
    of(type) {
      const [first = [], second = []] = listsOf(type);
      const matches = second.length === 0 ? first : [...first, ...second].sort((a, b) => a.at - b.at);
      return matches.map(({ value }) => value);
    },
    has: (type) => listsOf(type).some((entries) => entries !== undefined),
  };
}

export const byFullName = (a: TypeRef, b: TypeRef): number => order(a.fullName, b.fullName);

/** Code unit order: the same on every machine. */
export const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
