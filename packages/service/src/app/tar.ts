import { execFile } from 'node:child_process';
import { createReadStream, statSync } from 'node:fs';
import { mkdir, open, readdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { flushPath } from '../files/durable-file.ts';
import { errorCode, errorMessage } from '../kernel/error-code.ts';
import { trimEndOf } from '../kernel/text.ts';

const run = promisify(execFile);

/** Packs the contents of the folder with the system's tar, in the format that keeps fractions of a second; `first` becomes the first entry. */
export async function pack(folder: string, file: string, first: string): Promise<void> {
  // The file is created with mode 600 before tar writes to it.
  await writeFile(file, '', { mode: 0o600 });
  const others = (await readdir(folder)).filter((name) => name !== first).map((name) => `./${name}`);
  await run('tar', ['--format=pax', '-czf', file, '-C', folder, `./${first}`, ...others]);
  await flushPath(file);
}

/** The file was changed, or contains what no backup contains. Completes "FILE is damaged: …". */
export class BadArchive extends Error {}

export type PackedEntry = { path: string; kind: 'file' | 'folder'; bytes: number; mtimeMs: number };
/** Reads or skips the content; `false` stops reading. */
export type ReadEntry = (entry: PackedEntry, content: AsyncIterable<Buffer>) => Promise<boolean | undefined>;

/** Reads a packed file from start to end, keeping only one piece in memory. */
export async function readPacked(file: string, read: ReadEntry): Promise<void> {
  const source = createReadStream(file);
  const unzipped = source.pipe(createGunzip());
  source.on('error', (fault) => unzipped.destroy(fault));
  try {
    const isWhole = await readEntries(new Blocks(unzipped), read);
    if (isWhole && unzipped.bytesWritten < statSync(file).size) throw new BadArchive('it has data after its end');
  } catch (fault) {
    if (!/^Z_|^ERR_TRAILING/.test(errorCode(fault) ?? '')) throw fault;
    throw new BadArchive(`it cannot be unpacked (${errorMessage(fault)})`);
  } finally {
    unzipped.destroy();
    source.destroy();
  }
}

const blockBytes = 512;
const mostPaxBytes = 1024 * 1024;

/** False if the reader stopped. */
async function readEntries(blocks: Blocks, read: ReadEntry): Promise<boolean> {
  let pax = new Map<string, string>();
  for (;;) {
    const header = await blocks.take(blockBytes);
    if (header === null || header.every((byte) => byte === 0)) break;
    if (sumOf(header) !== octal(header, 148, 8)) throw new BadArchive('a file header in it cannot be read');
    const type = String.fromCharCode(header[156] ?? 0);
    const bytes = Number(pax.get('size') ?? octal(header, 124, 12));
    if (type === 'x' || type === 'g') {
      if (bytes > mostPaxBytes) throw new BadArchive('a file header in it is too long');
      const text = (await blocks.take(padded(bytes)))?.subarray(0, bytes);
      if (type === 'x') pax = recordsIn(text ?? Buffer.alloc(0));
      continue;
    }
    const path = pathOf(pax.get('path') ?? nameIn(header));
    const mtimeMs = 1000 * Number(pax.get('mtime') ?? octal(header, 136, 12));
    pax = new Map();
    if (!['0', '\0', '5'].includes(type))
      throw new BadArchive(`it contains a link or a device (${path}), which a Signalbox backup never does`);
    const content = blocks.next(bytes);
    const entry = { path, kind: type === '5' ? 'folder' : 'file', bytes, mtimeMs } as const;
    if (path !== '' && (await read(entry, content)) === false) return false;
    for await (const _ of content);
    await blocks.take(padded(bytes) - bytes);
  }
  // The checksum of gzip is at the end.
  while (await blocks.take(blockBytes));
  return true;
}

/** A backup never contains names that lead out of the folder or contain control characters. */
function pathOf(name: string): string {
  const path = trimEndOf(name.replace(/^(\.\/)+/, ''), '/');
  if (path === '' || path === '.') return '';
  const isPlain = path.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
  if (isPlain && !/[\u0000-\u001f\u007f-\u009f\\]/.test(path)) return path;
  throw new BadArchive('it contains a file that is not part of a backup');
}

const padded = (bytes: number): number => Math.ceil(bytes / blockBytes) * blockBytes;
const textIn = (header: Buffer, at: number, length: number): string =>
  header.toString('utf8', at, at + length).split('\0', 1)[0] ?? '';
const octal = (header: Buffer, at: number, length: number): number => {
  // Numbers that eight digits cannot hold are written in base 256.
  if ((header[at] ?? 0) >= 0x80) return header.subarray(at + 1, at + length).reduce((sum, byte) => sum * 256 + byte, 0);
  return Number.parseInt(textIn(header, at, length).trim() || '0', 8);
};
const nameIn = (header: Buffer): string => {
  const prefix = textIn(header, 345, 155);
  return `${prefix === '' ? '' : `${prefix}/`}${textIn(header, 0, 100)}`;
};

/** The checksum of the header, with its own field counted as spaces. */
function sumOf(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);
}

/** `30 mtime=1350244992.023960108\n`, one after the other. */
function recordsIn(text: Buffer): Map<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < text.length; ) {
    const space = text.indexOf(32, at);
    const length = Number(text.toString('latin1', at, space));
    if (space < 0 || !Number.isSafeInteger(length) || length <= space - at)
      throw new BadArchive('a file header in it cannot be read');
    const [name = '', ...value] = text.toString('utf8', space + 1, at + length - 1).split('=');
    records.set(name, value.join('='));
    at += length;
  }
  return records;
}

/** Reads a byte stream in pieces of the requested size. */
class Blocks {
  readonly #pieces: AsyncIterator<Buffer>;
  #left: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Buffer>) {
    this.#pieces = stream[Symbol.asyncIterator]();
  }

  /** Null at the end. */
  async take(count: number): Promise<Buffer | null> {
    const parts: Buffer[] = [];
    for await (const part of this.next(count, true)) parts.push(part);
    return count > 0 && parts.length === 0 ? null : Buffer.concat(parts);
  }

  /** The next bytes, piece by piece; reading can stop early and continue later. */
  next(count: number, mayEnd = false): AsyncIterable<Buffer> {
    let open = count;
    const pull = async (): Promise<IteratorResult<Buffer>> => {
      if (open === 0) return { done: true, value: undefined };
      if (this.#left.length === 0) {
        const { value, done } = await this.#pieces.next();
        if (done && mayEnd && open === count) return { done: true, value: undefined };
        if (done) throw new BadArchive('it ends in the middle of a file');
        this.#left = value;
      }
      const part = this.#left.subarray(0, open);
      this.#left = this.#left.subarray(part.length);
      open -= part.length;
      return { done: false, value: part };
    };
    return { [Symbol.asyncIterator]: () => ({ next: pull }) };
  }
}

/** Writes one file of a packed backup below the folder. */
export async function writeEntry(
  folder: string,
  { path, mtimeMs }: PackedEntry,
  content: AsyncIterable<Buffer>,
): Promise<void> {
  const to = join(folder, path);
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const file = await open(to, 'wx', 0o600);
  try {
    for await (const piece of content) await file.appendFile(piece);
  } finally {
    await file.close();
  }
  await utimes(to, mtimeMs / 1000, mtimeMs / 1000);
}
