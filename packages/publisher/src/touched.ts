import { appendFileSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TouchedType } from './events.ts';
import { guarded } from './guard.ts';
import type { Test } from './identity.ts';
import { flat, type RunningTest, runningTest, testIn } from './running-test.ts';

/** A reference to a type of the code under test: its name, the class itself, or name and module. */
export type TypeName = string | { name: string; module?: string };

type Line = { test: string; type: TouchedType };
const variable = 'SIGNALBOX_TOUCHED';
/** `touched` was called in this process, possibly in the same millisecond as the verdict. */
let saidHere = false;
let spoolHere: string | null = null;
const keyOf = ({ file, name }: RunningTest) => `${file}\n${name}`;

/**
 * Records that the running test touched a type, as evidence for the event model. If a framework runs tests concurrently in one process, or does not expose the running test, pass the context it hands to the test: `t`, `{ task }`,
 * `testInfo`, `this`. Without a publisher it does nothing.
 */
export function touched(type: TypeName, context?: object): void {
  guarded(() => {
    const spool = process.env[variable];
    const test = context ? testIn(context) : runningTest();
    if (!spool || !test) return;
    const { name, module = '' }: { name: string; module?: string } = typeof type === 'string' ? { name: type } : type;
    const fullName = module === '' ? name : `${module}.${name}`;
    const short = name.slice(name.lastIndexOf('.') + 1);
    const line: Line = { test: keyOf(test), type: { name: short, fullName, assemblyName: module } };
    saidHere = true;
    appendFileSync(spool, `${JSON.stringify(line)}\n`);
  }, undefined);
}

/** The file that test processes write to. It must be set before the first of them starts, which may be early. */
export function nameSpool(): string {
  spoolHere ??= join(tmpdir(), `signalbox-touched-${process.pid}-${Date.now()}.ndjson`);
  process.env[variable] = spoolHere;
  return spoolHere;
}

let isRemovedAtExit = false;
/** All runs of a process share one file. */
function removeSpoolAtExit(path: string): void {
  if (!isRemovedAtExit) process.once('exit', () => guarded(() => rmSync(path, { force: true }), undefined));
  isRemovedAtExit = true;
}

/**
 * Collects the calls of `touched` in the test processes. They find the file by an environment variable; it exists
 * only after the first call.
 */
export class TouchedTypes {
  readonly #path: string;
  readonly #folder: string;
  readonly #types = new Map<string, TouchedType[]>();
  #file: number | null = null;
  #offset = 0;
  #lookedAt = 0;
  #rest = '';

  constructor(folder: string) {
    this.#folder = folder;
    this.#path = nameSpool();
    removeSpoolAtExit(this.#path);
  }

  /** The types a test has touched so far, each once, in the order of first touch. */
  by(test: Test): TouchedType[] {
    this.#read();
    if (this.#types.size === 0) return [];
    const types = this.#types.get(
      keyOf({ file: resolve(this.#folder, test.file ?? ''), name: flat(test.path?.join(' ') ?? test.scenario) }),
    );
    if (!types) return [];
    return types.filter((type, at) => types.findIndex((other) => other.fullName === type.fullName) === at);
  }

  #read(): void {
    if (this.#file === null && !this.#isThere()) return;
    this.#file ??= openSync(this.#path, 'r');
    const chunk = Buffer.alloc(65_536);
    for (let size = 1; size > 0; ) {
      size = readSync(this.#file, chunk, 0, chunk.length, this.#offset);
      this.#offset += size;
      this.#rest += chunk.toString('latin1', 0, size);
    }
    const lines = this.#rest.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#take(JSON.parse(Buffer.from(line, 'latin1').toString('utf8')));
  }

  /** Checked at most once per millisecond: most suites never use it, and the check costs more than everything else. */
  #isThere(): boolean {
    const now = Date.now();
    if (now === this.#lookedAt && !saidHere) return false;
    this.#lookedAt = now;
    return existsSync(this.#path);
  }

  #take({ test, type }: Line): void {
    this.#types.set(test, [...(this.#types.get(test) ?? []), type]);
  }
}
