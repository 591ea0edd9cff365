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

/** Finds the same types without comparing each with each. */
export function typeIndex<Value>(): TypeIndex<Value> {
  const byName = new Map<string, { type: TypeRef; value: Value }[]>();
  const matches = (type: TypeRef) => byName.get(type.name)?.filter((entry) => sameType(entry.type, type)) ?? [];
  return {
    add(type, value) {
      const entries = byName.get(type.name);
      if (entries) entries.push({ type, value });
      else byName.set(type.name, [{ type, value }]);
    },
    of: (type) => matches(type).map((entry) => entry.value),
    has: (type) => byName.get(type.name)?.some((entry) => sameType(entry.type, type)) ?? false,
  };
}

export const byFullName = (a: TypeRef, b: TypeRef): number => order(a.fullName, b.fullName);

/** Code unit order: the same on every machine. */
export const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
