import { accessSync, closeSync, constants, fdatasync, openSync } from 'node:fs';
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import { isCorrupt, sqliteCode } from '../../../files/sqlite-error.ts';
import { openWal } from '../../../files/sqlite-file.ts';
import type { RunStamp } from '../run.ts';
import type { RunRow } from '../run-store.ts';
import type { ArchiveWrite } from './archive-files.ts';

/** The database is damaged. Its runs are read from their archives again. */
export class DamagedRuns extends Error {}

/** `write` is null if there is only a stamp. */
export type Append = { runId: string; write: ArchiveWrite | null; stamp: RunStamp | undefined };
/** `before` is the stamp before this append, null if there was none; undefined if the append had no stamp. */
export type Kept = { runId: string; batch: number; before: string | null | undefined };
type Batch = { runId: string; offset: number; bytes: Uint8Array };

/** Each migrates the tables of one version to the next. */
const migrations = [
  `
  CREATE TABLE runs (run TEXT PRIMARY KEY, stamp TEXT NOT NULL, stamp_sum INTEGER NOT NULL, row TEXT, row_sum INTEGER) WITHOUT ROWID;
  CREATE TABLE batches (id INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, at INTEGER NOT NULL, bytes BLOB NOT NULL, sum INTEGER NOT NULL);
  CREATE TABLE late (id INTEGER PRIMARY KEY, run TEXT NOT NULL, event TEXT NOT NULL);
  CREATE TABLE ejected (id INTEGER PRIMARY KEY, run TEXT NOT NULL, at INTEGER NOT NULL, by TEXT, sum INTEGER NOT NULL);
  CREATE INDEX ejected_by_run ON ejected (run, id);
  CREATE TABLE suites (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, repository_name TEXT, changed INTEGER NOT NULL, sum INTEGER NOT NULL);
  CREATE TABLE tests (suite INTEGER NOT NULL, test INTEGER NOT NULL, uid TEXT NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (suite, test)) WITHOUT ROWID;
  CREATE TABLE verdicts (suite INTEGER NOT NULL, run TEXT NOT NULL, at TEXT NOT NULL, facts TEXT NOT NULL, tests BLOB NOT NULL, sum INTEGER NOT NULL, PRIMARY KEY (suite, run));
  CREATE INDEX verdicts_by_arrival ON verdicts (suite, at, run);`,
  `
  CREATE TABLE newest_verdicts (id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, verdict TEXT NOT NULL, sum INTEGER NOT NULL);
  ALTER TABLE late ADD COLUMN sum INTEGER;`,
];
const newestVersion = migrations.length;

/** `runs.sqlite`: everything about runs except their archives. A commit only reaches the system's memory; the caller flushes `walPath`. */
export class RunsDatabase {
  readonly path: string;
  /** For the tables that `HistoryRows` and `VerdictRows` read and write. */
  readonly sqlite: DatabaseSync;
  readonly #insertBatch;
  readonly #selectStamp;
  readonly #upsertStamp;

  private constructor(path: string, database: DatabaseSync) {
    this.path = path;
    this.sqlite = database;
    this.#insertBatch = database.prepare('INSERT INTO batches (run, at, bytes, sum) VALUES (?, ?, ?, ?)');
    this.#selectStamp = database.prepare('SELECT stamp FROM runs WHERE run = ?');
    this.#upsertStamp = database.prepare(
      'INSERT INTO runs (run, stamp, stamp_sum) VALUES (?, ?, ?) ON CONFLICT (run) DO UPDATE SET stamp = excluded.stamp, stamp_sum = excluded.stamp_sum',
    );
  }

  /** Creates the file if it is missing. Throws `DamagedRuns` if it is damaged. */
  static open(path: string): RunsDatabase {
    try {
      closeSync(openSync(path, 'wx', 0o600));
    } catch {
      // The file already exists, or SQLite will report why it cannot be created.
    }
    let database: DatabaseSync | undefined;
    try {
      database = openWal(path, 2_000);
      database.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA checkpoint_fullfsync = ON');
      const version = Number(Object.values(database.prepare('PRAGMA user_version').get() ?? {})[0]);
      if (version > newestVersion && version < 100 && schemaOf(database) !== ownSchema(newestVersion))
        throw new Error(`${path} was written by a later release of Signalbox`);
      if (version > newestVersion || schemaOf(database) !== ownSchema(version))
        throw new DamagedRuns('it does not have the tables of Signalbox');
      const [found] = Object.values(database.prepare('PRAGMA quick_check(1)').get() ?? {});
      if (found !== 'ok') throw new DamagedRuns(String(found));
      // Fails if the header requires a later version of SQLite for writing.
      database.exec('BEGIN IMMEDIATE; COMMIT');
      if (version < newestVersion)
        database.exec(`BEGIN; ${migrations.slice(version).join('')} PRAGMA user_version = ${newestVersion}; COMMIT`);
      return new RunsDatabase(path, database);
    } catch (error) {
      database?.close();
      throw isCorrupt(error) || (isReadOnly(error) && isWritable(path))
        ? new DamagedRuns('the database cannot be read', { cause: error })
        : error;
    }
  }

  get walPath(): string {
    return `${this.path}-wal`;
  }

  transaction<Answer>(work: () => Answer): Answer {
    this.sqlite.exec('BEGIN IMMEDIATE');
    try {
      const answer = work();
      this.sqlite.exec('COMMIT');
      return answer;
    } catch (error) {
      // After some errors SQLite has already rolled back.
      if (this.sqlite.isTransaction) this.sqlite.exec('ROLLBACK');
      throw error;
    }
  }

  append(appends: readonly Append[]): Kept[] {
    return this.transaction(() =>
      appends.map(({ runId, write, stamp }) => {
        const before = stamp && this.#addStamp(runId, stamp);
        if (!write) return { runId, batch: 0, before };
        const [piece, ...more] = write.pieces;
        const bytes = piece && more.length === 0 ? piece : Buffer.concat(write.pieces);
        const sum = sumOf(runId, write.offset, bytes);
        const batch = Number(this.#insertBatch.run(runId, write.offset, bytes, sum).lastInsertRowid);
        return { runId, batch, before };
      }),
    );
  }

  /** Removes the last appends again, because they could not be flushed or written to their archives. */
  undo(kept: readonly Kept[]): void {
    this.transaction(() => {
      for (const { runId, batch, before } of kept.toReversed()) {
        this.sqlite.prepare('DELETE FROM batches WHERE id = ?').run(batch);
        if (before === null) this.removeRun(runId);
        else if (before !== undefined) this.#upsertStamp.run(runId, before, sumOf(runId, before));
      }
    });
  }

  /**
   * Merges this stamp into the run's stamp, in which the first value of each member counts. Returns the previous stamp.
   */
  #addStamp(runId: string, { late, ...stamp }: RunStamp): string | null {
    const found = this.#selectStamp.get(runId)?.stamp;
    const before = typeof found === 'string' ? found : null;
    const text = JSON.stringify(before === null ? stamp : mergeStamps(JSON.parse(before), stamp));
    this.#upsertStamp.run(runId, text, sumOf(runId, text));
    if (late) {
      const insert = this.sqlite.prepare('INSERT INTO late (run, event, sum) VALUES (?, ?, ?)');
      for (const event of late.map((each) => JSON.stringify(each))) insert.run(runId, event, sumOf(runId, event));
    }
    return before;
  }

  /** Adds a run whose archive was already there. */
  adopt(runId: string, stamp: RunStamp, row: RunRow | null): void {
    const text = JSON.stringify(stamp);
    this.#upsertStamp.run(runId, text, sumOf(runId, text));
    if (row) this.saveRow(runId, row);
  }

  saveRow(runId: string, row: RunRow): void {
    const text = JSON.stringify(row);
    this.sqlite.prepare('UPDATE runs SET row = ?, row_sum = ? WHERE run = ?').run(text, sumOf(runId, text), runId);
  }

  /** The size of the archive according to the row of its run; null without a row. */
  describedBytes(runId: string): number | null {
    const found = this.sqlite.prepare("SELECT row ->> '$.bytes' AS bytes FROM runs WHERE run = ?").get(runId);
    return typeof found?.bytes === 'number' ? found.bytes : null;
  }

  runs(): Map<string, { stamp: RunStamp; row: RunRow | null }> {
    return this.#read(() => {
      const runs = new Map<string, { stamp: RunStamp; row: RunRow | null }>();
      for (const found of this.sqlite.prepare('SELECT * FROM runs').iterate()) {
        const [runId, stamp, row] = [String(found.run), String(found.stamp), found.row ?? null];
        if (sumOf(runId, stamp) !== found.stamp_sum) throw new DamagedRuns(`the entry of run ${runId} is damaged`);
        if (row !== null && sumOf(runId, row) !== found.row_sum)
          throw new DamagedRuns(`the row of run ${runId} is damaged`);
        runs.set(runId, { stamp: JSON.parse(stamp), row: row === null ? null : JSON.parse(String(row)) });
      }
      return runs;
    });
  }

  removeRun(runId: string): void {
    this.sqlite.prepare('DELETE FROM runs WHERE run = ?').run(runId);
  }

  /** Batches whose archives may not be flushed yet, in their order. */
  batches(): Map<string, Batch[]> {
    return this.#read(() => {
      const batches = new Map<string, Batch[]>();
      for (const found of this.sqlite.prepare('SELECT * FROM batches ORDER BY id').iterate()) {
        const [runId, offset, bytes] = [String(found.run), Number(found.at), found.bytes];
        if (!(bytes instanceof Uint8Array) || sumOf(runId, offset, bytes) !== found.sum)
          throw new DamagedRuns(`a batch of run ${runId} is damaged`);
        const known = batches.get(runId);
        if (known) known.push({ runId, offset, bytes });
        else batches.set(runId, [{ runId, offset, bytes }]);
      }
      return batches;
    });
  }

  /** The oldest first. Returns how many it removed. */
  forgetBatches(upTo: number, atMost: number): number {
    const remove = 'DELETE FROM batches WHERE id IN (SELECT id FROM batches WHERE id <= ? ORDER BY id LIMIT ?)';
    return Number(this.sqlite.prepare(remove).run(upTo, atMost).changes);
  }

  addEjected(runId: string, atMs: number, by: string | null): void {
    const sum = sumOf(runId, atMs, by);
    this.sqlite.prepare('INSERT INTO ejected (run, at, by, sum) VALUES (?, ?, ?, ?)').run(runId, atMs, by, sum);
  }

  /** Undefined if no eject of this run is recorded. */
  ejectedBy(runId: string): string | null | undefined {
    const found = this.#read(() =>
      this.sqlite.prepare('SELECT at, by, sum FROM ejected WHERE run = ? ORDER BY id DESC LIMIT 1').get(runId),
    );
    if (!found) return undefined;
    const { at, by = null } = found;
    return by !== null && sumOf(runId, Number(at), by) === found.sum ? String(by) : null;
  }

  forgetEjected(beforeMs: number): void {
    this.sqlite.prepare('DELETE FROM ejected WHERE at < ?').run(beforeMs);
  }

  /** Copies the write-ahead log into the database file and empties it. False while a reader prevents that. */
  checkpoint(): boolean {
    return Object.values(this.sqlite.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {})[0] === 0;
  }

  close(): void {
    this.sqlite.close();
  }

  #read<Answer>(ask: () => Answer): Answer {
    try {
      return ask();
    } catch (error) {
      throw isCorrupt(error) ? new DamagedRuns('the database cannot be read', { cause: error }) : error;
    }
  }
}

const schemaOf = (database: DatabaseSync): string =>
  JSON.stringify(
    database.prepare("SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name").all(),
  );

function ownSchema(version: number): string {
  const database = new DatabaseSync(':memory:');
  database.exec(migrations.slice(0, version).join(''));
  const own = schemaOf(database);
  database.close();
  return own;
}

function mergeStamps(before: RunStamp, added: RunStamp): RunStamp {
  const lateCount = Math.max(before.lateCount ?? 0, added.lateCount ?? 0);
  return { ...added, ...before, ...(lateCount > 0 && { lateCount }) };
}

const isReadOnly = (error: unknown): boolean => sqliteCode(error) === 8;

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const flush = promisify(fdatasync);
/** The write-ahead log is copied into the database once it has grown to this. */
const walBytes = 32 * 1024 * 1024;
/** Every commit changes a few pages, even a small one. */
const bytesOfCommit = 16 * 1024;

/**
 * SQLite's write-ahead log. A commit reaches the system's memory on this thread; it is flushed in Node's thread pool,
 * and a separate thread copies the log into the database, so that the main thread never waits for the disk.
 */
export class WriteAheadLog {
  readonly #database: RunsDatabase;
  #fd: number | null = null;
  #grown = 0;
  /** A flush failed: the log may contain bytes that are not on disk, so it is copied into the database before the next commit. */
  #suspect = false;
  #copying: CheckpointThread | null = null;
  #copied: Promise<void> = Promise.resolve();

  constructor(database: RunsDatabase) {
    this.#database = database;
  }

  /** `bytes` is about the size of the written data. */
  async commit<Answer>(write: () => Answer, bytes = 0): Promise<Answer> {
    if (this.#suspect) {
      if (!this.#database.checkpoint()) throw new Error('the database of runs cannot be written');
      this.#suspect = false;
    }
    this.#grown += bytes + bytesOfCommit;
    return write();
  }

  async flush(): Promise<void> {
    this.#fd ??= openSync(this.#database.walPath, 'r');
    try {
      await flush(this.#fd);
    } catch (error) {
      this.#suspect = true;
      throw error;
    }
  }

  /** Copies most of the log during writes and the rest while no commit runs: only then does SQLite restart the log. */
  async shorten(): Promise<void> {
    if (this.#grown > walBytes && !this.#copying) {
      this.#copying = new CheckpointThread(this.#database.path);
      this.#copied = this.#copying.run();
    }
    if (this.#grown < 2 * walBytes || !this.#copying) return;
    await this.#copied;
    await this.#copying.run();
    await this.#copying.stop();
    this.#copying = null;
    this.#grown = 0;
  }

  async close(): Promise<void> {
    await this.#copied;
    await this.#copying?.stop();
    this.#database.checkpoint();
    if (this.#fd !== null) closeSync(this.#fd);
  }
}

const checkpointSource = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(workerData);
  database.exec('PRAGMA busy_timeout = 2000; PRAGMA synchronous = NORMAL; PRAGMA checkpoint_fullfsync = ON');
  parentPort.on('message', () => {
    try { database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get(); } catch {}
    parentPort.postMessage(null);
  });`;

class CheckpointThread {
  readonly #worker: Worker;

  constructor(path: string) {
    this.#worker = new Worker(checkpointSource, { eval: true, workerData: path, execArgv: [] });
    this.#worker.unref();
  }

  /** A failed checkpoint leaves the log as it is; the next checkpoint copies it. */
  run(): Promise<void> {
    return new Promise((resolve) => {
      const settle = () => {
        this.#worker.off('message', settle).off('error', settle).off('exit', settle);
        resolve();
      };
      this.#worker.on('message', settle).on('error', settle).on('exit', settle);
      this.#worker.postMessage(null);
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** The checksum of a row, checked whenever it is read: SQLite does not notice a flipped bit in a row. */
export function sumOf(...parts: readonly (SQLOutputValue | Uint8Array | undefined)[]): number {
  let sum = 0;
  for (const part of parts) sum = crc32(part instanceof Uint8Array ? part : `${part}\n`, sum);
  return sum;
}
