import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { UnsavedWork } from '../contract.ts';

/** Folders such as `node_modules` hold more files than anybody wants to wait for: counting ends here. */
const maxFiles = 20_000;

type Measured = { files: number; bytes: number };
export type IgnoredFiles = Pick<UnsavedWork, 'ignored' | 'ignoredFiles' | 'ignoredBytes' | 'ignoredCounted'>;

/** How much git ignores in a working tree. Single files come first: what is in whole folders can most often be made again. */
export async function measureIgnored(root: string, paths: readonly string[], maxNamed: number): Promise<IgnoredFiles> {
  const isFolder = (path: string) => path.endsWith('/');
  const inOrder = [...paths.filter((path) => !isFolder(path)), ...paths.filter(isFolder)];
  const budget = { files: maxFiles };
  const ignored: UnsavedWork['ignored'] = [];
  const total = { files: 0, bytes: 0 };
  for (const path of inOrder) {
    const measured = await measure(join(root, path), isFolder(path), budget);
    total.files += measured.files;
    total.bytes += measured.bytes;
    if (ignored.length < maxNamed) ignored.push({ path, ...measured });
  }
  return {
    ignored,
    ignoredFiles: total.files,
    ignoredBytes: total.bytes,
    ignoredCounted: budget.files > 0,
  };
}

/** A file or a folder with all below it, until the budget is used up. Links are files: none is followed. */
async function measure(path: string, isFolder: boolean, budget: { files: number }): Promise<Measured> {
  const total = { files: 0, bytes: 0 };
  const folders: string[] = [];
  const add = async (file: string) => {
    if (budget.files === 0) return;
    budget.files -= 1;
    total.files += 1;
    total.bytes += (await lstat(file).catch(() => undefined))?.size ?? 0;
  };
  if (isFolder) folders.push(path);
  else await add(path);
  for (let folder = folders.pop(); folder !== undefined && budget.files > 0; folder = folders.pop()) {
    try {
      for await (const entry of await opendir(folder)) {
        if (budget.files === 0) break;
        if (entry.isDirectory()) folders.push(join(folder, entry.name));
        else await add(join(folder, entry.name));
      }
    } catch {
      // It cannot be read or has gone meanwhile: what was counted of it counts.
    }
  }
  return total;
}
