import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../kernel/error-code.ts';

export type Copied = { files: number; bytes: number };

/**
 * Copies plain files and folders, and nothing else; `skip` is asked with paths from the top, as `runs/ejected`. Files come before folders, so that an archive that is ejected
 * meanwhile, which moves it one folder deeper, is still met there.
 */
export async function copyTree(
  from: string,
  to: string,
  skip: (path: string) => boolean = () => false,
  under = '',
): Promise<Copied> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const total = { files: 0, bytes: 0 };
  const entries = (await readdir(from, { withFileTypes: true })).filter(({ name }) => !skip(under + name));
  for (const { name } of entries.filter((entry) => entry.isFile())) {
    const bytes = await copyOne(join(from, name), join(to, name));
    if (bytes === null) continue;
    total.files += 1;
    total.bytes += bytes;
  }
  for (const { name } of entries.filter((entry) => entry.isDirectory())) {
    const { files, bytes } = await copyTree(join(from, name), join(to, name), skip, `${under}${name}/`);
    total.files += files;
    total.bytes += bytes;
  }
  return total;
}

/** Keeps the file time: the age of an archive decides when it is deleted. Null if the file no longer exists. */
async function copyOne(from: string, to: string): Promise<number | null> {
  try {
    const { atimeMs, mtimeMs } = await lstat(from);
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    await utimes(to, atimeMs / 1000, mtimeMs / 1000);
    return (await lstat(to)).size;
  } catch (fault) {
    if (errorCode(fault) === 'ENOENT') return null;
    throw fault;
  }
}

/** Links are not allowed in a trusted backup, because they point elsewhere. */
export async function linksIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => !entry.isFile() && !entry.isDirectory()).map(({ name }) => name);
}
