import { close, constants, fstat, open, read, type Stats } from 'node:fs';
import { promisify } from 'node:util';
import { type Mark, markFrom } from './inside.ts';

const opened = promisify(open);
const closed = promisify(close);
const stated = promisify(fstat);

/** Never writes, and never waits for the other end of a pipe. */
const followed = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
const unfollowed = followed | (constants.O_NOFOLLOW ?? 0);

/** A link is followed only where the caller says so. */
type Follows = { follow?: boolean };

export type PlainFile = Mark & { read(from: number, length: number): Promise<Buffer> };

/** Hands a regular file to `work` and closes it; null for everything else, whatever the cause. */
export async function withPlainFile<Result>(
  path: string,
  work: (file: PlainFile) => Promise<Result>,
  { follow = false }: Follows = {},
): Promise<Result | null> {
  let fd: number;
  try {
    fd = await opened(path, follow ? followed : unfollowed);
  } catch {
    return null;
  }
  try {
    const stats: Stats = await stated(fd);
    if (!stats.isFile()) return null;
    return await work({ ...markFrom(stats), read: (from, length) => readAt(fd, from, length) });
  } catch {
    return null;
  } finally {
    await closed(fd).catch(() => undefined);
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
export const readSmall = (path: string, most: number, follows?: Follows): Promise<string | null> =>
  withPlainFile(path, async (file) => (await file.read(0, Math.min(file.size, most))).toString('utf8'), follows);
