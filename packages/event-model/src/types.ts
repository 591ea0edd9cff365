import type { TypeRef } from './contract.ts';

/** Compares full names if both types are known from code, short names if one of them was only declared. */
export const sameType = (a: TypeRef, b: TypeRef): boolean =>
  a.assemblyName !== '' && b.assemblyName !== '' ? a.fullName === b.fullName : a.name === b.name;

/**
 * One entry per type, in order of first mention. A type known from code replaces its declaration. Types with the same
 * short name are distinguished by their full names, unless one of them was only declared.
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
  /** Every value added with a matching type, in the order added. */
  get(type: TypeRef): Value[];
  has(type: TypeRef): boolean;
};

/** Looks up matching types without comparing every pair, however many share a short name. */
export function typeIndex<Value>(): TypeIndex<Value> {
  type Entry = { position: number; value: Value };
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
  /** A type known from code matches its own full name, or a declaration of its short name. */
  const matching = ({ name, fullName, assemblyName }: TypeRef): (Entry[] | undefined)[] =>
    assemblyName === '' ? [named.get(name)] : [known.get(fullName), declared.get(name)];
  return {
    add(type, value) {
      const entry = { position: count, value };
      count += 1;
      put(named, type.name, entry);
      if (type.assemblyName === '') put(declared, type.name, entry);
      else put(known, type.fullName, entry);
    },
    get(type) {
      const [first = [], second = []] = matching(type);
      const matches = second.length === 0 ? first : [...first, ...second].sort((a, b) => a.position - b.position);
      return matches.map(({ value }) => value);
    },
    has: (type) => matching(type).some((entries) => entries !== undefined),
  };
}

export const byFullName = (a: TypeRef, b: TypeRef): number => order(a.fullName, b.fullName);

/** Compares code units, so the result does not depend on a locale. */
export const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
