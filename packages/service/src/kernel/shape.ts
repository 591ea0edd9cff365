import { z } from 'zod';
import type { YieldIfBusy } from '../event-loop/task.ts';
import type { Fault } from './outcome.ts';
import { nearest } from './text.ts';

type Path = readonly PropertyKey[];

/** Limits the cost of answering a large invalid body. */
const maxFaults = 1000;

/** Every fault that a schema finds, with paths as a person writes them, and with the likely name for a typo. */
export function faultsOf(error: Pick<z.core.$ZodError, 'issues'>, schema?: z.core.$ZodType): Fault[] {
  const found = error.issues.flatMap((issue) =>
    (issue.code === 'unrecognized_keys' ? issue.keys : [undefined]).map((key) => [issue, key] as const),
  );
  return boundedFaults(found, ([issue, key]) => faultOf(issue, key, schema));
}

/** The first faults as text, and how many more there are. */
export function boundedFaults<Found>(found: readonly Found[], describe: (one: Found) => Fault): Fault[] {
  const faults = found.slice(0, maxFaults).map(describe);
  const more = found.length - faults.length;
  return more === 0 ? faults : [...faults, { path: '', message: `and ${more} more` }];
}

function faultOf(issue: z.core.$ZodIssue, key: string | undefined, schema?: z.core.$ZodType): Fault {
  if (key === undefined) return { path: pathText(issue.path), message: plain(issue) };
  return { path: pathText([...issue.path, key]), message: unknownMember(key, issue, schema) };
}

function unknownMember(key: string, issue: z.core.$ZodIssue, schema?: z.core.$ZodType): string {
  // Another variant of the union may accept the member that this one refuses.
  const others = (schema ? membersAt(schema, issue.path) : []).filter((member) => member !== key);
  const likely = nearest(key, others);
  return likely ? `unknown member; did you mean ${likely}?` : 'unknown member';
}

function plain(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined && issue.message.includes('received undefined')) {
    return 'is required';
  }
  return issue.message.replace(/^Invalid (input|string|option): /, '');
}

/** The member names that an object schema has at a path, through optionals, arrays and unions. */
function membersAt(schema: z.core.$ZodType, path: Path): string[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodUnion) return inner.options.flatMap((option) => membersAt(option, path));
  const [step, ...rest] = path;
  if (step === undefined) return inner instanceof z.ZodObject ? Object.keys(inner.shape) : [];
  if (inner instanceof z.ZodArray) return membersAt(inner.element, rest);
  if (!(inner instanceof z.ZodObject)) return [];
  const next: z.core.$ZodType | undefined = inner.shape[String(step)];
  return next ? membersAt(next, rest) : [];
}

/** The schema inside optional, nullable, default and read-only wrappers. */
export function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  let inner = schema;
  while (
    inner instanceof z.ZodOptional ||
    inner instanceof z.ZodNullable ||
    inner instanceof z.ZodDefault ||
    inner instanceof z.ZodReadonly ||
    inner instanceof z.ZodPrefault
  ) {
    inner = inner.def.innerType;
  }
  return inner;
}

/** A fault of a member, reported on the object that contains it. */
export const inMember =
  (member: string) =>
  ({ path, message }: Fault): Fault => ({ path: path === '' ? member : `${member}.${path}`, message });

export const pathText = (path: Path): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    return text === '' ? String(step) : `${text}.${String(step)}`;
  }, '');

/** Some clients give up on a call after a minute, so a call that waits answers before that. */
export const defaultWaitSeconds = 40;
export const timeoutSeconds = z.number().min(0).max(50).nullish();

/** The number of values, including itself; `most` + 1 if there are more. */
export function valuesIn(value: unknown, most: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) {
    count += valuesIn(inner, most - count);
    if (count > most) return most + 1;
  }
  return count;
}

/** How many values are checked between two turns of the event loop. */
const valuesPerTurn = 3_000;

export type LongList<Item> = {
  /** The member of `document` that holds the list. */
  member: string;
  item: z.ZodType<Item>;
  /** Has the members that a misspelled one may have meant. */
  document: z.ZodType;
  mostItems: number;
  /** The most values of one item. */
  mostValues: number;
  /** The minimum number of values counted for an item, because missing members are checked too. */
  leastValues?: number;
};

/**
 * Reads a long list of a document and yields to other work in between. It reports only the faults of the first items
 * that have any, because finding all could take seconds. Undefined if the value is a short list or not a list; the
 * schema then reads it.
 */
export async function readList<Item>(
  list: unknown,
  shape: LongList<Item>,
  yieldIfBusy: YieldIfBusy,
): Promise<{ items: Item[] } | { faults: Fault[] } | undefined> {
  if (!Array.isArray(list)) return undefined;
  const { member, mostItems, mostValues, leastValues = 1 } = shape;
  if (list.length > mostItems) return { faults: [{ path: member, message: `must be at most ${mostItems}` }] };
  const items: Item[] = [];
  let values = 0;
  for (let at = 0; at < list.length; at += 1) {
    const own = valuesIn(list[at], mostValues);
    if (own > mostValues) {
      return { faults: [{ path: `${member}[${at}]`, message: `has more than ${mostValues} values` }] };
    }
    values += Math.max(own, leastValues);
    if (values < valuesPerTurn) continue;
    const faults = readBetween(list, shape, items, at + 1);
    if (faults.length > 0) return { faults };
    await yieldIfBusy();
    values = 0;
  }
  if (items.length === 0) return undefined;
  const faults = readBetween(list, shape, items, list.length);
  return faults.length > 0 ? { faults } : { items };
}

/** Adds the items up to `to` to those that were read. */
function readBetween<Item>(list: readonly unknown[], shape: LongList<Item>, items: Item[], to: number): Fault[] {
  const { member, item, document } = shape;
  const from = items.length;
  const { data, error } = z.array(item).safeParse(list.slice(from, to), { reportInput: true });
  if (!error) {
    for (const one of data) items.push(one);
    return [];
  }
  const issues = error.issues.map((issue) => {
    const [index, ...rest] = issue.path;
    return { ...issue, path: [member, from + Number(index), ...rest] };
  });
  const unchecked = list.length - to;
  return [
    ...faultsOf({ issues }, document),
    ...(unchecked > 0 ? [{ path: member, message: `${unchecked} more were not checked yet` }] : []),
  ];
}
