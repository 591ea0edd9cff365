import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteErrorCode } from '../files/sqlite-error.ts';
import { openSqlite } from '../files/sqlite-file.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Freshness } from '../kernel/dispatch.ts';
import { errorMessage } from '../kernel/error-code.ts';
import type { HostTable } from '../kernel/host-table.ts';
import type { Outbox } from '../kernel/outbox.ts';
import type { CountedLog, ReportTrouble } from '../store/group-commit.ts';
import { NewerStore } from '../store/migrations.ts';
import type { DatabaseTime, Following } from '../store/postgres/postgres-log.ts';
import type { Snapshots } from '../store/snapshot.ts';
import { newestVersion, type OnMigration } from '../store/sqlite/migrate-sqlite.ts';
import { openSqliteLog } from '../store/sqlite/sqlite-log.ts';
import { archiveFilesIn } from './archive-files.ts';
import type { ArrivalClock } from './arrival-clock.ts';
import type { ConditionWatch } from './condition-watch.ts';
import { BadConfig, type Config } from './config.ts';
import type { Logger } from './log.ts';
import { snapshotsIn } from './snapshot-file.ts';

const fileOf = ({ dataPath }: Config): string => join(dataPath, 'signalbox.sqlite');

/** The database may become reachable later, such as on a machine that has just started. */
export class UnreachableDatabase extends BadConfig {}

/** A log, plus features that only some stores have. */
export type Store = {
  log: CountedLog;
  /** The other hosts of a shared store. */
  hosts?: HostTable;
  /** The outbox of webhooks, if all hosts share it. */
  outbox?: Outbox;
  /** The progress of memory behind a shared log. */
  following?: () => Following;
  time?: DatabaseTime;
  /** Called while the history that is about to be replaced is still in memory. */
  onReplacing?(listener: () => void): void;
};

type StoreDeps = { config: Config; clock: Clock; log: Logger; conditions: ConditionWatch; arrivals: ArrivalClock };

/** Opens the configured store. If hosts share it, its clock orders arrivals. */
export async function openStore({
  config,
  clock,
  log: logger,
  conditions: watch,
  arrivals,
}: StoreDeps): Promise<Store> {
  const snapshots = snapshotsIn(config.dataPath, watch.snapshots);
  if (config.store === 'sqlite') {
    const log = openFile(config, clock, snapshots, logger, watch);
    watch.storeOpened({ tryWriting: log.tryWriting, awaySince: () => null, newestAt: newestAt(fileOf(config)) });
    return { log };
  }
  const { openPostgresLog } = await import('../store/postgres/postgres-log.ts');
  const { host } = new URL(config.store);
  const onReachable = (isReachable: boolean) =>
    isReachable
      ? logger.info({ database: host }, 'the database can be reached again')
      : logger.error({ database: host }, 'the database cannot be reached: writes are refused until it is back');
  const onMigrated = (from: number, to: number) =>
    logger.info({ from, to }, 'the database was migrated to a newer version');
  const log = await openPostgresLog({ url: config.store, clock, snapshots, onReachable, onMigrated }).catch(
    (fault: Error) => {
      throw new UnreachableDatabase(
        `The database at ${host} cannot be used: ${fault.message}. Start it, or correct Service:Store.`,
      );
    },
  );
  arrivals.follow(() => log.time.ms());
  watch.storeOpened({ tryWriting: log.tryWriting, awaySince: () => log.following().staleSince, newestAt: null });
  const { hosts, outbox, following, time, onReplacing } = log;
  return { log, hosts, outbox, following, time, onReplacing };
}

/** Faults of the file itself are reported as damage; other faults are for the operator to fix. */
function openFile(
  config: Config,
  clock: Clock,
  snapshots: Snapshots,
  logger: Logger,
  watch: ConditionWatch,
): CountedLog {
  const path = fileOf(config);
  const archive = archiveFilesIn(config.dataPath);
  const logState = logStoreState(logger);
  const say: ReportTrouble = (trouble) => {
    logState(trouble);
    watch.storeChanged(trouble);
  };
  const onMigration: OnMigration = (progress) =>
    logger.info(
      { ...progress, bytes: statSync(path).size },
      'migrating the store to a newer version; earlier programs refuse it from now on',
    );
  try {
    return openSqliteLog({ path, clock, snapshots, archive, say, onMigration });
  } catch (fault) {
    if (fault instanceof NewerStore) throw new BadConfig(fault.message);
    if (sqliteErrorCode(fault) === undefined) throw fault;
    throw new BadConfig(
      `The store ${path} cannot be opened (${errorMessage(fault)}). Give this user read and write permission, or set Service:DataPath to another folder.`,
    );
  }
}

/** The time of the newest event; a clock that is behind it was set back. */
function newestAt(path: string): string | null {
  const database = openSqlite(path, { readOnly: true });
  try {
    const newest = database.prepare('SELECT at FROM events ORDER BY sequence DESC LIMIT 1').get()?.at;
    return typeof newest === 'string' ? newest : null;
  } catch {
    return null;
  } finally {
    database.close();
  }
}

/** Logs each change of the store state, with the reason why writes are refused. */
const logStoreState =
  (logger: Logger): ReportTrouble =>
  ({ state, fault: err }) => {
    if (state === 'ready') logger.info('the store accepts writes again');
    else if (state === 'damaged')
      logger.error({ err }, 'the store is damaged: its contents differ from what was written');
    else if (state === 'doubtful') logger.error({ err }, 'the store cannot accept writes; each call tries again');
    else logger.error({ err }, "the store's disk failed: writes are refused until a restart, reads continue");
  };

/** The time up to which memory reflects the log. */
export function freshnessOf({ log, following }: Store, host: string): Freshness {
  const now = log.now();
  const staleSince = following?.().staleSince ?? null;
  const ageSeconds = Math.max(0, Math.round((Date.parse(now) - Date.parse(staleSince ?? now)) / 1000));
  return { host, asOf: staleSince ?? now, staleSince, ageSeconds };
}

/** Why the store cannot be used now, or undefined; opens it read-only at most. */
export async function probeStore(config: Config): Promise<string | undefined> {
  if (config.store !== 'sqlite') {
    const { probePostgres } = await import('../store/postgres/migrate-postgres.ts');
    return probePostgres(config.store);
  }
  const file = fileOf(config);
  if (!existsSync(file)) return undefined;
  try {
    const database = openSqlite(file, { readOnly: true });
    const version = Number(database.prepare('PRAGMA user_version').get()?.user_version);
    database.close();
    return version > newestVersion()
      ? `its version ${version} is newer than this program knows (${newestVersion()})`
      : undefined;
  } catch (fault) {
    return errorMessage(fault);
  }
}
