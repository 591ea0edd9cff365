import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { flushPath, flushTree } from '../files/durable-file.ts';
import { lockDataPath } from '../store/data-path.ts';
import { renewEpoch } from '../store/sqlite/sqlite-raw.ts';
import {
  BadBackup,
  countIn,
  isPacked,
  isProcessFile,
  type Manifest,
  manifestFile,
  namesIn,
  storeFile,
} from './backup.ts';
import type { Config } from './config.ts';
import { copyTree, linksIn } from './copy-tree.ts';
import { unpack } from './tar.ts';

export type Restored = { manifest: Manifest; restored: string[]; replacedFolder: string | null; storeLeftOut: boolean };

/** Restores a backup into the data path, which no service may be using. Existing data is set aside if requested. */
export async function restore(config: Config, source: string, replace: boolean, at: string): Promise<Restored> {
  if (!existsSync(source))
    throw new BadBackup(`${source} does not exist. Pass the folder or .tar.gz file that "signalbox backup" made.`);
  const { dataPath } = config;
  const lock = lockDataPath(dataPath, at);
  const folder = join(dataPath, 'restoring');
  try {
    await rm(folder, { recursive: true, force: true });
    await fetchBackup(source, folder);
    const manifest = await checkBackup(folder, source);
    const storeLeftOut = config.store !== 'sqlite';
    if (storeLeftOut) await rm(join(folder, storeFile), { force: true });
    else if (existsSync(join(folder, storeFile))) renewEpoch(join(folder, storeFile));
    const restored = (await readdir(folder)).filter((name) => name !== manifestFile && !isProcessFile(name)).sort();
    const existing = (await namesIn(dataPath)).filter((name) => restored.includes(name) || isBeside(name, restored));
    if (existing.length > 0 && !replace) {
      throw new BadBackup(
        `${dataPath} already holds ${existing.join(', ')}. Nothing was changed. Use --replace to set these aside and restore the backup, or choose another Service:DataPath.`,
      );
    }
    const replacedFolder = existing.length > 0 ? join(dataPath, `replaced-${at.replace(/[:.]/g, '-')}`) : null;
    await flushTree(folder);
    if (replacedFolder) await moveAll(existing, dataPath, replacedFolder);
    await moveAll(restored, folder, dataPath);
    return { manifest, restored, replacedFolder, storeLeftOut };
  } finally {
    await rm(folder, { recursive: true, force: true });
    lock.release();
  }
}

async function fetchBackup(source: string, folder: string): Promise<void> {
  if (statSync(source).isDirectory()) await copyTree(source, folder);
  else if (isPacked(source)) await unpack(source, folder);
  else throw new BadBackup(`${source} is neither a folder nor a .tar.gz file. Pass what "signalbox backup" made.`);
}

async function checkBackup(folder: string, source: string): Promise<Manifest> {
  const file = join(folder, manifestFile);
  if (!existsSync(file))
    throw new BadBackup(`${source} is not a complete backup: ${manifestFile} is missing. Use another backup.`);
  const links = await linksIn(folder);
  if (links.length > 0)
    throw new BadBackup(
      `${source} contains links (${links[0]}), which a Signalbox backup never does. Use another backup.`,
    );
  const manifest = manifestIn(file, source);
  const store = join(folder, storeFile);
  const found = existsSync(store) ? countIn(store) : { events: 0, sequence: 0 };
  if (found.events !== manifest.events || found.sequence !== manifest.sequence) {
    throw new BadBackup(
      `${source} is damaged: expected ${manifest.events} events, found ${found.events}. Use another backup.`,
    );
  }
  return manifest;
}

function manifestIn(file: string, source: string): Manifest {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  } catch {
    throw new BadBackup(
      `${source} is damaged: its ${manifestFile} cannot be read. Nothing was changed. Use another backup.`,
    );
  }
}

/** Files that SQLite keeps beside a database belong to it. */
const isBeside = (name: string, restored: readonly string[]): boolean =>
  restored.some((file) => file.endsWith('.sqlite') && name.startsWith(`${file}-`));

async function moveAll(names: readonly string[], from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of names) await rename(join(from, name), join(to, name));
  // The current location is read first: a file seen in both places is safe, in neither it is gone.
  await flushPath(to);
  await flushPath(from);
}
