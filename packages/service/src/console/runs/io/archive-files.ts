import { constants, createReadStream, writev, writevSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, readdir, rename, unlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { flushPath, nullIfMissing } from '../../../files/durable-file.ts';
import { openSafeFile } from '../../../files/safe-file.ts';
import { isRunId } from '../../../run-contract/run-id.ts';
import type { StoredRun } from '../run-store.ts';

const suffix = '.ndjson';
/** How many files stay open between batches. */
const openAtOnce = 64;
/** How many files are examined in parallel, so that a slow one does not delay thousands. */
const filesAtOnce = 64;

/** `<folder>/<runId>.ndjson`, and `ejected/` for ejected runs. Writes without flushing. */
export class ArchiveFiles {
  readonly folder: string;
  readonly #ejected: string;
  /** Open for appending, the least recently used first. */
  readonly #writers = new Map<string, ArchiveWriter>();
  /** Runs whose archives were flushed since this process opened them. */
  readonly #settled = new Set<string>();

  private constructor(folder: string) {
    this.folder = folder;
    this.#ejected = join(folder, 'ejected');
  }

  static async open(folder: string): Promise<ArchiveFiles> {
    const files = new ArchiveFiles(folder);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await mkdir(files.#ejected, { recursive: true, mode: 0o700 });
    if (!(await lstat(files.#ejected)).isDirectory())
      throw new Error('archives must be in plain folders, not behind links');
    // A new folder is durable once its parent is flushed.
    await flushPath(folder);
    await flushPath(dirname(folder));
    return files;
  }

  path(runId: string): string {
    return join(this.folder, runId + suffix);
  }

  /** Every archive that is not ejected. */
  async sizes(): Promise<Map<string, NonNullable<StoredRun['archive']>>> {
    const runIds = (await readdir(this.folder, { withFileTypes: true }))
      .filter((entry) => entry.isFile() && entry.name.endsWith(suffix))
      .map(({ name }) => name.slice(0, -suffix.length))
      .filter((runId) => isRunId(runId) && runId === runId.toLowerCase());
    const sizes = new Map<string, NonNullable<StoredRun['archive']>>();
    for (let from = 0; from < runIds.length; from += filesAtOnce) {
      const some = runIds.slice(from, from + filesAtOnce);
      const stats = await Promise.all(some.map((runId) => lstat(this.path(runId)).catch(nullIfMissing)));
      some.forEach((runId, index) => {
        const found = stats[index];
        if (!found) return;
        const { size: bytes, mtimeMs: changedAtMs, birthtimeMs: createdAtMs } = found;
        sizes.set(runId, { bytes, changedAtMs, createdAtMs });
      });
    }
    return sizes;
  }

  /** Null when there is none. */
  async size(runId: string): Promise<number | null> {
    const stats = await lstat(this.path(runId)).catch(nullIfMissing);
    return stats?.isFile() ? stats.size : null;
  }

  /** Reserves the position of these lines; followed by `write`, or by `close` to give it up. */
  async plan(runId: string, lines: readonly Uint8Array[]): Promise<ArchiveWrite> {
    return (await this.#writer(runId)).plan(lines);
  }

  /** Writes everything or nothing. */
  async write(runId: string, planned: ArchiveWrite): Promise<void> {
    try {
      await (await this.#writer(runId)).write(planned);
    } catch (error) {
      await this.close(runId).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Writes bytes at their positions, over existing bytes, and flushes them. If the beginning of an archive is missing,
   * it is not created again.
   */
  async restore(runId: string, writes: readonly { offset: number; bytes: Uint8Array }[]): Promise<void> {
    if (writes[0]?.offset !== 0 && (await this.size(runId)) === null) return;
    const { file, stats } = await openSafeFile(this.path(runId), constants.O_RDWR | constants.O_CREAT);
    try {
      let { size } = stats;
      let isUnchanged = true;
      for (const { offset, bytes } of writes) {
        // Somebody else shortened the file; the acknowledged bytes are kept anyway.
        const at = Math.min(offset, size);
        isUnchanged &&= await holds(file, at, bytes);
        // Bytes that are already there are written again: after a failed flush the system shows bytes that never reached
        // the disk, and treats them as flushed.
        for (let done = 0; done < bytes.length; )
          done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
        size = Math.max(size, at + bytes.length);
      }
      // The modification time is taken as the time of the last event, so it must not change.
      if (isUnchanged) await file.utimes(stats.atime, stats.mtime);
      await file.datasync();
    } finally {
      await file.close();
    }
  }

  /** Reads up to the end of the last complete write; bytes that are being appended are left to the next reader. */
  async read(runId: string): Promise<AsyncIterable<Uint8Array> | null> {
    const opened = await openSafeFile(this.path(runId)).catch(nullIfMissing);
    if (!opened) return null;
    const { file } = opened;
    try {
      const size = await this.#wholeSize(runId, file);
      if (size > 0) return createReadStream('', { fd: file, start: 0, end: size - 1, highWaterMark: 64 * 1024 });
    } catch (error) {
      await file.close();
      throw error;
    }
    await file.close();
    return nothing();
  }

  /** Flushes everything that was ever written to this archive. */
  async flush(runId: string): Promise<void> {
    const open = this.#writers.get(runId);
    if (open) return open.flush();
    const opened = await openSafeFile(this.path(runId), constants.O_RDWR).catch(nullIfMissing);
    await opened?.file.datasync().finally(() => opened.file.close());
  }

  async eject(runId: string, atMs: number): Promise<void> {
    await this.close(runId);
    this.#settled.delete(runId);
    const from = this.path(runId);
    if (!(await lstat(from).catch(nullIfMissing))) return;
    // The time is set first: after a crash before the move, the archive is still on the board and only looks younger.
    await utimes(from, atMs / 1000, atMs / 1000);
    const to = await freeName(this.#ejected, runId);
    await rename(from, to);
    await this.#makeLast(from, to);
  }

  /** The newest of the files that were ejected under one run id; null if none was. */
  async ejectedPath(runId: string): Promise<string | null> {
    const free = await freeName(this.#ejected, runId);
    const count = Number(/~(\d+)\.ndjson$/.exec(free)?.[1] ?? 1) - 1;
    return count < 1 ? null : join(this.#ejected, `${count === 1 ? runId : `${runId}~${count}`}${suffix}`);
  }

  async deleteEjected(beforeMs: number): Promise<number> {
    let deleted = 0;
    for (const name of await readdir(this.#ejected)) {
      const path = join(this.#ejected, name);
      const stats = await lstat(path).catch(nullIfMissing);
      if (!stats?.isFile() || !name.endsWith(suffix) || stats.mtimeMs >= beforeMs) continue;
      await unlink(path);
      deleted += 1;
    }
    return deleted;
  }

  async close(runId: string): Promise<void> {
    const writer = this.#writers.get(runId);
    this.#writers.delete(runId);
    await writer?.close();
  }

  async closeIdle(): Promise<void> {
    for (const runId of this.#writers.keys()) {
      if (this.#writers.size <= openAtOnce) return;
      await this.close(runId);
    }
  }

  async closeAll(): Promise<void> {
    for (const runId of [...this.#writers.keys()]) await this.close(runId);
  }

  async #writer(runId: string): Promise<ArchiveWriter> {
    const known = this.#writers.get(runId);
    this.#writers.delete(runId);
    const writer = known ?? (await ArchiveWriter.open(this.path(runId)));
    this.#writers.set(runId, writer);
    if (known || this.#settled.has(runId)) return writer;
    // A batch is stored with its offset, so all bytes before it must be durable first.
    if (writer.size > 0) await writer.flush();
    this.#settled.add(runId);
    return writer;
  }

  /** The size without a batch that is only partly written. */
  async #wholeSize(runId: string, file: FileHandle): Promise<number> {
    const whole = () => this.#writers.get(runId)?.size;
    for (;;) {
      const before = whole();
      const { size } = await file.stat();
      if (before !== undefined) return Math.min(before, size);
      if (whole() === undefined) return size;
    }
  }

  /** Undoes a move that cannot be flushed, so that a run that is reported to stay really stays. If that fails too, the run is ejected. */
  async #makeLast(from: string, to: string): Promise<void> {
    try {
      await flushPath(this.#ejected);
      await flushPath(this.folder);
    } catch (error) {
      const isBack = await rename(to, from).then(
        () => true,
        () => false,
      );
      if (isBack) throw error;
    }
  }
}

async function* nothing(): AsyncIterable<Uint8Array> {}

/** An earlier ejected run with the same id keeps its file; `~` cannot occur in a run id. */
async function freeName(folder: string, runId: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const path = join(folder, `${count === 1 ? runId : `${runId}~${count}`}${suffix}`);
    if (!(await lstat(path).catch(nullIfMissing))) return path;
  }
}

/** The position of appended bytes in an archive. */
export type ArchiveWrite = { offset: number; bytes: number; pieces: readonly Uint8Array[] };

const newline = Buffer.from('\n');

/** An archive that is open for appending. Writes without flushing. */
export class ArchiveWriter {
  readonly #file: FileHandle;
  #size: number;
  #plannedSize: number;
  #endsMidLine: boolean;

  private constructor(file: FileHandle, size: number, endsMidLine: boolean) {
    this.#file = file;
    this.#size = size;
    this.#plannedSize = size;
    this.#endsMidLine = endsMidLine;
  }

  static async open(path: string): Promise<ArchiveWriter> {
    const { O_RDWR, O_CREAT, O_APPEND } = constants;
    const { file, stats } = await openSafeFile(path, O_RDWR | O_CREAT | O_APPEND);
    try {
      const { size } = stats;
      return new ArchiveWriter(file, size, size > 0 && !(await holds(file, size - 1, newline)));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get size(): number {
    return this.#size;
  }

  plan(lines: readonly Uint8Array[]): ArchiveWrite {
    // Ends a line that a crash cut off, so that it does not damage the next one.
    const pieces = this.#endsMidLine ? [newline, ...lines] : lines;
    const [offset, bytes] = [this.#plannedSize, bytesOf(pieces)];
    this.#plannedSize += bytes;
    this.#endsMidLine = false;
    return { offset, bytes, pieces };
  }

  async write({ offset, bytes, pieces }: ArchiveWrite): Promise<void> {
    try {
      if (offset !== this.#size) throw new Error('the bytes before these are missing');
      await writeAll(this.#file.fd, pieces);
    } catch (error) {
      await this.#file.truncate(this.#size).catch(() => undefined);
      throw error;
    }
    this.#size += bytes;
  }

  flush(): Promise<void> {
    return this.#file.datasync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

const writeLarge = promisify(writev);

/** The system takes at most this many pieces at once, and may write fewer bytes than given. */
const piecesAtOnce = 1024;
/** A write this small only copies into the system's memory; a thread switch would cost more. */
const smallBytes = 256 * 1024;

async function writeAll(fd: number, pieces: readonly Uint8Array[]): Promise<void> {
  let left = pieces;
  while (left.length > 0) {
    const some = left.length > piecesAtOnce ? left.slice(0, piecesAtOnce) : left;
    const isSmall = bytesOf(some) <= smallBytes;
    left = after(left, isSmall ? writevSync(fd, some) : (await writeLarge(fd, some)).bytesWritten);
  }
}

export function bytesOf(pieces: readonly Uint8Array[]): number {
  let sum = 0;
  for (const { byteLength } of pieces) sum += byteLength;
  return sum;
}

function after(pieces: readonly Uint8Array[], written: number): readonly Uint8Array[] {
  let left = written;
  for (const [index, piece] of pieces.entries()) {
    if (left < piece.length) return [piece.subarray(left), ...pieces.slice(index + 1)];
    left -= piece.length;
  }
  return [];
}

async function holds(file: FileHandle, at: number, bytes: Uint8Array): Promise<boolean> {
  const found = Buffer.alloc(bytes.length);
  const { bytesRead } = await file.read(found, 0, found.length, at);
  return bytesRead === bytes.length && found.equals(bytes);
}

const stampStart = Buffer.from('{"type":"console_stamp"');

/** Leaves out the stamps that earlier releases wrote between the events. */
export async function* withoutStamps(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    const end = bytes.lastIndexOf(0x0a) + 1;
    rest = bytes.subarray(end);
    yield* linesWithoutStamps(bytes.subarray(0, end));
  }
  yield* linesWithoutStamps(rest);
}

function* linesWithoutStamps(bytes: Buffer): Iterable<Uint8Array> {
  if (bytes.length === 0) return;
  if (!bytes.includes(stampStart)) return yield bytes;
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from) + 1 || bytes.length;
    const line = bytes.subarray(from, end);
    if (line.indexOf(stampStart) !== 0) yield line;
    from = end;
  }
}
