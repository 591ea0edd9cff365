import { constants, fdatasync } from 'node:fs';
import { type FileHandle, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { flushPath, nullIfMissing } from '../../../files/durable-file.ts';
import { openSafeFile } from '../../../files/safe-file.ts';
import { type ArchiveAppend, recordOf } from './journal-record.ts';
import { bytesOf, writeAll } from './write-all.ts';

const flush = promisify(fdatasync);

type JournalPart = {
  number: number;
  path: string;
  file: FileHandle;
  bytes: number;
  runs: Set<string>;
  suspect: boolean;
  /** A write or a flush of it failed. */
  failed: boolean;
};

/** A part that takes no more. Once its runs' archives are flushed it may go. */
export type SealedPart = {
  path: string;
  runs: ReadonlySet<string>;
  /** A flush of one of its archives failed; what another one says of them cannot be trusted. */
  suspect: boolean;
  doubt(): void;
  discard(): Promise<void>;
};

/**
 * What was appended to the archives since these were last flushed, in the order it came. One flush of it stands for one
 * of each archive. It lies in parts: one is written while the archives of the one before are flushed. The file of a part
 * that may go is kept for the next one: where a file has its room already, a flush need not wait for what the system
 * keeps of all others.
 */
export class Journal {
  readonly #folder: string;
  #part: JournalPart | null = null;
  #number = 0;
  readonly #sealed = new Set<JournalPart>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** For a folder whose parts, if it has any, were taken back into the archives. */
  static async open(folder: string): Promise<Journal> {
    // It may hold the records of a number that is given again.
    await rm(join(folder, spareName), { force: true });
    const journal = new Journal(folder);
    for (const path of await partsIn(folder)) journal.#number = Math.max(journal.#number, numberOf(path));
    return journal;
  }

  get bytes(): number {
    return this.#part?.bytes ?? 0;
  }

  mentions(runId: string): boolean {
    return [this.#part, ...this.#sealed].some((part) => part?.runs.has(runId));
  }

  /** On disk once this resolves. A part that failed once is not written to again: what a failed flush left is unknown. */
  async append(all: readonly ArchiveAppend[]): Promise<void> {
    const part = this.#part ?? (await this.#begin());
    const pieces = all.flatMap((appended) => recordOf(part.number, appended));
    for (const { runId } of all) part.runs.add(runId);
    try {
      await writeAll(part.file.fd, pieces);
      await flush(part.file.fd);
      part.bytes += bytesOf(pieces);
    } catch (error) {
      await part.file.truncate(part.bytes).catch(() => undefined);
      part.failed = true;
      this.#seal(part);
      throw error;
    }
  }

  /** Ends the current part. What was sealed and not discarded comes again. */
  seal(): readonly SealedPart[] {
    if (this.#part) this.#seal(this.#part);
    return [...this.#sealed].map((part) => ({
      path: part.path,
      runs: part.runs,
      suspect: part.suspect,
      doubt: () => {
        part.suspect = true;
      },
      discard: () => this.#discard(part),
    }));
  }

  async close(): Promise<void> {
    for (const { file } of [...(this.#part ? [this.#part] : []), ...this.#sealed]) await file.close();
    await rm(join(this.#folder, spareName), { force: true });
  }

  async #begin(): Promise<JournalPart> {
    this.#number += 1;
    const number = this.#number;
    const path = join(this.#folder, `${number}${partSuffix}`);
    await rename(join(this.#folder, spareName), path).catch(nullIfMissing);
    const { file } = await openSafeFile(path, constants.O_WRONLY | constants.O_CREAT);
    try {
      await flushPath(this.#folder);
    } catch (error) {
      await file.close();
      throw error;
    }
    this.#part = { number, path, file, bytes: 0, runs: new Set(), suspect: false, failed: false };
    return this.#part;
  }

  #seal(part: JournalPart): void {
    this.#sealed.add(part);
    if (this.#part === part) this.#part = null;
  }

  /** Must be durable before its runs change again: a part read again later would restore old lines. */
  async #discard(part: JournalPart): Promise<void> {
    if (part.failed) await rm(part.path, { force: true });
    else await rename(part.path, join(this.#folder, spareName)).catch(nullIfMissing);
    await flushPath(this.#folder);
    this.#sealed.delete(part);
    await part.file.close();
  }
}

const partSuffix = '.journal';
const spareName = 'spare';
export const numberOf = (path: string): number => Number(/(\d{1,15})\.journal$/.exec(path)?.[1]);

/** Every part that is there, in the order they were written. */
export async function partsIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && /^\d{1,15}\.journal$/.test(entry.name))
    .map(({ name }) => join(folder, name))
    .sort((a, b) => numberOf(a) - numberOf(b));
}
