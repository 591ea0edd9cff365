import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** A crash leaves the file as it was or as it becomes, never between; when this resolves, it is on the disk. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true });
  const temporary = join(directory, `.${basename(path)}.${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    // A rename replaces a symlink of that name; it does not follow it.
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncDirectory(directory);
}

export async function removeDurably(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncDirectory(dirname(path));
}

/** Reads a regular file; a symlink, wherever it leads, is an error. */
export async function readRegularFile(path: string, mostBytes: number): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = await file.stat().then((stat) => (stat.isFile() ? stat : Promise.reject(new Error('not a file'))));
    if (size > mostBytes) throw new Error(`larger than ${mostBytes} bytes`);
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** Without it a crash may forget the rename. Some systems do not sync directories; there the rename is durable itself. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => null);
  await handle?.sync().catch(() => undefined);
  await handle?.close();
}
