import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { AppendOnlyFile } from '../files/append-only-file.ts';
import { linesBackwards } from '../files/lines-backwards.ts';
import { type SafeFile, withSafeFile } from '../files/safe-file.ts';
import {
  type AuditEntry,
  type AuditFilter,
  type AuditPage,
  type AuditReader,
  isDenial,
  type RecordAudit,
  type RecordAuditSoon,
} from '../kernel/audit.ts';
import { type Clock, dayMs, iso } from '../kernel/clock.ts';
import { errorCode } from '../kernel/error-code.ts';

const fileName = 'audit.ndjson';
/** Files are rotated at this size, and the oldest are deleted beyond this number, regardless of age. */
const fileBytes = 16 * 1024 * 1024;
const mostFiles = 64;
/** Entries that could not be written are kept for the next try, up to this size. */
const mostPending = 1024 * 1024;

export type AuditTrailDeps = {
  dataPath: string;
  clock: Clock;
  days: number;
  warn: (details: object, text: string) => void;
  bytesPerFile?: number;
};

/** The audit on this host's disk: `audit.ndjson`, and older files beside it, named by the time of their rotation. */
export class AuditTrail implements AuditReader {
  readonly #deps: AuditTrailDeps;
  readonly #folder: string;
  readonly #stopPruning: () => void;
  /** Null while a full disk does not take a new file. */
  #file: AppendOnlyFile | null = null;
  #pending = '';
  #last = { ms: Number.NaN, at: '' };
  readonly #lines: string[] = [];
  #written: Promise<void> | undefined;

  constructor(deps: AuditTrailDeps) {
    this.#deps = deps;
    this.#folder = deps.dataPath;
    mkdirSync(deps.dataPath, { recursive: true, mode: 0o700 });
    try {
      this.#open();
    } catch (err) {
      if (errorCode(err) !== 'ENOSPC') throw err;
      deps.warn({ err }, 'cannot create the audit log; entries are kept in memory');
    }
    this.#prune();
    this.#stopPruning = deps.clock.every(dayMs, () => this.#startNew());
  }

  #open(): AppendOnlyFile {
    this.#file ??= new AppendOnlyFile(join(this.#folder, fileName));
    return this.#file;
  }

  /** Never throws: the call was already answered, and a full disk is logged. */
  readonly record: RecordAudit = (entry) => this.#write(this.#lineOf(entry));

  /** The answers of one flush are ready in one turn, so their lines are written together. */
  readonly recordSoon: RecordAuditSoon = (entry) => {
    this.#lines.push(this.#lineOf(entry));
    this.#written ??= Promise.resolve().then(() => {
      this.#written = undefined;
      this.#write(this.#lines.splice(0).join(''));
    });
    return this.#written;
  };

  #lineOf({ name, address, door, command, ref, outcome }: Omit<AuditEntry, 'at'>): string {
    const line: AuditEntry = { at: this.#at(), name, address, door, command, ref, outcome };
    return `${JSON.stringify(line)}\n`;
  }

  /** Most lines of one flush share a millisecond. */
  #at(): string {
    const ms = this.#deps.clock.wall();
    if (ms !== this.#last.ms) this.#last = { ms, at: iso(ms) };
    return this.#last.at;
  }

  #write(lines: string): void {
    if (lines === '') return;
    const text = this.#pending + lines;
    const before = this.#file?.size ?? 0;
    try {
      const file = this.#open();
      file.append(text);
      this.#pending = '';
      if (file.size >= (this.#deps.bytesPerFile ?? fileBytes)) this.#startNew();
    } catch (err) {
      if (this.#pending === '') this.#deps.warn({ err }, 'cannot write the audit log; entries are kept in memory');
      const isTorn = (this.#file?.size ?? 0) > before;
      this.#pending = text.length > mostPending ? this.#pending : `${isTorn ? '\n' : ''}${text}`;
    }
  }

  async read({ limit, cursor, ...filter }: Parameters<AuditReader['read']>[0]): Promise<AuditPage | undefined> {
    const files = await this.#files();
    const [, inode, offset] = /^(\d{1,20})-(\d{1,12})$/.exec(cursor ?? '') ?? [];
    const first = cursor === undefined ? 0 : files.findIndex((file) => String(file.inode) === inode);
    if (first < 0) return undefined;
    const items: AuditEntry[] = [];
    for (const [index, { path, inode: ino }] of files.slice(first).entries()) {
      const before = index === 0 && offset !== undefined ? Number(offset) : Number.POSITIVE_INFINITY;
      const next = await withSafeFile(path, (file) => collect(file, before, filter, items, limit));
      if (typeof next === 'number') return { items, next: `${ino}-${next}` };
    }
    return { items, next: null };
  }

  stop(): void {
    this.#stopPruning();
    this.#write(this.#lines.splice(0).join(''));
    this.#file?.close();
  }

  #startNew(): void {
    try {
      if (this.#file && this.#file.size > 0)
        this.#file = this.#file.rotate(join(this.#folder, asideName(this.#deps.clock.wall())));
      this.#prune();
    } catch (err) {
      this.#deps.warn({ err }, 'cannot rotate the audit log');
    }
  }

  #prune(): void {
    const aside = this.#aside();
    const oldest = asideName(this.#deps.clock.wall() - this.#deps.days * dayMs);
    const gone = aside.filter((name, index) => name < oldest || index >= mostFiles);
    for (const name of gone) rmSync(join(this.#folder, name), { force: true });
  }

  /** Newest first. */
  #aside(): string[] {
    return readdirSync(this.#folder)
      .filter((name) => /^audit-[\dTZ.-]+\.ndjson$/.test(name))
      .sort()
      .reverse();
  }

  async #files(): Promise<{ path: string; inode: number }[]> {
    const paths = [fileName, ...this.#aside()].map((name) => join(this.#folder, name));
    const found = await Promise.all(paths.map((path) => withSafeFile(path, async ({ ino }) => ({ path, inode: ino }))));
    return found.filter((file) => file !== null);
  }
}

const asideName = (ms: number): string => `audit-${iso(ms).replaceAll(':', '-')}.ndjson`;

/** The offset for the next (older) page; undefined at the start of the file. */
async function collect(
  file: SafeFile,
  before: number,
  filter: AuditFilter,
  items: AuditEntry[],
  limit: number,
): Promise<number | undefined> {
  for await (const { line, offset } of linesBackwards(file, before)) {
    const entry = entryOf(line);
    if (entry && fits(entry, filter)) items.push(entry);
    if (items.length >= limit) return offset > 0 ? offset : undefined;
  }
  return undefined;
}

function entryOf(line: string): AuditEntry | undefined {
  try {
    return JSON.parse(line) as AuditEntry;
  } catch {
    return undefined;
  }
}

const fits = ({ name, command, outcome }: AuditEntry, wanted: AuditFilter): boolean =>
  (wanted.name === undefined || wanted.name === name) &&
  (wanted.command === undefined || wanted.command === command) &&
  (wanted.denied === undefined || wanted.denied === isDenial(outcome));
