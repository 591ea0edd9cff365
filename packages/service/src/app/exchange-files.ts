import { existsSync, lstatSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { flushPath, flushTree, writeAtomically } from '../files/durable-file.ts';
import { readSmallJson } from '../files/plain-file.ts';
import { errorMessage } from '../kernel/error-code.ts';
import { type LockedDataPath, lockDataPath } from '../store/data-path.ts';
import { BadBackup, exchangeFile } from './backup-manifest.ts';

/** Folders are named relative to the data path. */
const exchange = z.object({
  /** Removed at the end, with everything left in it. */
  workFolder: z.string(),
  incomingFolder: z.string(),
  incoming: z.array(z.string()),
  /** The folder for the previous files; null if there were none. */
  replacedFolder: z.string().nullable(),
  existing: z.array(z.string()),
});
type Exchange = z.output<typeof exchange>;

/**
 * Sets files of a data path aside and moves others into their place. If a crash interrupts it, the next use of the data
 * path completes it. Returns the folder of the previous files; null if there were none.
 */
export async function exchangeFiles(
  dataPath: string,
  files: Omit<Exchange, 'replacedFolder'>,
  at: string,
): Promise<string | null> {
  const replacedFolder = files.existing.length === 0 ? null : `replaced-${at.replace(/[:.]/g, '-')}`;
  await flushTree(join(dataPath, files.incomingFolder));
  await writeAtomically(join(dataPath, exchangeFile), JSON.stringify({ ...files, replacedFolder }));
  await completeExchange(dataPath);
  return replacedFolder && join(dataPath, replacedFolder);
}

export const isExchanging = (dataPath: string): boolean => existsSync(join(dataPath, exchangeFile));

/** Locks the data path, and completes what a crash interrupted there. */
export async function lockWholeDataPath(
  dataPath: string,
  at: string,
  completed: () => void = () => undefined,
): Promise<LockedDataPath> {
  const lock = lockDataPath(dataPath, at);
  try {
    if (isExchanging(dataPath)) {
      await completeExchange(dataPath);
      completed();
    }
    return lock;
  } catch (fault) {
    lock.release();
    throw fault;
  }
}

/** Each step may already have been done. */
async function completeExchange(dataPath: string): Promise<void> {
  const files = readExchange(dataPath);
  await moveFiles(dataPath, files).catch((fault: unknown) => {
    const before = files.replacedFolder === null ? '' : `, the previous files in ${files.replacedFolder}`;
    throw new BadBackup(
      `The restore into ${dataPath} cannot be completed: ${errorMessage(fault)}. The restored files are in ${files.incomingFolder}${before}. Correct the cause and type the same command again, or move them by hand and remove ${exchangeFile}.`,
    );
  });
  await rm(join(dataPath, exchangeFile));
  await flushPath(dataPath);
}

async function moveFiles(dataPath: string, files: Exchange): Promise<void> {
  const { workFolder, incomingFolder, incoming, replacedFolder, existing } = files;
  const from = join(dataPath, incomingFolder);
  if (replacedFolder !== null) {
    const aside = join(dataPath, replacedFolder);
    await mkdir(aside, { recursive: true, mode: 0o700 });
    // A file that is already in the target is the old one; the file in the data path is its replacement.
    await moveAll(
      existing.filter((name) => !isThere(join(aside, name))),
      dataPath,
      aside,
    );
  }
  await moveAll(incoming, from, dataPath);
  await rm(join(dataPath, workFolder), { recursive: true, force: true });
}

function readExchange(dataPath: string): Exchange {
  const read = exchange.safeParse(readSmallJson(join(dataPath, exchangeFile)));
  if (read.success) return read.data;
  throw new BadBackup(
    `${join(dataPath, exchangeFile)} should list the files that an interrupted restore still has to move, but it is malformed. Restore the backup into an empty Service:DataPath.`,
  );
}

/** A loop of links also counts as existing. */
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

async function moveAll(names: readonly string[], from: string, to: string): Promise<void> {
  for (const name of names.filter((one) => isThere(join(from, one)))) await rename(join(from, name), join(to, name));
  // The current location is flushed first: a crash may then leave a file in both places, which is safe, but never in
  // neither.
  await flushPath(to);
  if (existsSync(from)) await flushPath(from);
}
