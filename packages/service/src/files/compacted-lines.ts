import { closeSync, constants, fdatasync, fstatSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { flushPath } from './durable-file.ts';
import { readLines } from './read-lines.ts';
import { requireRegularFile } from './regular-file.ts';
import { openSafeFile } from './safe-file.ts';

const { O_RDWR, O_CREAT, O_APPEND, O_EXCL, O_NOFOLLOW = 0 } = constants;
const flushFile = promisify(fdatasync);
const chunkBytes = 256 * 1024;
/** Bytes per write when the file is rewritten: a few milliseconds. */
const linesAtOnce = 500;

/**
 * An append-only file of lines, rewritten once most of its lines are obsolete. A crash at any moment leaves the
 * old or the new file, with everything that was appended.
 */
export class CompactedLines {
  readonly #path: string;
  #fd: number;
  /** Bytes that a full disk rejected: they are written first, so that no line is split. */
  #unwritten: Buffer;
  #lines: number;
  /** Lines appended during a rewrite, for the new file. */
  #meanwhile: Buffer[] | undefined;
  #rewriting: Promise<void> = Promise.resolve();

  private constructor(path: string, lines: number) {
    this.#path = path;
    this.#lines = lines;
    this.#fd = openSync(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, 0o600);
    this.#unwritten = Buffer.from(endsMidLine(this.#fd) ? '\n' : '');
  }

  /** Passes every line to `read`, however large the file. */
  static async open(path: string, read: (line: string) => void): Promise<CompactedLines> {
    await mkdir(dirname(path), { recursive: true });
    await rm(`${path}.new`, { force: true });
    requireRegularFile(path);
    let lines = 0;
    for await (const line of linesIn(path)) {
      lines += 1;
      read(line);
    }
    return new CompactedLines(path, lines);
  }

  get lines(): number {
    return this.#lines;
  }

  /** Returns once the system has them, or the error; failed lines are tried again with the next ones. */
  append(lines: readonly string[]): unknown {
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''));
    this.#lines += lines.length;
    this.#meanwhile?.push(bytes);
    this.#unwritten = Buffer.concat([this.#unwritten, bytes]);
    return this.#write();
  }

  async flush(): Promise<void> {
    await this.#rewriting;
    await flushFile(this.#fd);
  }

  /** Rewrites the file with only these lines, while others keep appending. */
  rewrite(lines: () => Iterable<string>): Promise<void> {
    const rewriting = this.#rewriting.then(() => this.#rewrite(lines()));
    this.#rewriting = rewriting.catch(() => undefined);
    return rewriting;
  }

  async close(): Promise<void> {
    await this.#rewriting;
    this.#write();
    await flushFile(this.#fd);
    closeSync(this.#fd);
  }

  async #rewrite(lines: Iterable<string>): Promise<void> {
    const temporary = `${this.#path}.new`;
    const before = this.#lines;
    let written = 0;
    this.#meanwhile = [];
    try {
      const file = await open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
      try {
        for (const some of inPieces(lines)) {
          // Unlike `write`, which may write only a part.
          await file.appendFile(`${some.join('\n')}\n`);
          written += some.length;
        }
        await file.sync();
      } finally {
        await file.close();
      }
      this.#exchange(temporary, this.#meanwhile);
      this.#lines += written - before;
    } catch (fault) {
      await rm(temporary, { force: true });
      // Tried again after as many more lines.
      this.#lines -= before;
      throw fault;
    } finally {
      this.#meanwhile = undefined;
    }
    await flushPath(dirname(this.#path));
  }

  /** Done in one turn, so that nothing is appended in between. */
  #exchange(temporary: string, meanwhile: readonly Buffer[]): void {
    const fd = openSync(temporary, O_RDWR | O_APPEND | O_NOFOLLOW);
    try {
      writeWhole(fd, Buffer.concat(meanwhile));
      renameSync(temporary, this.#path);
    } catch (fault) {
      closeSync(fd);
      throw fault;
    }
    closeSync(this.#fd);
    this.#fd = fd;
    this.#unwritten = Buffer.alloc(0);
  }

  #write(): unknown {
    try {
      while (this.#unwritten.length > 0)
        this.#unwritten = this.#unwritten.subarray(writeSync(this.#fd, this.#unwritten));
      return undefined;
    } catch (fault) {
      return fault;
    }
  }
}

function* inPieces(lines: Iterable<string>): Iterable<readonly string[]> {
  let piece: string[] = [];
  for (const line of lines) {
    piece.push(line);
    if (piece.length < linesAtOnce) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}

async function* linesIn(path: string): AsyncIterable<string> {
  const opened = await openSafeFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!opened) return;
  for await (const lines of readLines(opened.file.createReadStream({ highWaterMark: chunkBytes })))
    for (const line of lines) if (line.trim() !== '') yield line;
}

function writeWhole(fd: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
}

/** A line cut off by a crash stays separate from the next one. */
function endsMidLine(fd: number): boolean {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  return size > 0 && readSync(fd, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
}
