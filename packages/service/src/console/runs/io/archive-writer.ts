import { constants } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { openSafeFile } from '../../../files/safe-file.ts';
import { bytesOf, writeAll } from './write-all.ts';

const newline = Buffer.from('\n');

/** Where in the archive the pieces stand now. */
export type ArchiveWrite = { offset: number; bytes: number; pieces: readonly Uint8Array[] };

/** An archive open for appending. Writes without flushing; the journal makes the lines durable. */
export class ArchiveWriter {
  #file: FileHandle;
  #size: number;
  #endsMidLine: boolean;

  private constructor(file: FileHandle, size: number, torn: boolean) {
    this.#file = file;
    this.#size = size;
    this.#endsMidLine = torn;
  }

  static async open(path: string): Promise<ArchiveWriter> {
    const { O_RDWR, O_CREAT, O_APPEND } = constants;
    const { file, stats } = await openSafeFile(path, O_RDWR | O_CREAT | O_APPEND);
    try {
      const { size } = stats;
      return new ArchiveWriter(file, size, size > 0 && (await endsMidLine(file, size)));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get size(): number {
    return this.#size;
  }

  async write(lines: readonly Uint8Array[]): Promise<ArchiveWrite> {
    // A line that a crash cut off stays by itself and does not spoil the next one.
    const pieces = this.#endsMidLine ? [newline, ...lines] : lines;
    const written = { offset: this.#size, bytes: bytesOf(pieces), pieces };
    try {
      await writeAll(this.#file.fd, pieces);
    } catch (error) {
      await this.undo(written);
      throw error;
    }
    this.#size += written.bytes;
    this.#endsMidLine = false;
    return written;
  }

  /** A refused batch leaves no line. */
  async undo({ offset }: ArchiveWrite): Promise<void> {
    await this.#file.truncate(offset).catch(() => undefined);
  }

  flush(): Promise<void> {
    return this.#file.datasync();
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

async function endsMidLine(file: FileHandle, size: number): Promise<boolean> {
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last[0] !== 0x0a;
}
