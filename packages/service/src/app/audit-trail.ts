import { mkdirSync, rmSync } from 'node:fs';
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
import { asideFiles, auditFile, chainedLine, entryOf, newestHash, shortRef } from './audit-chain.ts';

/** Files are rotated at this size. Beyond this number the oldest are deleted regardless of their age, with an audit entry. */
const fileBytes = 16 * 1024 * 1024;
const mostFiles = 128;
/** Denials of one name, command and outcome within this time are one entry with a count. */
const foldMs = 60_000;
const mostFolded = 10_000;
/** Entries that could not be written are kept for the next try, up to this size. */
const mostPending = 1024 * 1024;

export type AuditTrailDeps = {
  dataPath: string;
  clock: Clock;
  days: number;
  warn: (details: object, text: string) => void;
  bytesPerFile?: number;
  filesAtMost?: number;
};

/** Repeated denials are counted: the file has the first one, then lines with the count, the last when the period ends. */
type Fold = { entry: AuditEntry; count: number; endsAt: number };

/** The audit on this host's disk: `audit.ndjson`, and older files beside it, named by the time of their rotation. */
export class AuditTrail implements AuditReader {
  readonly #deps: AuditTrailDeps;
  readonly #folder: string;
  readonly #stopPruning: () => void;
  /** Null while a full disk prevents a new file. */
  #file: AppendOnlyFile | null = null;
  #pending = '';
  #last = { ms: Number.NaN, at: '' };
  readonly #lines: AuditEntry[] = [];
  readonly #folds = new Map<string, Fold>();
  /** The hash of the newest line; each line's hash covers itself and the line before. */
  #hash: string;
  #lost = 0;
  readonly #stopFolding: () => void;
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
    this.#hash = newestHash(deps.dataPath) ?? '';
    this.#prune();
    this.#stopFolding = deps.clock.every(foldMs / 6, () => this.#endFolds(deps.clock.wall()));
    this.#stopPruning = deps.clock.every(dayMs, () => this.#startNew());
  }

  #open(): AppendOnlyFile {
    this.#file ??= new AppendOnlyFile(join(this.#folder, auditFile));
    return this.#file;
  }

  /** Never throws, because the call was already answered; a full disk is only logged. */
  readonly record: RecordAudit = (entry) => {
    const line = this.#unlessFolded(entry);
    if (line) this.#write([line]);
  };

  /** The answers of one flush are ready in one turn of the event loop, so their lines are written together. */
  readonly recordSoon: RecordAuditSoon = (entry) => {
    const line = this.#unlessFolded(entry);
    if (!line) return Promise.resolve();
    this.#lines.push(line);
    this.#written ??= Promise.resolve().then(() => {
      this.#written = undefined;
      this.#write(this.#lines.splice(0));
    });
    return this.#written;
  };

  /** Undefined for most denials that repeat one of the last minute; these are only counted. */
  #unlessFolded({ name, address, door, command, ref, outcome }: Omit<AuditEntry, 'at'>): AuditEntry | undefined {
    const entry: AuditEntry = { at: this.#at(), name, address, door, command, ref: shortRef(ref), outcome };
    if (!isDenial(outcome)) return entry;
    const now = this.#deps.clock.wall();
    this.#endFolds(now);
    const key = foldKey(entry);
    const fold = this.#folds.get(key);
    if (fold) {
      fold.count += 1;
      // Writes a line at each power of two, so that after a kill within the minute at least half of the count is on disk.
      return (fold.count & (fold.count - 1)) === 0 ? { ...fold.entry, count: fold.count } : undefined;
    }
    if (this.#folds.size < mostFolded) this.#folds.set(key, { entry, count: 1, endsAt: now + foldMs });
    return entry;
  }

  #endFolds(now: number): void {
    const over: AuditEntry[] = [];
    for (const [key, { entry, count, endsAt }] of this.#folds) {
      if (endsAt > now) break;
      this.#folds.delete(key);
      if (count > 1) over.push({ ...entry, count });
    }
    if (over.length > 0) this.#write(over);
  }

  /** Most lines of one flush share a millisecond. */
  #at(): string {
    const ms = this.#deps.clock.wall();
    if (ms !== this.#last.ms) this.#last = { ms, at: iso(ms) };
    return this.#last.at;
  }

  #write(entries: readonly AuditEntry[]): void {
    if (entries.length === 0) return;
    const hashBefore = this.#hash;
    const lost = this.#lost > 0 ? [this.#note('audit_lost', `${this.#lost} entries`)] : [];
    const text = this.#pending + [...lost, ...entries].map((entry) => this.#chained(entry)).join('');
    const before = this.#file?.size ?? 0;
    try {
      const file = this.#open();
      file.append(text);
      this.#pending = '';
      this.#lost = 0;
      if (file.size >= (this.#deps.bytesPerFile ?? fileBytes)) this.#startNew();
    } catch (err) {
      if (this.#pending === '') this.#deps.warn({ err }, 'cannot write the audit log; entries are kept in memory');
      if (text.length > mostPending) {
        this.#hash = hashBefore;
        this.#lost += entries.length;
      } else this.#pending = `${(this.#file?.size ?? 0) > before ? '\n' : ''}${text}`;
    }
  }

  #chained(entry: AuditEntry): string {
    const { line, hash } = chainedLine(entry, this.#hash);
    this.#hash = hash;
    return line;
  }

  /** Entries of the trail about itself. */
  #note(command: string, ref: string): AuditEntry {
    return { at: this.#at(), name: 'signalbox', address: '', door: 'rest', command, ref, outcome: 'gap' };
  }

  async read({ limit, cursor, ...filter }: Parameters<AuditReader['read']>[0]): Promise<AuditPage | undefined> {
    const files = await this.#files();
    const [, inode, offset] = /^(\d{1,20})-(\d{1,12})$/.exec(cursor ?? '') ?? [];
    const first = cursor === undefined ? 0 : files.findIndex((file) => String(file.inode) === inode);
    if (first < 0) return undefined;
    const items: AuditEntry[] = [];
    const counted = new Map([...this.#folds].map(([key, { entry, count }]) => [`${entry.at} ${key}`, count]));
    for (const [index, { path, inode: ino }] of files.slice(first).entries()) {
      const before = index === 0 && offset !== undefined ? Number(offset) : Number.POSITIVE_INFINITY;
      const next = await withSafeFile(path, (file) => collect(file, before, filter, { items, limit, counted }));
      if (typeof next === 'number') return { items, next: `${ino}-${next}` };
    }
    return { items, next: null };
  }

  stop(): void {
    this.#stopPruning();
    this.#stopFolding();
    this.#write(this.#lines.splice(0));
    this.#endFolds(Number.POSITIVE_INFINITY);
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
    const aside = asideFiles(this.#folder);
    const oldest = asideName(this.#deps.clock.wall() - this.#deps.days * dayMs);
    for (const name of aside.filter((one) => one < oldest)) rmSync(join(this.#folder, name), { force: true });
    const most = this.#deps.filesAtMost ?? mostFiles;
    const tooMany = aside.filter((name) => name >= oldest).slice(most);
    for (const name of tooMany.toReversed()) {
      rmSync(join(this.#folder, name), { force: true });
      const days = this.#deps.days;
      this.#deps.warn(
        { file: name },
        `the audit has more than ${most} files: ${name} was deleted before its ${days} days were over`,
      );
      this.#write([this.#note('audit_dropped', name)]);
    }
  }

  async #files(): Promise<{ path: string; inode: number }[]> {
    const paths = [auditFile, ...asideFiles(this.#folder)].map((name) => join(this.#folder, name));
    const found = await Promise.all(paths.map((path) => withSafeFile(path, async ({ ino }) => ({ path, inode: ino }))));
    return found.filter((file) => file !== null);
  }
}

const asideName = (ms: number): string => `audit-${iso(ms).replaceAll(':', '-')}.ndjson`;

type Collected = { items: AuditEntry[]; limit: number; counted: Map<string, number> };

/** The offset for the next (older) page; undefined at the start of the file. */
async function collect(
  file: SafeFile,
  before: number,
  filter: AuditFilter,
  { items, limit, counted }: Collected,
): Promise<number | undefined> {
  for await (const { line, offset } of linesBackwards(file, before)) {
    const entry = entryOf(line);
    if (!entry) continue;
    const key = `${entry.at} ${foldKey(entry)}`;
    // Lines with the count follow the line of the first denial, which is shown with that count.
    if (entry.count !== undefined) {
      counted.set(key, Math.max(entry.count, counted.get(key) ?? 0));
      continue;
    }
    const count = counted.get(key) ?? 1;
    if (fits(entry, filter)) items.push(count > 1 ? { ...entry, count } : entry);
    if (items.length >= limit) return offset > 0 ? offset : undefined;
  }
  return undefined;
}

const foldKey = ({ name, command, outcome }: AuditEntry): string => `${name} ${command} ${outcome}`;

const fits = ({ at, name, command, outcome }: AuditEntry, wanted: AuditFilter): boolean =>
  (wanted.before === undefined || at <= wanted.before) &&
  (wanted.name === undefined || wanted.name === name) &&
  (wanted.command === undefined || wanted.command === command) &&
  (wanted.denied === undefined || wanted.denied === isDenial(outcome));
