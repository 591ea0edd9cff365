import { isObject } from '../../kernel/is-object.ts';
import type { ListOf, Members, ObjectWith, Plain } from './event-members.ts';
import { isShort, longestText, shortened } from './long-text.ts';

/** Reads one member; undefined if it is not of its kind, which `kind` describes. */
export type MemberCheck = {
  name: string;
  read: (value: unknown) => unknown;
  kind: string;
  fits: FastCheck;
  /** What passes `read` cannot nest. */
  isFlat: boolean;
};

/** A cheap type check that accepts most values without calling `read`. */
export const FastCheck = { none: 0, text: 1, whole: 2, single: 3 } as const;
export type FastCheck = (typeof FastCheck)[keyof typeof FastCheck];

/** The check of unknown members: only their nesting depth is limited. */
export const anything: MemberCheck = {
  name: '',
  read: (value) => value,
  kind: '',
  fits: FastCheck.single,
  isFlat: false,
};

export function checksFor(members: Members): MemberCheck[] {
  return Object.entries(members).map(([name, kind]) => {
    if (typeof kind !== 'string') return { name, ...nestedCheck(kind), fits: FastCheck.none, isFlat: false };
    return { name, read: readers[kind], kind: kindNames[kind], fits: fastChecks[kind] ?? FastCheck.none, isFlat: true };
  });
}

const nestedCheck = (kind: ListOf | ObjectWith): Pick<MemberCheck, 'read' | 'kind'> =>
  'of' in kind ? { read: listReader(kind), kind: listKindName } : { read: objectReader(kind), kind: objectKindName };

const objectKindName = 'an object with the members of its kind';

const listKindName = 'a list of objects with the members of their kind';
const fastChecks: { readonly [kind in Plain]?: FastCheck } = {
  text: FastCheck.text,
  name: FastCheck.text,
  whole: FastCheck.whole,
};

const kindNames: Record<Plain, string> = {
  text: 'a text',
  name: `a text of at most ${longestText} characters`,
  content: 'a text',
  shown: 'a single value',
  whole: 'a number',
  flag: 'true or false',
  time: 'an ISO 8601 time such as 2026-11-15T10:00:00.000Z',
  texts: 'a list of texts',
  wholes: 'a list of numbers',
  words: 'an object of texts',
};

/** Undefined means: not of this kind. What is already as it should be comes back as it is. */
const readers: Record<Plain, (value: unknown) => unknown> = {
  text: (value) => (typeof value === 'string' ? shortened(value) : undefined),
  name: (value) => (typeof value === 'string' && isShort(value) ? value : undefined),
  content: (value) => (typeof value === 'string' ? value : undefined),
  shown: (value) => (typeof value === 'object' ? undefined : shortened(String(value))),
  whole: (value) => {
    const number = typeof value === 'string' && numeric.test(value) ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? Math.round(number) : undefined;
  },
  flag: (value) => (typeof value === 'boolean' ? value : undefined),
  time: (value) => (typeof value === 'string' ? readTime(value) : undefined),
  texts: (value) => {
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return undefined;
    return value.every(isShort) ? value : value.map(shortened);
  },
  wholes: (value) => (Array.isArray(value) && value.every(Number.isFinite) ? value.map(Math.round) : undefined),
  words: (value) => {
    const entries = isObject(value) ? Object.entries(value) : [];
    if (!isObject(value) || !entries.every(isTextEntry)) return undefined;
    if (entries.every(([, text]) => text === null || isShort(text))) return value;
    return Object.fromEntries(entries.map(([name, text]) => [name, text && shortened(text)]));
  },
};

const numeric = /^-?\d{1,20}(\.\d{1,20})?$/;
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** What most publishers write: UTC, and a day that every month has. */
const usual =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}(?:\d{0,6})(?:Z|\+00:00)$/;

/** A time without an offset is taken as UTC. */
export function readTime(text: string): string | undefined {
  if (usual.test(text)) return text.length === 24 ? text : `${text.slice(0, 23)}Z`;
  const match = timePattern.exec(text);
  if (!match) return undefined;
  const ms = Date.parse(match[3] === undefined ? `${text}Z` : text);
  if (Number.isNaN(ms)) return undefined;
  return text.length === 24 && text.endsWith('Z') ? text : new Date(ms).toISOString();
}

const isTextEntry = (entry: [string, unknown]): entry is [string, string | null] =>
  typeof entry[1] === 'string' || entry[1] === null;

/** Nested objects are few and small, so they are copied whenever one of their members must be normalised. */
function listReader({ of }: ListOf): (value: unknown) => unknown {
  const inner = checksFor(of);
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    let same = true;
    const items: unknown[] = [];
    for (const item of value) {
      const meant = isObject(item) ? readItem(item, inner) : undefined;
      if (meant === undefined) return undefined;
      same &&= meant === item;
      items.push(meant);
    }
    return same ? value : items;
  };
}

function objectReader(kind: ObjectWith): (value: unknown) => unknown {
  const inner = checksFor(kind.with);
  return (value) => (isObject(value) ? readItem(value, inner) : undefined);
}

function readItem(item: Record<string, unknown>, inner: readonly MemberCheck[]): unknown {
  let meantItem = item;
  for (const { name, read } of inner) {
    const value = item[name];
    if (value === undefined || value === null) continue;
    const meant = read(value);
    if (meant === undefined) return undefined;
    if (meant !== value) meantItem = { ...meantItem, [name]: meant };
  }
  return meantItem;
}
