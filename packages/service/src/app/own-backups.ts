import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ownModule } from '../files/package-folder.ts';
import { type Clock, dayMs, iso } from '../kernel/clock.ts';
import { errorMessage } from '../kernel/error-code.ts';
import type { BackupSource } from './backup.ts';
import type { Config } from './config.ts';
import { readLastBackup } from './last-backup.ts';
import type { Logger } from './log.ts';

const thread = ownModule('app/backup-thread');
const hourMs = 60 * 60_000;
/** How often to check whether a backup is due; a failed one is retried after the same time. */
const lookMs = 5 * 60_000;

type OwnBackupDeps = {
  config: Pick<Config, 'dataPath' | 'store' | 'backupPath' | 'backupEvery' | 'backupKeep'>;
  clock: Clock;
  log: Pick<Logger, 'info' | 'error'>;
};

export type OwnBackups = { stop(): Promise<void> };

/** The service backs itself up while it runs. A failed backup leaves all earlier ones in place. */
export function openOwnBackups({ config, clock, log }: OwnBackupDeps): OwnBackups {
  const { backupPath, backupEvery, backupKeep, dataPath, store } = config;
  if (backupPath === undefined) return { stop: async () => undefined };
  const stopped = new AbortController();
  let running: Promise<void> = Promise.resolve();
  /** The last backup of this process; a full data path cannot record it. */
  let madeAt: string | null = null;
  const backUpNow = async () => {
    const at = iso(clock.wall());
    try {
      await mkdir(backupPath, { recursive: true, mode: 0o700 });
      await removeLeftovers(backupPath, nameOf(iso(clock.wall() - dayMs)));
      await makeInThread({ dataPath, store }, join(backupPath, nameOf(at)), at, stopped.signal);
      madeAt = at;
      await removeOld(backupPath, nameOf(at), backupKeep);
      log.info({ backup: nameOf(at) }, 'backed up and verified');
    } catch (fault) {
      if (stopped.signal.aborted) return;
      log.error(
        { reason: errorMessage(fault) },
        'cannot back up; earlier backups are kept; the backup will be retried',
      );
    }
  };
  const isPast = (at: string | null | undefined) => {
    const ageMs = clock.wall() - Date.parse(at ?? '');
    // A clock that was ahead leaves a time in the future.
    return !(ageMs >= 0 && ageMs < backupEvery * hourMs);
  };
  const isDue = () => isPast(madeAt) && isPast(readLastBackup(dataPath)?.at);
  // Checked when its turn comes, because the previous backup may have taken longer than the interval.
  const look = () => (running = running.then(() => (isDue() ? backUpNow() : undefined)));
  void look();
  const stopLooking = clock.every(lookMs, look);
  return {
    async stop() {
      stopLooking();
      stopped.abort();
      await running;
    },
  };
}

const nameOf = (at: string): string => `signalbox-${at.replace(/[:.]/g, '-')}.tar.gz`;
const isLeftover = (name: string): boolean => /^signalbox-\d{4}-[\dTZ-]+\.tar\.gz\.(partial|new)$/.test(name);
const isOwn = (name: string): boolean => /^signalbox-\d{4}-[\dTZ-]+\.tar\.gz$/.test(name);

/** Files that a killed process left behind. A newer one may belong to another host whose backup is in progress. */
async function removeLeftovers(folder: string, before: string): Promise<void> {
  const old = (await readdir(folder)).filter((name) => isLeftover(name) && name < before);
  for (const name of old) await rm(join(folder, name), { recursive: true, force: true });
}

/** Never the backup that was just made: if the clock was ahead earlier, older backups have names that sort after it. */
async function removeOld(folder: string, made: string, keep: number): Promise<void> {
  const others = (await readdir(folder)).filter((name) => isOwn(name) && name !== made);
  const old = others.sort().slice(0, Math.max(0, others.length - (keep - 1)));
  for (const name of old) await rm(join(folder, name), { force: true });
}

/** Copying and hashing a store takes seconds, and no call should wait that long. */
async function makeInThread(source: BackupSource, target: string, at: string, stopped: AbortSignal): Promise<void> {
  if (stopped.aborted) return;
  const worker = new Worker(thread, { workerData: { source, target, at }, name: 'backup' });
  worker.unref();
  try {
    const failure = await new Promise<string | null>((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
      worker.once('exit', (code) => reject(new Error(`the backup thread ended with exit code ${code}`)));
      stopped.addEventListener('abort', () => reject(new Error('the service is stopping')), { once: true });
    });
    if (failure !== null) throw new Error(failure);
  } catch (fault) {
    await worker.terminate();
    for (const ending of ['.partial', '.new']) await rm(target + ending, { recursive: true, force: true });
    throw fault;
  }
}
