import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Cell, ErrorDetail, SourceFrame } from './events.ts';
import { plain, shown } from './text.ts';

/** Why a test failed. */
export type Failure = {
  message: string;
  type: string | null;
  stack: string | null;
  frames: readonly string[];
  /** The place where the error was thrown; relative to the repository. */
  file: string | null;
  line: number | null;
  column?: number | null;
  expected?: string | null;
  actual?: string | null;
  cause?: string | null;
  frame?: SourceFrame | null;
  cells: readonly Cell[];
};

/** The common members of the frameworks' errors; anything may be thrown. */
type Thrown = {
  message?: unknown;
  name?: unknown;
  stack?: unknown;
  expected?: unknown;
  actual?: unknown;
  cause?: unknown;
  errors?: unknown;
  /** Stack frames that the framework has read and mapped to the sources. */
  stacks?: unknown;
};
type Place = { file: string; line: number; column: number | null };

const errorsAtMost = 50;
const causesAtMost = 8;
const messageLength = 8_000;
const stackLength = 16_000;

/** Converts a thrown value into a failure; file names are relative to `root`. */
export function failureOf(thrown: unknown, root: string): Failure {
  const error = asThrown(thrown);
  const message = messageOf(error, thrown);
  const stack = typeof error.stack === 'string' ? plain(error.stack, stackLength) : null;
  const own = framesIn(stack).filter((frame) => !isInside(frame));
  const place = mappedPlace(error.stacks, root) ?? placeOf(own, root);
  const { expected, actual } = comparedIn(error);
  return {
    message,
    type: typeof error.name === 'string' ? error.name : null,
    stack: stack && within(root, stack),
    frames: own.map((frame) => within(root, frame)),
    file: place?.file ?? null,
    line: place?.line ?? null,
    column: place?.column ?? null,
    expected,
    actual,
    cause: causesOf(error.cause, root),
    frame: place && frameAt(resolve(root, place.file), place.line),
    cells: expected === null && actual === null ? [] : [comparedCell(expected, actual)],
  };
}

/** A failure and the failures inside it: an aggregate error contains several. */
export function failuresOf(thrown: unknown, root: string): Failure[] {
  const { errors } = asThrown(thrown);
  const inner = Array.isArray(errors) ? errors.slice(0, errorsAtMost) : [];
  return [failureOf(thrown, root), ...inner.map((error) => failureOf(error, root))];
}

/** A failure with only a message. */
export const saidFailure = (message: string): Failure => ({
  message,
  type: null,
  stack: null,
  frames: [],
  file: null,
  line: null,
  cells: [],
});

/** The form sent over the wire. */
export const errorDetail = (failure: Failure): ErrorDetail => ({
  message: failure.message,
  name: failure.type,
  stack: failure.stack,
  expected: failure.expected ?? null,
  actual: failure.actual ?? null,
  cause: failure.cause ?? null,
  place: failure.file === null ? null : { file: failure.file, line: failure.line, column: failure.column ?? null },
  frame: failure.frame ?? null,
});

const asThrown = (thrown: unknown): Thrown =>
  typeof thrown === 'object' && thrown !== null ? thrown : { message: thrown };

/** Some runners put everything into the stack and leave the message empty. */
function messageOf({ message, stack }: Thrown, thrown: unknown): string {
  const said = typeof message === 'string' ? message : String(message ?? (thrown instanceof Object ? '' : thrown));
  if (said.trim() !== '') return plain(said, messageLength);
  const first = typeof stack === 'string' ? stack.split(/\n[ \t]+at /)[0] : '';
  return plain(first?.trim() || 'failed without a message', messageLength);
}

const framesIn = (stack: string | null): string[] =>
  (stack ?? '').split('\n').flatMap((line) => {
    const text = line.trimStart();
    return text.startsWith('at ') ? [text.slice(3)] : [];
  });

const isInside = (frame: string): boolean => /(^|[\\/(])node_modules[\\/]|(^|\()node:/.test(frame);

/** The first frame in the repository's own code; else the first outside the runner. */
function placeOf(own: readonly string[], root: string): Place | null {
  const places = own.flatMap((frame) => placeIn(frame, root) ?? []);
  return places.find(({ file }) => !isAbsolute(file)) ?? places[0] ?? null;
}

/** `fn (file:line:column)` or `file:line:column`. Relative paths are relative to the folder where the runner was started. */
function placeIn(frame: string, root: string): Place | null {
  const open = frame.endsWith(')') ? frame.indexOf('(') : -1;
  const text = open >= 0 ? frame.slice(open + 1, -1) : frame.replace(/^async /, '');
  const [, line, column] = /:(\d+)(?::(\d+))?$/.exec(text) ?? [];
  if (line === undefined) return null;
  const path = text.slice(0, text.length - (line.length + 1) - (column === undefined ? 0 : column.length + 1));
  if (path === '' || path.startsWith('<') || path.includes('eval at ')) return null;
  return { file: relativeTo(root, path), line: Number(line), column: column === undefined ? null : Number(column) };
}

function mappedPlace(stacks: unknown, root: string): Place | null {
  const known: { file?: unknown; line?: unknown; column?: unknown }[] = Array.isArray(stacks) ? stacks : [];
  const first = known.find(({ file }) => typeof file === 'string' && !isInside(file));
  if (!first || typeof first.line !== 'number') return null;
  const column = typeof first.column === 'number' ? first.column : null;
  return { file: relativeTo(root, String(first.file)), line: first.line, column };
}

/** A file name for people and the console: relative to the folder if possible, with forward slashes. */
export function relativeTo(root: string, path: string): string {
  const file = path.startsWith('file://') ? fileURLToPath(path) : path;
  // A relative path starts at the folder where the runner was started.
  const short = relative(root, resolve(file));
  return (short === '' || short.startsWith('..') ? file : short).replaceAll('\\', '/');
}

/** Makes the repository's paths in a text relative to it. */
export const within = (root: string, text: string): string =>
  root.length > 1 ? text.replaceAll(`file://${root}/`, '').replaceAll(`${root}/`, '') : text;

function comparedIn({ expected, actual }: Thrown): { expected: string | null; actual: string | null } {
  if (expected === undefined && actual === undefined) return { expected: null, actual: null };
  return { expected: shown(expected), actual: shown(actual) };
}

const comparedCell = (expected: string | null, actual: string | null): Cell => ({
  name: 'value',
  status: 'failed',
  expected,
  actual,
  rowIndex: -1,
});

/** The chain of causes, outermost first. */
function causesOf(cause: unknown, root: string): string | null {
  const texts: string[] = [];
  for (let at = cause; at !== undefined && at !== null && texts.length < causesAtMost; at = asThrown(at).cause) {
    const { name, stack } = asThrown(at);
    const message = messageOf(asThrown(at), at);
    const headline = typeof name === 'string' ? `${name}: ${message}` : message;
    const frames = framesIn(typeof stack === 'string' ? stack : null).filter((frame) => !isInside(frame));
    texts.push([headline, ...frames.slice(0, 5).map((frame) => `    at ${within(root, frame)}`)].join('\n'));
  }
  return texts.length === 0 ? null : plain(texts.join('\ncaused by '), messageLength);
}

const around = 3;
const lineLength = 300;
const largestFile = 2_000_000;
/** Limits the sources read for a run with thousands of failures. */
const framesAtMost = 1_000;

let read = 0;
let last: { path: string; lines: readonly string[] } | null = null;

/** The lines around a location; null if the file cannot be read. */
function frameAt(path: string, line: number): SourceFrame | null {
  if (++read > framesAtMost) return null;
  const lines = linesOf(path);
  if (line < 1 || line > lines.length) return null;
  const start = Math.max(1, line - around);
  return { start, lines: lines.slice(start - 1, line + around).map((text) => text.slice(0, lineLength)) };
}

/** Failures of one file mostly come in sequence. */
function linesOf(path: string): readonly string[] {
  if (last?.path !== path) last = { path, lines: readLines(path) };
  return last.lines;
}

function readLines(path: string): string[] {
  let file: number | null = null;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    return !stats.isFile() || stats.size > largestFile ? [] : readFileSync(file, 'utf8').split(/\r?\n/);
  } catch {
    return [];
  } finally {
    if (file !== null) closeSync(file);
  }
}
