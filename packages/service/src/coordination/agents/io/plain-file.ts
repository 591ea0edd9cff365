import { close, constants, fstat, open, read, type Stats } from 'node:fs';
import { promisify } from 'node:util';

const opened = promisify(open);
const closed = promisify(close);
const stated = promisify(fstat);

/** Never writes, never follows a link, and never waits for the other end of a pipe. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export type PlainFile = { size: number; mtimeMs: number; read(from: number, length: number): Promise<Buffer> };

/** Hands a regular file to `work` and closes it; null for everything else, whatever the cause. */
export async function withPlainFile<Result>(
  path: string,
  work: (file: PlainFile) => Promise<Result>,
): Promise<Result | null> {
  let fd: number;
  try {
    fd = await opened(path, flags);
  } catch {
    return null;
  }
  try {
    const stats: Stats = await stated(fd);
    if (!stats.isFile()) return null;
    return await work({ size: stats.size, mtimeMs: stats.mtimeMs, read: (from, length) => readAt(fd, from, length) });
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
export async function readSmall(path: string, most: number): Promise<string | null> {
  return withPlainFile(path, async (file) => (await file.read(0, Math.min(file.size, most))).toString('utf8'));
}
