import { close, constants, fstat, open, read, type Stats } from 'node:fs';
import { type FileHandle, open as openHandle } from 'node:fs/promises';
import { promisify } from 'node:util';

const openFile = promisify(open);
const closeFile = promisify(close);
const statFile = promisify(fstat);

/** Windows has neither flag. */
const neverWait = constants.O_NONBLOCK ?? 0;
/** Does not follow a link in the last part of the path, and does not block on a pipe. */
const safeFlags = neverWait | (constants.O_NOFOLLOW ?? 0);

/** A link is followed only if the caller allows it. */
type LinkOptions = { follow?: boolean };

export type SafeFile = Pick<Stats, 'ino' | 'size' | 'mtimeMs'> & {
  /** The bytes of a range; fewer when the file ends, or was cut, before its end. */
  read(from: number, length: number): Promise<Buffer>;
};

/** Opens a regular file; anything else is an error. `flags` are those of `open`, `mode` applies to a file that it creates. */
export async function openSafeFile(
  path: string,
  flags: number = constants.O_RDONLY,
  mode = 0o600,
): Promise<{ file: FileHandle; stats: Stats }> {
  const file = await openHandle(path, flags | safeFlags, mode);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error('not a regular file');
    return { file, stats };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Passes a regular file to `work` and closes it. Null if it is missing, special or unreadable, or `work` fails. */
export async function withSafeFile<Result>(
  path: string,
  work: (file: SafeFile) => Promise<Result>,
  { follow = false }: LinkOptions = {},
): Promise<Result | null> {
  let fd: number;
  try {
    fd = await openFile(path, constants.O_RDONLY | (follow ? neverWait : safeFlags));
  } catch {
    return null;
  }
  try {
    const stats = await statFile(fd);
    if (!stats.isFile()) return null;
    const { ino, size, mtimeMs } = stats;
    return await work({ ino, size, mtimeMs, read: (from, length) => readAt(fd, from, length) });
  } catch {
    return null;
  } finally {
    await closeFile(fd).catch(() => undefined);
  }
}

function readAt(fd: number, from: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  return new Promise((resolve, reject) => {
    read(fd, buffer, 0, length, from, (error, bytes) => (error ? reject(error) : resolve(buffer.subarray(0, bytes))));
  });
}

/** The first `maxBytes` of a text file; null if it is missing, special or unreadable. */
export const readFileStart = (path: string, maxBytes: number, links?: LinkOptions): Promise<string | null> =>
  withSafeFile(path, async (file) => (await file.read(0, Math.min(file.size, maxBytes))).toString('utf8'), links);

/** The whole text of a regular file. Links, special files and files over the limit are errors. */
export async function readWholeFile(path: string, maxBytes: number): Promise<string> {
  const {
    file,
    stats: { size },
  } = await openSafeFile(path);
  try {
    if (size > maxBytes) throw new Error(`larger than ${maxBytes} bytes`);
    // Reads only the size that was checked, even if the file grows meanwhile.
    const bytes = Buffer.allocUnsafe(size);
    let length = 0;
    for (let count = -1; length < size && count !== 0; length += count) {
      count = (await file.read(bytes, length, size - length, length)).bytesRead;
    }
    return bytes.toString('utf8', 0, length);
  } finally {
    await file.close();
  }
}
