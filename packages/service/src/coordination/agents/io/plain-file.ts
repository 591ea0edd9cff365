import { close, constants, fstat, open, read, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import { type FileStamp, fileStampFrom } from './folder-listing.ts';

const openFile = promisify(open);
const closeFile = promisify(close);
const statFile = promisify(fstat);

/** Never writes, and never waits for the other end of a pipe. */
const followLinks = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const refuseLinks = followLinks | (constants.O_NOFOLLOW ?? 0);

/** A link is followed only where the caller says so. */
type LinkOptions = { follow?: boolean };

export type PlainFile = FileStamp & { read(from: number, length: number): Promise<Buffer> };

/** Hands a regular file to `work` and closes it; null for everything else, whatever the cause. */
export async function withPlainFile<Result>(
  path: string,
  work: (file: PlainFile) => Promise<Result>,
  { follow = false }: LinkOptions = {},
): Promise<Result | null> {
  let fd: number;
  try {
    fd = await openFile(path, follow ? followLinks : refuseLinks);
  } catch {
    return null;
  }
  try {
    const stats: Stats = await statFile(fd);
    if (!stats.isFile()) return null;
    return await work({ ...fileStampFrom(stats), read: (from, length) => readAt(fd, from, length) });
  } catch {
    return null;
  } finally {
    await closeFile(fd).catch(() => undefined);
  }
}

/** What is there of a range; less when the file ends, or was cut, before it. */
function readAt(fd: number, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  return new Promise((resolve, reject) => {
    read(fd, buffer, 0, length, from, (error, bytes) => (error ? reject(error) : resolve(buffer.subarray(0, bytes))));
  });
}

/** The first bytes of a small text file; null when it is missing, special or unreadable. */
export const readSmallFile = (path: string, maxBytes: number, follows?: LinkOptions): Promise<string | null> =>
  withPlainFile(path, async (file) => (await file.read(0, Math.min(file.size, maxBytes))).toString('utf8'), follows);
