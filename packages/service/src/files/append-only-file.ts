import { closeSync, constants, fstatSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import { requireRegularFile } from './regular-file.ts';

const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW = 0 } = constants;

/**
 * Appends complete lines and returns once the operating system has them, so that they survive this process. It does not
 * wait for the disk, so a power failure may lose them.
 */
export class AppendOnlyFile {
  readonly path: string;
  readonly inode: number;
  readonly #fd: number;
  #size: number;
  #isTorn: boolean;

  constructor(path: string) {
    this.path = path;
    requireRegularFile(path);
    this.#fd = openSync(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
    const stats = fstatSync(this.#fd);
    this.inode = stats.ino;
    this.#size = stats.size;
    // A line cut off by a crash stays separate from the next one. Its line break is written with the next line, because the disk may be full now.
    this.#isTorn = stats.size > 0 && this.#byteAt(stats.size - 1) !== 10;
  }

  get size(): number {
    return this.#size;
  }

  append(text: string): void {
    const bytes = Buffer.from(this.#isTorn ? `\n${text}` : text);
    this.#isTorn = false;
    for (let written = 0; written < bytes.length; ) {
      const count = writeSync(this.#fd, bytes, written);
      written += count;
      this.#size += count;
    }
  }

  /** The file keeps its bytes under another name; a new one begins. */
  rotate(to: string): AppendOnlyFile {
    renameSync(this.path, to);
    this.close();
    return new AppendOnlyFile(this.path);
  }

  close(): void {
    closeSync(this.#fd);
  }

  #byteAt(position: number): number {
    const byte = Buffer.alloc(1);
    readSync(this.#fd, byte, 0, 1, position);
    return byte[0] ?? 0;
  }
}
