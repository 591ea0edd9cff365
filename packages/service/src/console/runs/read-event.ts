import { isObject } from '../../kernel/is-object.ts';
import { isRunId } from '../../run-contract/run-id.ts';
import { type ListOf, type Members, type MonitorEvent, monitorEvents, type ObjectWith, type Plain } from './events.ts';
import { type RunStamp, readStamp, stampType } from './run.ts';

/** An event that was read. `event` is null if it is only archived: its type is unknown here, or the member that names its subject is missing. */
export type ParsedEvent = {
  runId: string;
  raw: Record<string, unknown>;
  event: MonitorEvent | null;
  /** A note that an earlier release wrote into the archive; ingest ignores it. */
  stamp?: RunStamp;
};

const namesScenario = /^(?:scenario|step|test)_|^retry_|^attachment$/;
const namesLane = /^lane_/;
const namesParticipant = /^participant_/;

const depthLimit = 64;
/** Most consecutive events have the same run id, so the last checked id is cached. */
let last: { runId: unknown; lower: string; isLower: boolean } = { runId: Symbol('none yet'), lower: '', isLower: true };

/** Reads one event of a batch leniently. Returns the reason as text when it must be rejected. */
export function readEvent(raw: unknown): ParsedEvent | string {
  if (!isObject(raw)) return 'an event must be an object';
  const { runId, type } = raw;
  if (runId !== last.runId) {
    if (typeof runId !== 'string' || !isRunId(runId)) return badRunIdMessage;
    const lower = runId.toLowerCase();
    last = { runId, lower, isLower: lower === runId };
  }
  if (typeof type !== 'string' || type === '') return 'type must name the kind of event, such as run_started';
  if (type === stampType) return { runId: last.lower, raw, event: null, stamp: readStamp(raw) };
  const known = checks.get(type);
  if (!known) return tooDeep(raw, depthLimit) ? tooDeepMessage : { runId: last.lower, raw, event: null };
  return readKnownType(raw, last.lower, known);
}

const badRunIdMessage =
  'runId must be 1 to 100 letters, digits, dots, hyphens or underscores, starting with a letter or digit, not ending with a dot, and not a name that Windows reserves (nul, con, aux)';
const tooDeepMessage = `an event may nest at most ${depthLimit} levels deep`;

/** A publisher writes the members of a type in one order: `names` is the order seen last, `order` the check of each. */
type EventChecks = {
  members: ReadonlyMap<string, MemberCheck>;
  needs: 'uid' | 'lane' | 'participant' | null;
  names: string[];
  order: MemberCheck[];
};
/** The member that names the subject of an event. */
export const subjectOf = (type: string): EventChecks['needs'] => {
  if (namesScenario.test(type)) return 'uid';
  return namesLane.test(type) ? 'lane' : namesParticipant.test(type) ? 'participant' : null;
};
function readKnownType(raw: Record<string, unknown>, runId: string, known: EventChecks): ParsedEvent | string {
  // Copied only if a member must be normalised.
  let event = raw;
  if (!last.isLower) event = { ...raw, runId };
  let at = -1;
  for (const name in raw) {
    at += 1;
    const value = raw[name];
    if (value === undefined || value === null) continue;
    const check = (known.names[at] === name ? known.order[at] : undefined) ?? checkAt(known, at, name);
    if (fits(check.fits, value)) continue;
    if (!check.isFlat && tooDeep(value, depthLimit - 1)) return tooDeepMessage;
    const normalised = check.read(value);
    if (normalised === undefined) return `${name} must be ${check.kind}`;
    if (normalised === value) continue;
    if (event === raw) event = { ...raw };
    event[name] = normalised;
  }
  return { runId, raw, event: isWholeEvent(event, known.needs) ? event : null };
}

/** The cheap check, which most values pass. */
function fits(check: FastCheck, value: unknown): boolean {
  switch (check) {
    case FastCheck.text:
      return typeof value === 'string' && isShort(value);
    case FastCheck.integer:
      return typeof value === 'number' && Number.isSafeInteger(value);
    case FastCheck.scalar:
      return typeof value !== 'object';
    default:
      return false;
  }
}

/** More members than any of our events has; members beyond this number are looked up each time. */
const membersAtMost = 64;

function checkAt({ members, names, order }: EventChecks, at: number, name: string): MemberCheck {
  const check = members.get(name) ?? anything;
  if (at < membersAtMost) {
    names[at] = name;
    order[at] = check;
  }
  return check;
}

type CheckedEvent = Record<string, unknown> & MonitorEvent;

/** Every member was checked, and the member that names the subject is present, so the event gets its type here. */
function isWholeEvent(event: Record<string, unknown>, needs: EventChecks['needs']): event is CheckedEvent {
  if (needs === null) return true;
  const value = event[needs];
  return value !== undefined && value !== null && value !== '';
}

function tooDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (left === 0) return true;
  return Object.values(value).some((inner) => tooDeep(inner, left - 1));
}

/** Longer texts are shortened for display; the archive keeps them whole. */
export const longestText = 64 * 1024;

const isShort = (text: string): boolean => text.length <= longestText;

/** The beginning of a long text, and how much was left out. A copy, because a slice would keep the whole text in memory. */
function shortened(text: string): string {
  if (isShort(text)) return text;
  const beginning = JSON.parse(JSON.stringify(text.slice(0, longestText)));
  return `${beginning}\n… ${text.length - longestText} more characters are in the export as NDJSON.`;
}

/** Reads one member; undefined if the value is not of the kind that `kind` describes. */
type MemberCheck = {
  name: string;
  read: (value: unknown) => unknown;
  kind: string;
  fits: FastCheck;
  /** Values that pass `read` cannot nest. */
  isFlat: boolean;
};

/** A cheap type check that accepts most values without calling `read`. */
const FastCheck = { none: 0, text: 1, integer: 2, scalar: 3 } as const;
type FastCheck = (typeof FastCheck)[keyof typeof FastCheck];

/** The check of unknown members: only their nesting depth is limited. */
const anything: MemberCheck = {
  name: '',
  read: (value) => value,
  kind: '',
  fits: FastCheck.scalar,
  isFlat: false,
};

function checksFor(members: Members): MemberCheck[] {
  return Object.entries(members).map(([name, kind]) => {
    if (typeof kind !== 'string') return { name, ...nestedCheck(kind), fits: FastCheck.none, isFlat: false };
    return { name, read: readers[kind], kind: kindNames[kind], fits: fastChecks[kind] ?? FastCheck.none, isFlat: true };
  });
}

const nestedCheck = (kind: ListOf | ObjectWith): Pick<MemberCheck, 'read' | 'kind'> =>
  'of' in kind ? { read: listReader(kind), kind: listKindName } : { read: objectReader(kind), kind: objectKindName };

const objectKindName = 'an object with the members of its type';

const listKindName = 'a list of objects with the members of their type';
const fastChecks: { readonly [kind in Plain]?: FastCheck } = {
  text: FastCheck.text,
  name: FastCheck.text,
  integer: FastCheck.integer,
};

const kindNames: Record<Plain, string> = {
  text: 'a string',
  name: `a string of at most ${longestText} characters`,
  content: 'a string',
  displayText: 'a single value',
  integer: 'a number',
  flag: 'true or false',
  time: 'an ISO 8601 time such as 2026-11-15T10:00:00.000Z',
  textList: 'a list of strings',
  integers: 'a list of numbers',
  stringMap: 'an object of strings',
};

/** Undefined means the value is not of this kind. A value that needs no change is returned as it is. */
const readers: Record<Plain, (value: unknown) => unknown> = {
  text: (value) => (typeof value === 'string' ? shortened(value) : undefined),
  name: (value) => (typeof value === 'string' && isShort(value) ? value : undefined),
  content: (value) => (typeof value === 'string' ? value : undefined),
  displayText: (value) => (typeof value === 'object' ? undefined : shortened(String(value))),
  integer: (value) => {
    const number = typeof value === 'string' && numeric.test(value) ? Number(value) : value;
    return typeof number === 'number' && Number.isFinite(number) ? Math.round(number) : undefined;
  },
  flag: (value) => (typeof value === 'boolean' ? value : undefined),
  time: (value) => (typeof value === 'string' ? readTime(value) : undefined),
  textList: (value) => {
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return undefined;
    return value.every(isShort) ? value : value.map(shortened);
  },
  integers: (value) => (Array.isArray(value) && value.every(Number.isFinite) ? value.map(Math.round) : undefined),
  stringMap: (value) => {
    const entries = isObject(value) ? Object.entries(value) : [];
    if (!isObject(value) || !entries.every(isTextEntry)) return undefined;
    if (entries.every(([, text]) => text === null || isShort(text))) return value;
    return Object.fromEntries(entries.map(([name, text]) => [name, text && shortened(text)]));
  },
};

const numeric = /^-?\d{1,20}(\.\d{1,20})?$/;
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/i;

/** The form that most publishers write: UTC, and a day that exists in every month. */
const commonTime =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}(?:\d{0,6})(?:Z|\+00:00)$/;

/** A time without an offset is taken as UTC. */
export function readTime(text: string): string | undefined {
  if (commonTime.test(text)) return text.length === 24 ? text : `${text.slice(0, 23)}Z`;
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
      const normalised = isObject(item) ? readItem(item, inner) : undefined;
      if (normalised === undefined) return undefined;
      same &&= normalised === item;
      items.push(normalised);
    }
    return same ? value : items;
  };
}

function objectReader(kind: ObjectWith): (value: unknown) => unknown {
  const inner = checksFor(kind.with);
  return (value) => (isObject(value) ? readItem(value, inner) : undefined);
}

function readItem(item: Record<string, unknown>, inner: readonly MemberCheck[]): unknown {
  let normalisedItem = item;
  for (const { name, read } of inner) {
    const value = item[name];
    if (value === undefined || value === null) continue;
    const normalised = read(value);
    if (normalised === undefined) return undefined;
    if (normalised !== value) normalisedItem = { ...normalisedItem, [name]: normalised };
  }
  return normalisedItem;
}

/** At the end, because it is built when this file is loaded and needs everything above. */
const checks = new Map<string, EventChecks>();
for (const [type, members] of Object.entries(monitorEvents)) {
  const needs = subjectOf(type);
  const byName = new Map(checksFor(members).map((check) => [check.name, check]));
  checks.set(type, { members: byName, needs, names: [], order: [] });
}
