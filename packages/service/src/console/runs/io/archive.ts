import { createReadStream } from 'node:fs';
import { type FileHandle, lstat, mkdir, readdir, rename, rm, unlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flushPath, nullIfMissing } from '../../../files/durable-file.ts';
import { readLines } from '../../../files/read-lines.ts';
import { openSafeFile } from '../../../files/safe-file.ts';
import type { Archive, ArchiveIndex, StoredArchive } from '../ports.ts';
import { readLine } from '../replay.ts';
import { archiveEnds } from './archive-ends.ts';
import { archiveSuffix, archivesIn, indexPath, saveIndex } from './archive-index.ts';
import { AttachmentLines } from './attachments.ts';
import { GroupAppend } from './group-append.ts';
import { Journal } from './journal.ts';
import { OpenArchives } from './open-archives.ts';
import { recoverArchives } from './recover-archives.ts';

/**
 * `<folder>/<runId>.ndjson`, `ejected/` for what was taken off the board, `.journal/` for what the archives may not have
 * on disk yet, `.index/` for what can be made again.
 */
export async function openArchive(
  folder: string,
  warn: (details: object, text: string) => void = () => undefined,
): Promise<Archive> {
  const journalFolder = join(folder, '.journal');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const path of [join(folder, 'ejected'), join(folder, '.index'), journalFolder]) {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await assertFolder(path);
  }
  // The folders are only there for good once those around them are flushed.
  await flushPath(folder);
  await flushPath(dirname(folder));
  await recoverArchives(folder, journalFolder);
  const archives = new OpenArchives(folder);
  const group = new GroupAppend(folder, archives, await Journal.open(journalFolder), warn);
  return new FileArchive(folder, archives, group);
}

class FileArchive implements Archive {
  readonly #folder: string;
  readonly #ejected: string;
  readonly #archives: OpenArchives;
  readonly #group: GroupAppend;
  readonly #attachments = new AttachmentLines();

  constructor(folder: string, archives: OpenArchives, group: GroupAppend) {
    this.#folder = folder;
    this.#ejected = join(folder, 'ejected');
    this.#archives = archives;
    this.#group = group;
  }

  append(runId: string, pieces: readonly (Uint8Array | string)[]): Promise<void> {
    return this.#group.append(
      runId,
      pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
    );
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

  checkpoint(): Promise<void> {
    return this.#group.checkpoint();
  }

  stored(): AsyncIterable<StoredArchive> {
    return archivesIn(this.#folder);
  }

  async size(runId: string) {
    const stats = await lstat(this.#path(runId)).catch(nullIfMissing);
    return stats?.isFile() ? { bytes: stats.size, changedAtMs: stats.mtimeMs } : null;
  }

  read(runId: string): Promise<AsyncIterable<Uint8Array> | null> {
    return readFrom(this.#path(runId), () => this.#archives.sizeOf(runId));
  }

  async lines(runId: string) {
    const bytes = await this.read(runId);
    return bytes && readLines(bytes);
  }

  ends(runId: string) {
    return archiveEnds(this.#path(runId));
  }

  attachment(runId: string, sha256: string) {
    return this.#attachments.read(runId, this.#path(runId), sha256);
  }

  saveIndex(runId: string, index: ArchiveIndex): Promise<void> {
    return saveIndex(this.#folder, runId, index);
  }

  async eject(runId: string, atMs: number): Promise<boolean> {
    await this.#group.settle(runId);
    await this.#archives.close(runId);
    this.#attachments.forget(runId);
    const from = this.#path(runId);
    if (!(await lstat(from).catch(nullIfMissing))) return false;
    // The time comes first: after a crash in between, the archive is still on the board and only looks younger.
    await utimes(from, atMs / 1000, atMs / 1000);
    const to = await freeName(this.#ejected, runId);
    await rename(from, to);
    await this.#makeLast(from, to);
    await rm(indexPath(this.#folder, runId), { force: true }).catch(() => undefined);
    return true;
  }

  async ejectedBy(runId: string): Promise<string | null> {
    const path = await lastName(this.#ejected, runId);
    const ends = path === null ? null : await archiveEnds(path).catch(() => null);
    return ejectedByIn(ends?.lines.at(-1) ?? '');
  }

  /** A move that cannot be made to last is undone, so that a run that is said to stay does. What cannot go back has gone. */
  async #makeLast(from: string, to: string): Promise<void> {
    try {
      await flushPath(this.#ejected);
      await flushPath(this.#folder);
    } catch (error) {
      const isBack = await rename(to, from).then(
        () => true,
        () => false,
      );
      if (isBack) throw error;
    }
  }

  async deleteEjected(beforeMs: number): Promise<number> {
    let deleted = 0;
    for (const name of await readdir(this.#ejected)) {
      const path = join(this.#ejected, name);
      const stats = await lstat(path).catch(nullIfMissing);
      if (!stats?.isFile() || !name.endsWith(archiveSuffix) || stats.mtimeMs >= beforeMs) continue;
      await unlink(path);
      deleted += 1;
    }
    return deleted;
  }

  async close(): Promise<void> {
    await this.#group.close();
    await this.#archives.closeAll();
  }

  #path(runId: string): string {
    return join(this.#folder, runId + archiveSuffix);
  }
}

/** As long as the file is now, up to what is written `whole`: what is being appended is for the next reader. */
async function readFrom(path: string, whole: () => number | undefined): Promise<AsyncIterable<Uint8Array> | null> {
  const opened = await openSafeFile(path).catch(nullIfMissing);
  if (!opened) return null;
  const { file } = opened;
  try {
    const size = await wholeSize(file, whole);
    if (size > 0) return createReadStream('', { fd: file, start: 0, end: size - 1, highWaterMark: 64 * 1024 });
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  return nothing();
}

/** While a large batch is being written the file already shows some of it. */
async function wholeSize(file: FileHandle, whole: () => number | undefined): Promise<number> {
  for (;;) {
    const before = whole();
    const { size } = await file.stat();
    if (before !== undefined) return Math.min(before, size);
    if (whole() === undefined) return size;
  }
}

async function assertFolder(path: string): Promise<void> {
  if (!(await lstat(path)).isDirectory()) throw new Error('archives must lie in plain folders, not behind links');
}

async function* nothing(): AsyncIterable<Uint8Array> {}

/** The newest of the files that were ejected under one run id; null when there is none. */
async function lastName(folder: string, runId: string): Promise<string | null> {
  const free = await freeName(folder, runId);
  const count = Number(/~(\d+)\.ndjson$/.exec(free)?.[1] ?? 1) - 1;
  return count < 1 ? null : join(folder, `${count === 1 ? runId : `${runId}~${count}`}${archiveSuffix}`);
}

function ejectedByIn(line: string): string | null {
  const parsed = readLine(line);
  return typeof parsed?.stamp?.ejectedBy === 'string' ? parsed.stamp.ejectedBy : null;
}

/** A run id ejected before keeps its file: `~` is in no run id. */
async function freeName(folder: string, runId: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const path = join(folder, `${count === 1 ? runId : `${runId}~${count}`}${archiveSuffix}`);
    if (!(await lstat(path).catch(nullIfMissing))) return path;
  }
}
