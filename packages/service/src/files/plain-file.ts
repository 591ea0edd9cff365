import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;

/** The `code` is a text for people: `not a regular file`, `over 64 KiB`. */
class NotPlain extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Reads a whole regular file: reading a device or a pipe, even behind a link, would never end. */
export function readPlainFile(path: string, maxBytes: number, { follow = true } = {}): Buffer {
  const file = openSync(path, O_RDONLY | O_NONBLOCK | (follow ? 0 : O_NOFOLLOW));
  try {
    const stats = fstatSync(file);
    if (stats.isDirectory()) throw new NotPlain('EISDIR');
    if (!stats.isFile()) throw new NotPlain('not a regular file');
    if (stats.size > maxBytes) throw new NotPlain(`over ${maxBytes / 1024} KiB`);
    const bytes = Buffer.alloc(stats.size);
    let length = 0;
    for (let count = -1; length < stats.size && count !== 0; length += count)
      count = readSync(file, bytes, length, stats.size - length, length);
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** Reads a small JSON file of our own, which may have been replaced by anything. Throws errors. */
export const readSmallJson = (path: string): unknown => JSON.parse(readPlainFile(path, 64 * 1024).toString('utf8'));
