import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { renewEpoch } from '../store/sqlite/sqlite-raw.ts';
import { BadBackup, isProcessFile, type Manifest, manifestFile, storeFile } from './backup-manifest.ts';
import type { Config } from './config.ts';
import { copyTree } from './copy-tree.ts';
import { exchangeFiles, isExchanging, lockWholeDataPath } from './exchange-files.ts';
import { isFolder, unpackBackup, verifyFolder } from './verify-backup.ts';

export type Restored = { manifest: Manifest; restored: string[]; replacedFolder: string | null; storeLeftOut: boolean };

/** Restores a backup into the data path, which no service may be using. Existing data is set aside if requested. */
export async function restore(
  { dataPath, store }: Pick<Config, 'dataPath' | 'store'>,
  source: string,
  replace: boolean,
  at: string,
): Promise<Restored> {
  const isUnpacked = isFolder(source);
  const wasThere = existsSync(dataPath);
  const lock = await lockWholeDataPath(dataPath, at);
  const workFolder = 'restoring';
  const folder = join(dataPath, workFolder);
  let isDone = false;
  try {
    await rm(folder, { recursive: true, force: true });
    if (isUnpacked) await copyTree(source, folder, { skip: isProcessFile });
    else await unpackBackup(source, folder);
    const manifest = await verifyFolder(folder, source);
    const storeLeftOut = store !== 'sqlite';
    if (storeLeftOut) await rm(join(folder, storeFile), { force: true });
    else if (existsSync(join(folder, storeFile))) renewEpoch(join(folder, storeFile));
    const restored = (await readdir(folder)).filter((name) => name !== manifestFile && !isProcessFile(name)).sort();
    const existing = (await readdir(dataPath)).filter((name) => isReplaced(name, restored, storeLeftOut));
    if (existing.length > 0 && !replace) {
      throw new BadBackup(
        `${dataPath} already holds ${existing.join(', ')}. Nothing was changed. Use --replace to set these aside and restore the backup, or choose another Service:DataPath.`,
      );
    }
    const files = { workFolder, incomingFolder: workFolder, incoming: restored, existing };
    const replacedFolder = await exchangeFiles(dataPath, files, at);
    isDone = true;
    return { manifest, restored, replacedFolder, storeLeftOut };
  } finally {
    const isHalfDone = isExchanging(dataPath);
    if (!isHalfDone) await rm(folder, { recursive: true, force: true });
    lock.release();
    if (!isDone && !isHalfDone && !wasThere) await rm(dataPath, { recursive: true, force: true });
  }
}

/** SQLite's files beside a database belong to it, as does a snapshot to its log. The mark of a moved store belongs to its log too. */
function isReplaced(name: string, restored: readonly string[], storeLeftOut: boolean): boolean {
  if (restored.includes(name)) return true;
  if (!storeLeftOut && (name === 'snapshot' || name === 'moved.json')) return restored.includes(storeFile);
  return restored.some((file) => file.endsWith('.sqlite') && name.startsWith(`${file}-`));
}
