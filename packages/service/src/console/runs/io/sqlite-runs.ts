import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { flushPath } from '../../../files/durable-file.ts';
import { readLines } from '../../../files/read-lines.ts';
import { type Clock, iso } from '../../../kernel/clock.ts';
import { coalesced, SerialQueue } from '../../../kernel/one-at-a-time.ts';
import type { HistoryStore } from '../history/ports.ts';
import { readLine } from '../replay.ts';
import type { RunStamp } from '../run.ts';
import type { RunRow, RunStore, StoredRun } from '../run-store.ts';
import { type ArchiveFiles, bytesOf, withoutStamps } from './archive-files.ts';
import { AttachmentLines } from './attachments.ts';
import { HistoryRows } from './history-rows.ts';
import { type Append, type Kept, type RunsDatabase, WriteAheadLog } from './runs-database.ts';
import { VerdictRows } from './verdict-rows.ts';

type Warn = (details: object, text: string) => void;
type QueuedAppend = {
  runId: string;
  pieces: readonly Uint8Array[];
  stamp: RunStamp | undefined;
  done: () => void;
  failed: (error: unknown) => void;
};

type Planned = { waiting: QueuedAppend; append: Append };

const appendsAtOnce = 256;
const bytesAtOnce = 16 * 1024 * 1024;
/** Beyond this size the archives are flushed and the batches deleted, which limits the work of the next start. */
const batchBytes = 32 * 1024 * 1024;
/** A few milliseconds of work. */
const verdictsAtOnce = 500;
const batchesAtOnce = 1_000;

/** Archives and the database of runs. All waiting appends are committed and flushed together. */
export class SqliteRuns implements RunStore {
  readonly history: HistoryStore;
  readonly verdicts: VerdictRows;
  readonly #files: ArchiveFiles;
  readonly #database: RunsDatabase;
  readonly #warn: Warn;
  readonly #wal: WriteAheadLog;
  readonly #attachments = new AttachmentLines();
  readonly #turns = new SerialQueue();
  #waiting: QueuedAppend[] = [];
  #working = false;
  /** Runs whose batches are still in the database. */
  #unflushed = new Set<string>();
  /** Runs whose archives are being flushed; their batches are still in the database too. */
  #flushing: ReadonlySet<string> = new Set();
  #lastBatch = 0;
  #batchBytes = 0;
  readonly #toUndo: Kept[] = [];
  /** Runs whose archives could not be flushed: the result of another flush cannot be trusted. */
  readonly #suspect = new Set<string>();

  constructor(files: ArchiveFiles, database: RunsDatabase, clock: Clock, warn: Warn) {
    this.#files = files;
    this.#database = database;
    this.#warn = warn;
    this.#wal = new WriteAheadLog(database);
    let isReported = false;
    this.history = new HistoryRows(
      database,
      () => clock.wall(),
      (what) => {
        if (!isReported) warn({ what }, 'a part of the history of tests is damaged and is left out');
        isReported = true;
      },
    );
    this.verdicts = new VerdictRows(database, (count) =>
      warn(
        { count },
        `${count === 1 ? '1 stored verdict was' : `${count} stored verdicts were`} unreadable and skipped`,
      ),
    );
  }

  async stored(): Promise<readonly StoredRun[]> {
    const archives = await this.#files.sizes();
    const runs = this.#database.runs();
    const stored: StoredRun[] = [];
    for (const [runId, archive] of archives) {
      const known = runs.get(runId);
      // Created for a first batch that was never committed.
      if (!known && archive.bytes === 0) continue;
      const isShortened = known?.row != null && archive.bytes < known.row.bytes;
      const row = known?.row?.bytes === archive.bytes || isShortened ? known.row : null;
      stored.push({ runId, archive, row, isShortened, stamp: known?.stamp ?? this.#adopt(runId, archive) });
    }
    const gone = [...runs].filter(([runId]) => !archives.has(runId));
    for (const [runId, { stamp, row }] of gone) {
      const isRun = row !== null && (await this.#files.ejectedPath(runId)) === null;
      if (isRun) stored.push({ runId, archive: null, row, stamp });
      else this.#database.removeRun(runId);
    }
    return stored;
  }

  /** An archive that is not in the database: its sender is unknown, so it proves nothing. */
  #adopt(runId: string, { createdAtMs, changedAtMs }: NonNullable<StoredRun['archive']>): RunStamp {
    const receivedAt = iso(Math.round(Math.min(createdAtMs, changedAtMs)));
    const stamp: RunStamp = { receivedAt, publisher: null, trust: 'open' };
    this.#database.adopt(runId, stamp, null);
    return stamp;
  }

  append(runId: string, pieces: readonly (Uint8Array | string)[], stamp?: RunStamp): Promise<void> {
    const bytes = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
    return new Promise((done, failed) => {
      this.#waiting.push({ runId, pieces: bytes, stamp, done, failed });
      if (this.#working) return;
      this.#working = true;
      // All appends of one turn of the event loop share the flush.
      setImmediate(() => void this.#work());
    });
  }

  async #work(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = takeGroup(this.#waiting);
      await this.#turns.run(() => this.#commit(group));
      if (this.#batchBytes > batchBytes) this.#checkpointSoon();
    }
    this.#working = false;
  }

  /** Commits the batch before it is written to its archive: after a crash in between, the next start writes it. */
  async #commit(group: readonly QueuedAppend[]): Promise<void> {
    const planned: Planned[] = [];
    for (const waiting of group) {
      const { runId, pieces, stamp } = waiting;
      try {
        const write = pieces.length === 0 ? null : await this.#files.plan(runId, pieces);
        planned.push({ waiting, append: { runId, write, stamp } });
      } catch (error) {
        await this.#refuse(waiting, error);
      }
    }
    try {
      const kept = await this.#keep(planned.map(({ append }) => append));
      for (const [index, one] of kept.entries()) {
        const plan = planned[index];
        if (plan) await this.#writeArchive(plan, one);
      }
    } catch (error) {
      for (const { waiting } of planned) await this.#refuse(waiting, error);
    }
    await this.#tidy().catch((err) =>
      this.#warn({ err }, 'the database of runs could not be compacted; it will be retried'),
    );
  }

  async #tidy(): Promise<void> {
    this.#undo();
    await this.#files.closeIdle();
    await this.#wal.shorten();
    await this.#writeVerdicts(verdictsAtOnce);
  }

  async #keep(appends: readonly Append[]): Promise<Kept[]> {
    const kept = await this.#wal.commit(
      () => {
        this.#undo();
        return this.#database.append(appends);
      },
      bytesOf(appends.flatMap(({ write }) => write?.pieces ?? [])),
    );
    try {
      await this.#wal.flush();
      return kept;
    } catch (error) {
      this.#undo(kept);
      throw error;
    }
  }

  /** If this fails, it is retried before the next commit. */
  #undo(kept: readonly Kept[] = []): void {
    this.#toUndo.push(...kept);
    if (this.#toUndo.length > 0) this.#database.undo(this.#toUndo);
    this.#toUndo.length = 0;
  }

  async #writeArchive({ waiting, append: { runId, write } }: Planned, kept: Kept): Promise<void> {
    try {
      if (write) {
        await this.#files.write(runId, write);
        this.#unflushed.add(runId);
        this.#lastBatch = kept.batch;
        this.#batchBytes += write.bytes;
      }
      // The callers have much work to do next, so the flush of the next group is started first.
      setImmediate(waiting.done);
    } catch (error) {
      waiting.failed(error);
      this.#toUndo.push(kept);
    }
  }

  async #refuse({ runId, failed }: QueuedAppend, error: unknown): Promise<void> {
    await this.#files.close(runId).catch(() => undefined);
    failed(error);
  }

  async save(rowsNow: () => ReadonlyMap<string, Omit<RunRow, 'bytes'>>): Promise<void> {
    await this.#turns.run(async () => {
      const rows = rowsNow();
      const sizes = new Map<string, number>();
      for (const runId of rows.keys()) sizes.set(runId, (await this.#files.size(runId)) ?? 0);
      await this.#writeVerdicts();
      await this.#wal.commit(() =>
        this.#database.transaction(() => {
          for (const [runId, row] of rows) this.#database.saveRow(runId, { ...row, bytes: sizes.get(runId) ?? 0 });
        }),
      );
    });
  }

  /** Called before a run gets its row: a crash before it leaves a run without a row, which is read from its archive. */
  async #writeVerdicts(leave = 0): Promise<void> {
    while (this.verdicts.waiting > leave) {
      await this.#wal.commit(() => this.verdicts.write(verdictsAtOnce));
      await new Promise(setImmediate);
    }
  }

  async contains(runId: string, lines: readonly Uint8Array[]): Promise<ReadonlySet<number>> {
    const wanted = new Map<string, number[]>();
    for (const [index, line] of lines.entries()) {
      const text = Buffer.from(line).toString('utf8').replace(/\n$/, '');
      wanted.set(text, [...(wanted.get(text) ?? []), index]);
    }
    const found = new Set<number>();
    for await (const group of (await this.lines(runId)) ?? []) {
      for (const line of group) for (const index of wanted.get(line) ?? []) found.add(index);
      if (found.size === lines.length) break;
    }
    return found;
  }

  async read(runId: string): Promise<AsyncIterable<Uint8Array> | null> {
    const bytes = await this.#files.read(runId);
    return bytes && withoutStamps(bytes);
  }

  async lines(runId: string) {
    const bytes = await this.#files.read(runId);
    return bytes && readLines(bytes);
  }

  async damageOf(runId: string): Promise<string | null> {
    const size = await this.#files.size(runId);
    if (size === null) return (await this.#files.ejectedPath(runId)) === null ? 'the file is gone' : null;
    if (size < (this.#database.describedBytes(runId) ?? 0)) return 'the file is shorter than it was';
    return access(this.#files.path(runId), constants.R_OK).then(
      () => null,
      (error: NodeJS.ErrnoException) => `the file cannot be opened (${error.code})`,
    );
  }

  attachment(runId: string, sha256: string) {
    return this.#attachments.read(runId, this.#files.path(runId), sha256);
  }

  /** Recorded before the archive is moved: after a crash in between the run is still there and can be ejected again. */
  async eject(runId: string, atMs: number, by: string | null): Promise<void> {
    while (this.#unflushed.has(runId) || this.#flushing.has(runId)) await this.checkpoint();
    this.#attachments.forget(runId);
    await this.#turns.run(async () => {
      await this.#writeVerdicts();
      await this.#wal.commit(() => this.#database.addEjected(runId, atMs, by));
      await this.#wal.flush();
      await this.#files.eject(runId, atMs);
      this.#database.removeRun(runId);
    });
  }

  async ejectedBy(runId: string): Promise<string | null> {
    const noted = this.#database.ejectedBy(runId);
    if (noted !== undefined) return noted;
    // Earlier releases wrote it into the archive.
    const path = await this.#files.ejectedPath(runId);
    const text = path === null ? '' : await readFile(path, 'utf8').catch(() => '');
    return readLine(text.trimEnd().split('\n').at(-1) ?? '')?.stamp?.ejectedBy ?? null;
  }

  deleteEjected(beforeMs: number): Promise<number> {
    this.#database.forgetEjected(beforeMs);
    return this.#files.deleteEjected(beforeMs);
  }

  readonly checkpoint: () => Promise<void> = coalesced(async () => {
    const [runs, last] = await this.#turns.run(async () => {
      const sealed = [this.#unflushed, this.#lastBatch] as const;
      this.#flushing = this.#unflushed;
      this.#unflushed = new Set();
      this.#batchBytes = 0;
      return sealed;
    });
    if (runs.size === 0) return;
    try {
      await this.#flushArchives(runs);
      await this.#forgetBatches(last);
    } catch (error) {
      for (const runId of runs) this.#unflushed.add(runId);
      throw error;
    } finally {
      this.#flushing = new Set();
    }
  }).run;

  async #forgetBatches(last: number): Promise<void> {
    const forgetSome = () => this.#wal.commit(() => this.#database.forgetBatches(last, batchesAtOnce));
    while ((await this.#turns.run(forgetSome)) === batchesAtOnce) await new Promise(setImmediate);
  }

  async #flushArchives(runs: ReadonlySet<string>): Promise<void> {
    const lost = [...runs].filter((runId) => this.#suspect.has(runId));
    for (const runId of runs) {
      if (lost.includes(runId)) continue;
      await this.#files.flush(runId).catch((err) => {
        this.#warn({ err, runId }, 'an archive could not be flushed; it is written again from the database');
        this.#suspect.add(runId);
        lost.push(runId);
      });
    }
    if (lost.length > 0) {
      const batches = this.#database.batches();
      for (const runId of lost) {
        await this.#files.restore(runId, batches.get(runId) ?? []);
        this.#suspect.delete(runId);
      }
    }
    await flushPath(this.#files.folder);
  }

  #checkpointSoon(): void {
    this.checkpoint().catch((err) => this.#warn({ err }, 'archives could not be flushed; it will be retried'));
  }

  /** If the archives cannot be flushed, the batches stay for the next start. */
  async close(): Promise<void> {
    await this.checkpoint().catch((err) =>
      this.#warn({ err }, 'archives could not be flushed; their batches are kept'),
    );
    await this.#turns
      .run(() => this.#writeVerdicts())
      .catch((err) => this.#warn({ err }, 'verdicts could not be written'));
    await this.#turns.run(() => this.#wal.close());
    await this.#files.closeAll();
    this.#database.close();
  }
}

function takeGroup(waiting: QueuedAppend[]): QueuedAppend[] {
  let bytes = 0;
  let count = 0;
  for (const { pieces } of waiting) {
    bytes += bytesOf(pieces);
    if (count > 0 && (count === appendsAtOnce || bytes > bytesAtOnce)) break;
    count += 1;
  }
  return waiting.splice(0, count);
}
