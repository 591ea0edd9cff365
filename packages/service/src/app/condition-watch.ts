import { X509Certificate } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  statfsSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { readPlainFile } from '../files/plain-file.ts';
import { type Clock, iso } from '../kernel/clock.ts';
import { type Condition, type ConditionFacts, conditionsOf, isReady } from '../kernel/conditions.ts';
import { errorCode } from '../kernel/error-code.ts';
import type { StoreTrouble } from '../store/group-commit.ts';
import type { UnusableSnapshot } from '../store/snapshot.ts';
import type { Config } from './config.ts';
import { readLastBackup } from './last-backup.ts';
import type { Logger } from './log.ts';
import { snapshotFile } from './snapshot-file.ts';

/** The maximum time until the beginning or end of a condition is noticed. */
const lookMs = 5_000;

export type WatchedConfig = Pick<Config, 'dataPath' | 'tls' | 'minFreeMb' | 'backupPath' | 'backupEvery'>;
type Since<Facts> = Facts & { since: string | null };

/**
 * Collects the health of this process. The disk, the certificate and the clock are checked every few seconds; other
 * problems are reported by the code that meets them. Reading `conditions` is free, so anybody may do it at any rate.
 */
export class ConditionWatch {
  readonly #config: WatchedConfig;
  readonly #clock: Pick<Clock, 'wall'>;
  readonly #log: Pick<Logger, 'info' | 'error' | 'warn'> | undefined;
  readonly #startedAt: number;
  #store: Since<{ state: 'ready' | 'doubtful' | 'lost' | 'damaged' }> = { state: 'ready', since: null };
  #runs: Since<{ writable: boolean }> = { writable: true, since: null };
  /** Receivers that rejected the last event, with the number of failures in a row and the time of the first. */
  readonly #notTaken = new Map<string, { failed: number; since: string }>();
  #snapshot: ConditionFacts['snapshot'] = null;
  #databaseAwaySince: () => string | null = () => null;
  #provider: { awaySince(): number | null } = { awaySince: () => null };
  #tryWriting: () => boolean = () => true;
  #newestSeen: number;
  #looked: Pick<ConditionFacts, 'freeBytes' | 'notWritable' | 'certificate'> & { lastBackupAt: number | null };
  #said = new Map<Condition['code'], Condition>();

  constructor(config: WatchedConfig, clock: Pick<Clock, 'wall'>, log?: Pick<Logger, 'info' | 'error' | 'warn'>) {
    this.#config = config;
    this.#clock = clock;
    this.#log = log;
    this.#startedAt = clock.wall();
    this.#newestSeen = this.#startedAt;
    this.#looked = lookAt(config);
  }

  start(clock: Clock): () => void {
    return clock.every(lookMs, () => this.look());
  }

  /** Checks the machine now, and logs conditions that began or ended since the last check. */
  look(): void {
    if (this.#store.state === 'doubtful') this.#tryWriting();
    this.#looked = lookAt(this.#config);
    if (!this.#runs.writable && this.#looked.notWritable.length === 0 && this.#looked.freeBytes !== 0)
      this.#runs = { writable: true, since: null };
    if (this.#snapshot && !existsSync(join(this.#config.dataPath, snapshotFile))) this.#snapshot = null;
    this.#newestSeen = Math.max(this.#newestSeen, this.#clock.wall());
    this.#sayChanges();
  }

  conditions(): Condition[] {
    return conditionsOf(this.facts());
  }

  facts(): ConditionFacts {
    const providerAwaySince = this.#provider.awaySince();
    const { backupPath, backupEvery, minFreeMb } = this.#config;
    const { lastBackupAt, ...looked } = this.#looked;
    const failing = [...this.#notTaken.values()];
    return {
      now: this.#clock.wall(),
      store: this.#store,
      databaseAwaySince: this.#databaseAwaySince(),
      runs: this.#runs,
      ...looked,
      minFreeBytes: minFreeMb * 1024 * 1024,
      clockBehindMs: this.#newestSeen - this.#clock.wall(),
      snapshot: this.#snapshot,
      notifications: {
        failed: failing.reduce((sum, { failed }) => sum + failed, 0),
        since: failing.map(({ since }) => since).sort()[0] ?? null,
        receivers: [...this.#notTaken.keys()],
      },
      providerAwaySince: providerAwaySince === null ? null : iso(providerAwaySince),
      backup: {
        lastAt: lastBackupAt,
        everyHours: backupPath === undefined ? null : backupEvery,
        since: this.#startedAt,
      },
    };
  }

  storeOpened(store: { tryWriting(): boolean; awaySince(): string | null; newestAt: string | null }): void {
    this.#tryWriting = store.tryWriting;
    this.#databaseAwaySince = store.awaySince;
    const newest = Date.parse(store.newestAt ?? '');
    if (!Number.isNaN(newest)) this.#newestSeen = Math.max(this.#newestSeen, newest);
  }

  providerOpened(provider: { awaySince(): number | null }): void {
    this.#provider = provider;
  }

  storeChanged({ state }: StoreTrouble): void {
    // Damage found once lasts until a restore, which requires a restart.
    if (this.#store.state === 'damaged' || this.#store.state === state) return;
    this.#store = { state, since: state === 'ready' ? null : this.#now() };
    this.#sayChanges();
  }

  runsWritten(writable: boolean): void {
    if (this.#runs.writable === writable) return;
    this.#runs = { writable, since: writable ? null : this.#now() };
    this.#sayChanges();
  }

  notified(receiver: string, isDelivered: boolean): void {
    const { failed = 0, since = this.#now() } = this.#notTaken.get(receiver) ?? {};
    if (isDelivered && failed === 0) return;
    if (isDelivered) this.#notTaken.delete(receiver);
    else this.#notTaken.set(receiver, { failed: failed + 1, since });
    this.#sayChanges();
  }

  readonly snapshots = {
    discarded: ({ why, damaged }: UnusableSnapshot) => {
      this.#log?.warn({ why }, 'the snapshot is not used: the whole log is read, so this start takes longer');
      if (damaged) this.#snapshot = { why, since: this.#now() };
    },
    written: () => {
      this.#snapshot = null;
    },
  };

  #now(): string {
    return iso(this.#clock.wall());
  }

  #sayChanges(): void {
    const now = new Map(this.conditions().map((condition) => [condition.code, condition]));
    for (const [code, { severity, detail: why, next }] of now) {
      if (this.#said.has(code)) continue;
      if (severity === 'down') this.#log?.error({ condition: code, why, next }, 'not ready');
      else this.#log?.warn({ condition: code, why, next }, 'needs attention');
    }
    for (const code of this.#said.keys())
      if (!now.has(code))
        this.#log?.info({ condition: code, ready: isReady([...now.values()]) }, 'the condition has ended');
    this.#said = now;
  }
}

/** Every check that works without a running service; `doctor` uses it too. */
export function lookAt(config: WatchedConfig): Pick<ConditionFacts, 'freeBytes' | 'notWritable' | 'certificate'> & {
  lastBackupAt: number | null;
} {
  const { dataPath, tls } = config;
  const written = tryToWrite(dataPath);
  const last = readLastBackup(dataPath);
  return {
    freeBytes: written === 'ENOSPC' || written === 'EDQUOT' ? 0 : freeBytesOf(dataPath),
    notWritable: [...(/^(EACCES|EPERM|EROFS)$/.test(written ?? '') ? ['.'] : []), ...foreignFiles(dataPath)],
    certificate: tls === undefined ? null : certificateIn(tls.cert),
    lastBackupAt: last === null ? null : Date.parse(last.at),
  };
}

const probeBytes = Buffer.alloc(4096, '\n');

/** The code of the error that prevents writing to the data path; undefined if none does. */
function tryToWrite(dataPath: string): string | undefined {
  const probe = join(dataPath, `.probe-${process.pid}.tmp`);
  try {
    writeFileSync(probe, probeBytes, { mode: 0o600 });
    return undefined;
  } catch (fault) {
    const code = errorCode(fault);
    return code === 'ENOENT' ? undefined : code;
  } finally {
    try {
      unlinkSync(probe);
    } catch {
      // The probe file was not created.
    }
  }
}

function freeBytesOf(path: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** Files of another owner, such as after one start with sudo. They are not opened, because closing one would release the locks that SQLite holds on it in this process. */
export function foreignFiles(dataPath: string): string[] {
  try {
    return readdirSync(dataPath).filter((name) => {
      // Another process may have removed it.
      if (name.endsWith('.tmp') || statSync(join(dataPath, name), { throwIfNoEntry: false }) === undefined)
        return false;
      return !isWritable(join(dataPath, name));
    });
  } catch {
    return [];
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch (fault) {
    return errorCode(fault) === 'ENOENT';
  }
}

const mostCertificateBytes = 1024 * 1024;

function certificateIn(path: string): ConditionFacts['certificate'] {
  try {
    const { validFrom, validTo } = new X509Certificate(readPlainFile(path, mostCertificateBytes));
    return { from: Date.parse(validFrom), until: Date.parse(validTo) };
  } catch {
    return null;
  }
}
