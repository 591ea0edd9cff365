import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { flushTree, renameDurably } from '../files/durable-file.ts';
import { isInFolder } from '../files/real-path.ts';
import { DataPathInUse, type LockedDataPath, lockDataPath } from '../store/data-path.ts';
import { copySqlite, openRawSqlite, writeRawSqlite } from '../store/sqlite/sqlite-raw.ts';
import type { Config } from './config.ts';
import { type Copied, copyTree } from './copy-tree.ts';
import { pack } from './tar.ts';
import { version } from './version.ts';

/** Written last: a folder without it is not a complete backup. */
export const manifestFile = 'backup.json';
export const storeFile = 'signalbox.sqlite';
const runsFile = 'runs.sqlite';

export type Manifest = {
  signalbox: string;
  at: string;
  store: 'sqlite' | 'postgres';
  events: number;
  sequence: number;
  files: number;
  bytes: number;
};

/** A backup that cannot be made or used; the message is shown to the user. */
export class BadBackup extends Error {}

/** Files of a running process, and leftovers of a restore: neither backed up nor restored. */
export const isProcessFile = (name: string): boolean =>
  /^(lock\.sqlite.*|owner\.json.*|host\.json|snapshot|restoring|replaced-.*)$/.test(name);
export const isPacked = (target: string): boolean => /\.(tar\.gz|tgz)$/.test(target);

/** Copies a whole data path, even while a service runs on it. The backup is complete or does not exist. */
export async function backUp(config: Config, target: string, at: string): Promise<Manifest> {
  if (existsSync(target)) throw new BadBackup(`${target} exists. Choose a new name; nothing is overwritten.`);
  if (!existsSync(config.dataPath))
    throw new BadBackup(`${config.dataPath} is empty or does not exist. Set Service:DataPath to the folder.`);
  if (isInFolder(target, config.dataPath))
    throw new BadBackup(`${target} is inside the data path. Choose a folder outside it.`);
  const lock = lockUnlessRunning(config.dataPath, at);
  const folder = `${target}.partial`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    // Databases first: what they tell of runs is then in the archives, and what came in meanwhile is read from these.
    const store = await copyStore(config, join(folder, storeFile));
    const runs = join(config.dataPath, runsFile);
    if (existsSync(runs)) copySqlite(runs, join(folder, runsFile));
    const copied = await copyTree(config.dataPath, folder, isSkipped);
    const manifest = { signalbox: version, at, ...store, ...(await withDatabases(copied, folder)) };
    await writeFile(join(folder, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    if (isPacked(target)) await pack(folder, target);
    else {
      await flushTree(folder);
      await renameDurably(folder, target);
    }
    return manifest;
  } finally {
    await rm(folder, { recursive: true, force: true });
    lock?.release();
  }
}

/** Keeps services from starting meanwhile; null if one is already running. */
function lockUnlessRunning(dataPath: string, at: string): LockedDataPath | null {
  try {
    return lockDataPath(dataPath, at);
  } catch (fault) {
    if (fault instanceof DataPathInUse) return null;
    throw fault;
  }
}

const isSkipped = (path: string): boolean =>
  isProcessFile(path) || path.startsWith(storeFile) || path.startsWith(runsFile);

async function withDatabases({ files, bytes }: Copied, folder: string): Promise<Copied> {
  const databases = [storeFile, runsFile].map((name) => join(folder, name)).filter(existsSync);
  const sizes = await Promise.all(databases.map(async (path) => (await stat(path)).size));
  return { files: files + databases.length, bytes: sizes.reduce((sum, size) => sum + size, bytes) };
}

type StoreCopy = Pick<Manifest, 'store' | 'events' | 'sequence'>;

async function copyStore(config: Config, to: string): Promise<StoreCopy> {
  if (config.store === 'sqlite') {
    const from = join(config.dataPath, storeFile);
    if (!existsSync(from)) return { store: 'sqlite', events: 0, sequence: 0 };
    copySqlite(from, to);
    return { store: 'sqlite', ...countIn(to) };
  }
  const { openRawPostgres } = await import('../store/postgres/postgres-raw.ts');
  const reading = await openRawPostgres(config.store);
  try {
    await writeRawSqlite(to, reading.events(), await reading.keys());
  } finally {
    await reading.close();
  }
  return { store: 'postgres', ...countIn(to) };
}

export function countIn(file: string): { events: number; sequence: number } {
  const reading = openRawSqlite(file);
  try {
    return reading.count();
  } finally {
    reading.close();
  }
}

export const namesIn = async (folder: string): Promise<string[]> => (existsSync(folder) ? await readdir(folder) : []);
