import { closeSync, constants, existsSync, openSync, readdirSync, statSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeAtomically } from '../files/durable-file.ts';
import { readSmallJson } from '../files/plain-file.ts';
import { requireRegularFile } from '../files/regular-file.ts';
import { errorCode, errorMessage } from '../kernel/error-code.ts';
import { writeBackup } from './backup.ts';
import { BadBackup, storeFile } from './backup-manifest.ts';
import { BadConfig } from './bad-config.ts';
import { foreignFiles } from './condition-watch.ts';
import type { Config } from './config.ts';
import type { Logger } from './log.ts';
import { readStoreVersion } from './store-version.ts';
import { version } from './version.ts';

/** Called before anything is locked or written: rejects files of another owner, such as after one start with sudo. */
export function refuseForeignFiles(dataPath: string): void {
  const foreign = foreignFiles(dataPath);
  const [first] = foreign;
  if (first === undefined) return;
  const { uid } = statSync(join(dataPath, first));
  const isMount = errorCodeOfWrite(join(dataPath, first)) === 'EROFS';
  const others = foreign.length > 1 ? ` and ${foreign.length - 1} more` : '';
  throw new BadConfig(
    isMount
      ? `The data path ${dataPath} is on a file system that is mounted read-only. Mount it for writing, or choose another with Service:DataPath.`
      : `This user cannot write ${join(dataPath, first)} (it belongs to user ${uid})${others}. Run "sudo chown -R $(id -u) ${dataPath}", then start again (docs/operations.md, "another owner").`,
  );
}

const ownFile =
  /^(signalbox|runs|webhooks|lock)\.sqlite(-wal|-shm|-journal)?$|^(verdicts|audit)\.ndjson$|^(owner|program|host|last-backup|moved|revoked|logins|observers)\.json$|^snapshot$/;

/** Entries that should be our files but are not regular files, a sentence each. */
export function irregularFiles(dataPath: string): string[] {
  const names = existsSync(dataPath) ? readdirSync(dataPath).filter((name) => ownFile.test(name)) : [];
  return names.flatMap((name) => {
    try {
      requireRegularFile(join(dataPath, name));
      return [];
    } catch (fault) {
      return [errorMessage(fault)];
    }
  });
}

function errorCodeOfWrite(path: string): string | undefined {
  try {
    // The file is only opened, because reading a pipe or a device would never end.
    closeSync(openSync(path, constants.O_RDWR | (constants.O_NONBLOCK ?? 0)));
    return undefined;
  } catch (fault) {
    return errorCode(fault);
  }
}

const movedStore = z.object({ to: z.string(), at: z.string(), events: z.int() });
export type MovedStoreMark = z.output<typeof movedStore>;
const markIn = (dataPath: string): string => join(dataPath, 'moved.json');

/** The mark stays until a backup is restored into the data path. */
export const markMoved = (dataPath: string, mark: MovedStoreMark): Promise<void> =>
  writeAtomically(markIn(dataPath), `${JSON.stringify(mark)}\n`);

/** Without Service:Store after a move, the service would continue the old history. */
export function refuseMovedStore({ store, dataPath }: Pick<Config, 'store' | 'dataPath'>): void {
  if (store !== 'sqlite' || !existsSync(markIn(dataPath))) return;
  const data = moveIn(dataPath);
  const where = data
    ? `to PostgreSQL (${data.to}) on ${data.at.slice(0, 10)}, with ${data.events} events`
    : 'to PostgreSQL';
  throw new BadConfig(
    `The store of ${dataPath} was moved ${where}, and Service:Store is not set. Set Service:Store to that database. To go back to SQLite with everything that was written since: "signalbox backup FILE" with Service:Store set, then "signalbox restore FILE --replace" without it.`,
  );
}

function moveIn(dataPath: string): MovedStoreMark | undefined {
  try {
    return movedStore.safeParse(readSmallJson(markIn(dataPath))).data;
  } catch {
    return undefined;
  }
}

const program = z.object({ version: z.string() });

/** The first start of a new version backs up the data of the previous version before it changes anything. */
export async function backUpBeforeUpgrade(config: Config, log: Logger, at: string): Promise<void> {
  const { dataPath, store, upgradeBackup, backupPath } = config;
  const before = versionOf(dataPath);
  if (before === version) return;
  if (upgradeBackup && store === 'sqlite' && (await holdsData(dataPath)) && (await isOfPast(config))) {
    const folder = backupPath ?? join(dataPath, 'before-upgrade');
    const name = `signalbox-before-${version}-${at.replace(/[:.]/g, '-')}.tar.gz`;
    log.info(
      { from: before ?? 'before 0.3', to: version, backup: join(folder, name) },
      'first start of this version: backing up first',
    );
    await makeRoomAndBackUp(config, folder, name, at);
    log.info('backed up and verified');
  }
  await writeAtomically(join(dataPath, 'program.json'), `${JSON.stringify({ version })}\n`).catch(() => undefined);
}

async function makeRoomAndBackUp(config: Config, folder: string, name: string, at: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeBackup(config, join(folder, name), at, false);
    if (config.backupPath === undefined)
      for (const old of (await readdir(folder)).filter((one) => one !== name))
        await rm(join(folder, old), { force: true });
  } catch (fault) {
    if (fault instanceof BadBackup) throw fault;
    throw new BadBackup(
      `The first start of Signalbox ${version} backs up first, and that failed: ${errorMessage(fault)}. Nothing was changed. Free space or correct Service:BackupPath, or set Service:UpgradeBackup=false to start without a backup.`,
    );
  }
}

function versionOf(dataPath: string): string | null {
  try {
    return program.parse(readSmallJson(join(dataPath, 'program.json'))).version;
  } catch {
    return null;
  }
}

/** If the store cannot be opened, or was written by a newer program, the start fails with that error. */
async function isOfPast(config: Config): Promise<boolean> {
  const known = await readStoreVersion(config).catch(() => null);
  return known !== null && (known.found ?? 0) <= known.newest;
}

async function holdsData(dataPath: string): Promise<boolean> {
  const names = await readdir(dataPath);
  return names.includes(storeFile) || names.includes('runs');
}
