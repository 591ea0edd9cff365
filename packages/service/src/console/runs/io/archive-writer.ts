import { constants, fdatasync, type Stats, writev, writevSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';

const newline = Buffer.from('\n');
/** Never through a link, never waiting for a pipe's other end. */
export const careful = constants.O_NOFOLLOW | constants.O_NONBLOCK;

const flush = promisify(fdatasync);
const write = promisify(writev) as unknown as (
  fd: number,
  pieces: readonly Uint8Array[],
) => Promise<{ bytesWritten: number }>;

/** An archive open for appending. What is not flushed is taken back, so that a refused batch leaves no line. */
export class ArchiveWriter {
  readonly isNew: boolean;
  #file: FileHandle;
  #size: number;
  #torn: boolean;

  private constructor(file: FileHandle, size: number, torn: boolean) {
    this.#file = file;
    this.#size = size;
    this.#torn = torn;
    this.isNew = size === 0;
  }

  static async open(path: string): Promise<ArchiveWriter> {
    const { O_RDWR, O_CREAT, O_APPEND } = constants;
    const file = await open(path, O_RDWR | O_CREAT | O_APPEND | careful, 0o600);
    try {
      const { size } = regular(await file.stat());
      return new ArchiveWriter(file, size, size > 0 && (await endsTorn(file, size)));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async append(pieces: readonly Uint8Array[]): Promise<void> {
    // A line that a crash cut off stays by itself and does not spoil the next one.
    const all = this.#torn ? [newline, ...pieces] : pieces;
    try {
      const written = await writeAll(this.#file.fd, all);
      await flush(this.#file.fd);
      this.#size += written;
      this.#torn = false;
    } catch (error) {
      await this.#file.truncate(this.#size).catch(() => undefined);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

export function regular(stats: Stats): Stats {
  if (!stats.isFile()) throw new Error('an archive must be a plain file');
  return stats;
}

async function endsTorn(file: FileHandle, size: number): Promise<boolean> {
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}

/** The system takes at most 1,024 pieces at once, and may take fewer bytes than it was given. */
async function writeAll(fd: number, pieces: readonly Uint8Array[]): Promise<number> {
  let left = pieces;
  let total = 0;
  while (left.length > 0) {
    const some = left.slice(0, 1024);
    const bytesWritten = isSmall(some) ? writevSync(fd, some) : (await write(fd, some)).bytesWritten;
    total += bytesWritten;
    left = after(left, bytesWritten);
  }
  return total;
}

/** Into the system's memory and no further: handing so little to another thread would cost more than the write. */
const isSmall = (pieces: readonly Uint8Array[]): boolean =>
  pieces.reduce((sum, { byteLength }) => sum + byteLength, 0) <= 128 * 1024;

function after(pieces: readonly Uint8Array[], written: number): readonly Uint8Array[] {
  let left = written;
  for (const [index, piece] of pieces.entries()) {
    if (left < piece.length) return [piece.subarray(left), ...pieces.slice(index + 1)];
    left -= piece.length;
  }
  return [];
}
