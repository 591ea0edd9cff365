import { constants, writev, writevSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { openSafeFile } from '../../../files/safe-file.ts';

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
    // A line cut off by a crash stays separate from the next one.
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
/** Into the system's memory and no further: handing so little to another thread would cost more than the write. */
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

export async function holds(file: FileHandle, at: number, bytes: Uint8Array): Promise<boolean> {
  const found = Buffer.alloc(bytes.length);
  const { bytesRead } = await file.read(found, 0, found.length, at);
  return bytesRead === bytes.length && found.equals(bytes);
}
