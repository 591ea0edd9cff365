import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { archiveSizes, checkRunsFile } from '../console/runs/io/check-runs-file.ts';
import { flushTree, renameDurably } from '../files/durable-file.ts';
import { isInFolder } from '../files/real-path.ts';
import { requireRegularFile } from '../files/regular-file.ts';
import { errorMessage } from '../kernel/error-code.ts';
import { DataPathInUse, type LockedDataPath } from '../store/data-path.ts';
import { DamagedStore } from '../store/event-checksum.ts';
import { LogCheck } from '../store/log-check.ts';
import { readArchiveText } from '../store/moved-events.ts';
import { checkSqlite } from '../store/sqlite/check-sqlite.ts';
import { copySqlite, movedTopicsIn, writeRawSqlite } from '../store/sqlite/sqlite-raw.ts';
import {
  BadBackup,
  isPacked,
  isProcessFile,
  type Manifest,
  manifestFile,
  manifestText,
  runsFile,
  storeFile,
} from './backup-manifest.ts';
import type { Config } from './config.ts';
import { type CopiedFile, copyTree, sha256Of } from './copy-tree.ts';
import { lockWholeDataPath } from './exchange-files.ts';
import { noteBackup, readLastBackup } from './last-backup.ts';
import { pack } from './tar.ts';
import { manifestIn, packedManifest, verifyPacked } from './verify-backup.ts';
import { version } from './version.ts';

export type BackupSource = Pick<Config, 'dataPath' | 'store'>;

/**
 * Copies a whole data path, even while a service runs on it. Every event is compared with its checksum on the way. The backup is complete or does
 * not exist.
 */
export async function backUp(config: BackupSource, target: string, at: string): Promise<Manifest> {
  if (existsSync(target)) throw new BadBackup(`${target} exists. Choose a new name; nothing is overwritten.`);
  if (!existsSync(config.dataPath))
    throw new BadBackup(`${config.dataPath} is empty or does not exist. Set Service:DataPath to the folder.`);
  if (isInFolder(target, config.dataPath))
    throw new BadBackup(`${target} is inside the data path. Choose a folder outside it.`);
  const lock = await lockUnlessRunning(config.dataPath, at);
  try {
    const manifest = await writeBackup(config, target, at, lock === null);
    const { events, warnings } = manifest;
    await noteBackup(config.dataPath, { at, target, events, warnings: warnings.length });
    return manifest;
  } finally {
    lock?.release();
  }
}

/** Writes a backup without checking the target, for one inside the data path. */
export async function writeBackup(
  config: BackupSource,
  target: string,
  at: string,
  isRunning: boolean,
): Promise<Manifest> {
  const folder = `${target}.partial`;
  const packed = `${target}.new`;
  const remove = async () => {
    for (const path of [folder, packed]) await rm(path, { recursive: true, force: true });
  };
  await remove();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const manifest = await copyInto(folder, config, at, isRunning);
    await writeFile(join(folder, manifestFile), manifestText(manifest), { mode: 0o600 });
    if (isPacked(target)) {
      await pack(folder, packed, manifestFile);
      await verifyPacked(packed);
      await renameDurably(packed, target);
    } else {
      await flushTree(folder);
      await renameDurably(folder, target);
    }
    return manifest;
  } finally {
    await remove();
  }
}

async function copyInto(folder: string, config: BackupSource, at: string, isRunning: boolean): Promise<Manifest> {
  const { dataPath } = config;
  // Databases first: the archives then contain every run they mention, and later events are read from the archives.
  const store = await copyStore(config, join(folder, storeFile));
  copyRuns(join(dataPath, runsFile), join(folder, runsFile));
  const before = await lastContents(dataPath);
  const beginOf = (path: string) => (isAppended(path) ? before[path]?.bytes : undefined);
  const leftOut: string[] = [];
  const options = { skip: isSkipped, beginOf, onLeftOut: (path: string) => void leftOut.push(path) };
  const copied = [...(await databasesIn(folder)), ...(await copyTree(dataPath, folder, options))];
  return {
    signalbox: version,
    at,
    ...store,
    files: copied.length,
    bytes: copied.reduce((sum, { bytes }) => sum + bytes, 0),
    warnings: [
      ...leftOut.map((path) => `${path} is a link, a pipe or a device, and is not in the backup`),
      ...otherArchives(folder, copied, isRunning),
      ...(await damagedPlans(folder, copied)),
      ...changedArchives(copied, before),
    ],
    contents: Object.fromEntries(copied.map(({ path, bytes, sha256 }) => [path, { bytes, sha256 }])),
  };
}

/** Keeps services from starting meanwhile; null if one is already running. */
async function lockUnlessRunning(dataPath: string, at: string): Promise<LockedDataPath | null> {
  try {
    return await lockWholeDataPath(dataPath, at);
  } catch (fault) {
    if (fault instanceof DataPathInUse) return null;
    throw fault;
  }
}

const isSkipped = (path: string): boolean =>
  isProcessFile(path) || path.startsWith(storeFile) || path.startsWith(runsFile);

async function databasesIn(folder: string): Promise<CopiedFile[]> {
  const names = [storeFile, runsFile].filter((name) => existsSync(join(folder, name)));
  return Promise.all(
    names.map(async (path) => {
      const file = join(folder, path);
      return { path, bytes: (await stat(file)).size, sha256: await sha256Of(file), begin: null };
    }),
  );
}

type StoreCopy = Pick<Manifest, 'store' | 'events' | 'sequence'>;

async function copyStore({ dataPath, store }: BackupSource, to: string): Promise<StoreCopy> {
  if (store !== 'sqlite') return { store: 'postgres', ...(await copyDatabase(store, dataPath, to)) };
  const from = join(dataPath, storeFile);
  if (!existsSync(from)) {
    if ((readLastBackup(dataPath)?.events ?? 0) > 0) throw damagedStore(`${from} is missing`, dataPath);
    return { store: 'sqlite', events: 0, sequence: 0 };
  }
  // If a page lost its newest rows, the copy looks complete, because it gets a new index.
  refuseDamage(checkSqlite(from, 'live').damage, dataPath);
  try {
    copySqlite(from, to);
  } catch (fault) {
    throw fault instanceof DamagedStore ? damagedStore(fault.damage, dataPath) : fault;
  }
  const { events, sequence, damage } = checkSqlite(to, 'copy');
  refuseDamage(damage, dataPath);
  return { store: 'sqlite', events, sequence };
}

async function copyDatabase(url: string, dataPath: string, to: string) {
  const { openRawPostgres } = await import('../store/postgres/postgres-raw.ts');
  const reading = await openRawPostgres(url);
  const check = new LogCheck();
  try {
    await writeRawSqlite(to, check.through(reading.events()), await reading.keys());
  } finally {
    await reading.close();
  }
  const { events, sequence, damage } = check.end();
  refuseDamage(damage, dataPath);
  return { events, sequence };
}

function refuseDamage(damage: string | null, dataPath: string): void {
  if (damage !== null) throw damagedStore(damage, dataPath);
}

function damagedStore(damage: string, dataPath: string): BadBackup {
  const last = readLastBackup(dataPath);
  const kept =
    last?.target === undefined
      ? 'There is no earlier backup of it.'
      : `The last good one is ${last.target}, made at ${last.at}.`;
  return new BadBackup(
    `The store is damaged: ${damage}. No backup was made. ${kept} Restore it with "signalbox restore", or stop the service and run "signalbox recover" to keep every event that can be read.`,
  );
}

function copyRuns(from: string, to: string): void {
  requireRegularFile(from);
  if (!existsSync(from)) return;
  let damage: string | null;
  try {
    copySqlite(from, to);
    damage = checkRunsFile(to);
  } catch (fault) {
    if (!(fault instanceof DamagedStore)) throw fault;
    damage = errorMessage(fault.cause ?? fault);
  }
  if (damage !== null)
    throw new BadBackup(
      `${from} is damaged: ${damage}. No backup was made. Stop the service and run "signalbox recover", which keeps every row that can be read.`,
    );
}

/** Archives have no checksum outside a backup, but the database has their length. */
function otherArchives(folder: string, copied: readonly CopiedFile[], isRunning: boolean): string[] {
  const runs = join(folder, runsFile);
  if (!existsSync(runs))
    return copied.some(({ path }) => /^runs\/[^/]+\.ndjson$/.test(path)) ? [`${runsFile} is missing`] : [];
  const sizes = new Map(copied.map(({ path, bytes }) => [path, bytes]));
  return [...archiveSizes(runs)].flatMap(([runId, bytes]) => {
    const found = sizes.get(`runs/${runId}.ndjson`);
    // The run may be ejected while the backup is made.
    if (found === bytes || ((found ?? 0) > bytes && isRunning) || isEjected(runId, sizes.keys())) return [];
    return found === undefined
      ? [`the archive of run ${runId} is missing`]
      : [`the archive of run ${runId} has ${found} of ${bytes} bytes`];
  });
}

/** Plans that were moved out of the log: their events have checksums, too. */
async function damagedPlans(folder: string, copied: readonly CopiedFile[]): Promise<string[]> {
  const there = copied.map(({ path }) => path).filter((path) => /^archive\/[^/]+\.ndjson$/.test(path));
  const store = join(folder, storeFile);
  const wanted = existsSync(store) ? movedTopicsIn(store) : [];
  const missing = wanted.filter((name) => !there.includes(`archive/${name}`));
  const warnings = missing.map(
    (name) => `archive/${name}, the history of a plan that was moved out of the log, is missing`,
  );
  for (const path of there) {
    try {
      readArchiveText(await readFile(join(folder, path), 'utf8'));
    } catch (fault) {
      warnings.push(`${path}: ${fault instanceof DamagedStore ? fault.damage : errorMessage(fault)}`);
    }
  }
  return warnings;
}

const isEjected = (runId: string, paths: Iterable<string>): boolean =>
  [...paths].some((path) => path.startsWith('runs/ejected/') && path.includes(runId));

/** Files that only grow: their copy in an earlier backup is still their beginning. */
const isAppended = (path: string): boolean => /^(runs|archive)\/[^/]+\.ndjson$/.test(path);

function changedArchives(copied: readonly CopiedFile[], before: NonNullable<Manifest['contents']>): string[] {
  return copied.flatMap(({ path, bytes, begin }) => {
    const earlier = before[path];
    if (!earlier || earlier.bytes === 0 || !isAppended(path) || begin === earlier.sha256) return [];
    const runId = basename(path, '.ndjson');
    if (isEjected(runId, [...Object.keys(before), ...copied.map((file) => file.path)])) return [];
    return [
      bytes < earlier.bytes
        ? `${path} has ${bytes} bytes; the previous backup has ${earlier.bytes}`
        : `${path} differs from its copy in the previous backup`,
    ];
  });
}

/** The contents of the last good backup, if it still exists. */
async function lastContents(dataPath: string): Promise<NonNullable<Manifest['contents']>> {
  const last = readLastBackup(dataPath);
  if (last === null || !existsSync(last.target)) return {};
  try {
    const { contents } = isPacked(last.target)
      ? await packedManifest(last.target)
      : manifestIn(last.target, last.target);
    return contents ?? {};
  } catch (fault) {
    if (fault instanceof BadBackup) return {};
    throw fault;
  }
}
