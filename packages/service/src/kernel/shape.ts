import { z } from 'zod';
import { nearest } from './nearest.ts';
import type { Fault } from './outcome.ts';

type Path = readonly PropertyKey[];

/** Bounds the cost of answering a large invalid body. */
const maxFaults = 1000;

/** Every fault that a schema finds, with paths as a person writes them and typos answered with the likely word. */
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
  // Another variant of a union may know the very word that this one refuses.
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

/** The member names an object schema knows at a path, through optionals, arrays and unions. */
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

/** Some clients give up on a call after a minute: what waits answers before that. */
export const defaultWaitSeconds = 40;
export const timeoutSeconds = z.number().min(0).max(50).nullish();
