import { resolve } from 'node:path';
import { type Failure, failuresOf, relativeTo } from './failure.ts';
import type { Test } from './identity.ts';
import { Output } from './output.ts';
import type { Publisher } from './publisher.ts';
import { fileFrom, pattern, quoted } from './rerun.ts';

// The parts of node:test's events that are used. Node 20 reports neither `type` nor `entryFile` nor ids.
export type NodeError = {
  message?: string;
  failureType?: string;
  cause?: unknown;
  exitCode?: number | null;
  signal?: string;
};
export type TestData = {
  name: string;
  nesting: number;
  file?: string;
  entryFile?: string;
  line?: number | null;
  column?: number;
  type?: string;
  testId?: number;
  parentId?: number;
  skip?: unknown;
  todo?: unknown;
  tags?: readonly string[];
  details?: { duration_ms?: number; passed?: boolean; type?: string; error?: NodeError };
  message?: string;
};

/** A test or a suite of a file; older versions of Node report which one it is only at its end. */
export type Entry = {
  data: TestData;
  parent: Entry | null;
  state: 'queued' | 'open' | 'done';
  /** The entries in the order in which they started. */
  turn: number;
  hasChildren: boolean;
  /** Whether it is known to be a test. */
  counted: boolean;
  test: Test | null;
  /** Inner tests that ended with it; the end of the outer test gives the reason. */
  cancelled: Entry[];
  output: Output | null;
};

/**
 * The tests of one file as they are announced. Without ids from Node, tests with the same location and name are
 * matched in the order of announcement, which is the order of execution.
 */
export class FileTree {
  readonly #entries: Entry[] = [];
  /** Ended by an outer test or suite, which was not announced either and ends after these tests. */
  #orphans: Entry[] = [];
  #turns = 0;

  enqueue(data: TestData): Entry {
    const parent = this.#parentOf(data);
    if (parent) parent.hasChildren = true;
    const entry: Entry = {
      data,
      parent,
      state: 'queued',
      turn: 0,
      hasChildren: false,
      counted: false,
      test: null,
      cancelled: [],
      output: null,
    };
    this.#entries.push(entry);
    return entry;
  }

  dequeue(data: TestData): Entry | null {
    const entry = this.#find(data, 'queued');
    if (!entry) return null;
    entry.state = 'open';
    entry.turn = ++this.#turns;
    return entry;
  }

  /** A test that was never announced did not run because of its outer suite. */
  complete(data: TestData): Entry {
    const entry = this.#find(data, 'open') ?? this.#find(data, 'queued') ?? this.enqueue(data);
    entry.state = 'done';
    this.#entries.splice(this.#entries.indexOf(entry), 1);
    const inside = this.#orphans.filter((orphan) => orphan.data.nesting === data.nesting + 1);
    this.#orphans = this.#orphans.filter((orphan) => !inside.includes(orphan));
    for (const orphan of inside) cancelWith(entry, orphan);
    return entry;
  }

  /** It ended with its outer suite, which will report the reason. */
  cancel(entry: Entry, details: TestData['details']): void {
    entry.data = { ...entry.data, ...(details && { details }) };
    if (entry.parent) cancelWith(entry.parent, entry);
    else this.#orphans.push(entry);
  }

  /** Entries that have begun but not ended. */
  open(): Entry[] {
    return this.#entries.filter(({ state }) => state === 'open');
  }

  /** Node 20: an entry without children is a test; until now it could not be distinguished from a suite. */
  unfinishedTests(): Entry[] {
    return this.#entries.filter(({ data, hasChildren, test }) => data.type === undefined && !hasChildren && test);
  }

  #find(data: TestData, state: Entry['state']): Entry | undefined {
    return this.#entries.find((entry) => entry.state === state && isSame(entry.data, data));
  }

  /** Among several open siblings, the last one that begins before this entry in the source. */
  #parentOf({ nesting, testId, parentId, line }: TestData): Entry | null {
    if (nesting === 0) return null;
    const around = this.open().filter(({ data }) => data.nesting === nesting - 1);
    if (testId !== undefined) return around.find(({ data }) => data.testId === parentId) ?? around.at(-1) ?? null;
    const latest = around.sort((a, b) => b.turn - a.turn);
    const before = latest.filter(({ data }) => (data.line ?? 0) <= (line ?? 0));
    return before.sort((a, b) => (b.data.line ?? 0) - (a.data.line ?? 0))[0] ?? latest[0] ?? null;
  }
}

function cancelWith(around: Entry, entry: Entry): void {
  entry.parent = around;
  around.hasChildren = true;
  around.cancelled.push(...(entry.data.details?.type === 'suite' ? entry.cancelled : [entry]));
}

function isSame(known: TestData, data: TestData): boolean {
  if (known.testId !== undefined && data.testId !== undefined) return known.testId === data.testId;
  return (
    known.nesting === data.nesting &&
    known.line === data.line &&
    known.column === data.column &&
    known.name === data.name &&
    known.file === data.file
  );
}

/** One file under way. */
export type File = { path: string; tree: FileTree; tests: Test[]; printed: Output; lane: number | null };
export const newFile = (path: string): File => ({
  path,
  tree: new FileTree(),
  tests: [],
  printed: new Output(),
  lane: null,
});

/** The names of an entry's outer suites and its own. */
export function titlesOf(entry: Entry): string[] {
  const titles = [entry.data.name];
  for (let at = entry.parent; at; at = at.parent) titles.unshift(at.data.name);
  return titles;
}

/** If a file does not load, its output has the reason. */
export function thrownIn(printed: string): { message: string; stack: string } | null {
  const at = printed.search(/^\w*Error\b/m);
  if (at < 0) return null;
  const stack = printed.slice(at).trim();
  return { message: stack.split('\n')[0] ?? '', stack };
}

/** Node wraps thrown errors; an error without a location gets that of the test. */
export function failuresIn(
  { root }: { root: string },
  error: NodeError | undefined,
  data: Partial<TestData>,
): Failure[] {
  const cause = error?.cause;
  const found = failuresOf(typeof cause === 'object' && cause !== null ? cause : error, root);
  const { file = '', line = null } = data;
  return found.map((one) => (one.line === null ? { ...one, file: relativeTo(root, file), line } : one));
}

/** Why a test is skipped or todo, if given. */
export const reasonIn = (said: unknown): string | null => (typeof said === 'string' && said !== '' ? said : null);

export function causeOf({ signal, exitCode = null }: NodeError): string {
  if (signal) return `killed by ${signal}`;
  return exitCode === null ? 'its process exited during the test' : `it exited with code ${exitCode}`;
}

/** Whether an entry represents the file itself, not a test in it. */
export function isFile({ name, file = '', nesting, entryFile }: TestData, folder: string): boolean {
  if (nesting !== 0 || entryFile !== undefined) return false;
  return name === file || resolve(folder, name) === file;
}

export function rerunOf(publisher: Publisher, entry: Entry, { file }: Test): string {
  const name = quoted(`^${pattern(titlesOf(entry).join(' '))}$`);
  return `node --test --test-name-pattern=${name} ${quoted(fileFrom({ publisher }, file))}`;
}

/** The hook that failed; empty if it was not a hook. */
export const hookIn = (error: NodeError | undefined): string =>
  error?.failureType === 'hookFailed' ? (/running (\w+) hook/.exec(error.message ?? '')?.[1] ?? 'a') : '';
