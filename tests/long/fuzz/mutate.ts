import type { Random } from '../../random.ts';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const long = 'x'.repeat(5_000);
/** Values that have broken programs before. */
const nasty: readonly Json[] = [
  null,
  true,
  false,
  0,
  -0,
  -1,
  1e308,
  1e-9,
  2 ** 53,
  0.5,
  Number.MAX_SAFE_INTEGER,
  '',
  ' ',
  '0',
  'null',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '..',
  '../../etc/passwd',
  '%2e%2e%2f',
  'a\u0000b',
  'a\nb',
  '\u202e\u200d\ufeff',
  '\ud800',
  'e\u0301',
  'é',
  '😀',
  ']]>',
  '"><img src=x onerror=alert(1)>',
  '\u001b[31m',
  "' OR 1=1 --",
  '2026-13-45T99:99:99Z',
  '9999999d',
  'P1W',
  long,
  [],
  {},
  [[[[[[]]]]]],
];
const strangeKeys = ['__proto__', 'constructor', 'prototype', 'toString', '', 'by', 'extra', 'a.b[0]', '\u0000'];

const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Changes one place in a value; `others` are values that are valid elsewhere. */
export function mutate(value: Json, random: Random, others: readonly Json[]): Json {
  if (Array.isArray(value) && value.length > 0 && random.chance(0.7)) {
    const at = random.below(value.length);
    if (random.chance(0.1)) return value.toSpliced(at, 1);
    if (random.chance(0.1)) return [...value, ...value];
    return value.with(at, mutate(value[at] ?? null, random, others));
  }
  if (isObject(value) && random.chance(0.85)) return mutateMember(value, random, others);
  if (typeof value === 'string' && value !== '' && random.chance(0.3)) return mutateText(value, random);
  if (random.chance(0.03)) return nested(random.below(80));
  return random.chance(0.4) && others.length > 0 ? random.pick(others) : random.pick(nasty);
}

function mutateMember(value: { [key: string]: Json }, random: Random, others: readonly Json[]): Json {
  const entries = Object.entries(value);
  if (entries.length === 0 || random.chance(0.15)) {
    return Object.fromEntries([...entries, [random.pick(strangeKeys), random.pick(nasty)]]);
  }
  const at = random.below(entries.length);
  const [key, member] = entries[at] as [string, Json];
  if (random.chance(0.15)) return Object.fromEntries(entries.toSpliced(at, 1));
  return Object.fromEntries(entries.with(at, [key, mutate(member, random, others)]));
}

function mutateText(text: string, random: Random): string {
  const at = random.below(text.length);
  const some = random.pick(['\u0000', '/', '.', '%', '\u00e9', '😀', '\ud800', '"', 'A', '-', text]);
  return random.chance(0.5) ? text.slice(0, at) + some + text.slice(at) : text.slice(0, at) + text.slice(at + 1);
}

const nested = (depth: number): Json => {
  let value: Json = 0;
  for (let level = 0; level < depth; level += 1) value = level % 2 ? [value] : { a: value };
  return value;
};

/** Corrupts well-formed bytes. */
export function breakBytes(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1);
  switch (random.below(6)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([random.below(256)]), bytes.subarray(at)]);
    case 2: {
      const copy = Buffer.from(bytes);
      if (copy.length > 0) copy[at % copy.length] = random.below(256);
      return copy;
    }
    case 3:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    case 4:
      return Buffer.concat([bytes, bytes]);
    default:
      return Buffer.concat([bytes, Buffer.from([0xff, 0xc0, 0x80])]);
  }
}
