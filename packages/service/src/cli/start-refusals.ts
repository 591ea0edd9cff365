import { BadBackup } from '../app/backup-manifest.ts';
import { BadConfig } from '../app/config.ts';
import { UnreachableDatabase } from '../app/open-store.ts';
import { CannotListen } from '../edge/listen.ts';
import { NotRegularFile } from '../files/regular-file.ts';
import { errorCode, errorMessage } from '../kernel/error-code.ts';
import { isObject } from '../kernel/is-object.ts';
import { DataPathInUse, DataPathUnusable } from '../store/data-path.ts';
import { DamagedStore } from '../store/event-checksum.ts';

const refusals = [BadConfig, BadBackup, CannotListen, DataPathInUse, DataPathUnusable, DamagedStore, NotRegularFile];
/** Errors that a restart cannot fix. */
const lasting = [BadConfig, BadBackup, DamagedStore, NotRegularFile];

/** Whether the start failed for a reason that the user can fix; its message explains how. */
export const isStartRefusal = (fault: unknown): fault is Error => refusals.some((kind) => fault instanceof kind);

/** The operating system's error during start-up in one sentence; null for our own faults. */
export function systemRefusal(fault: unknown): string | null {
  if (!/^(E[A-Z]+|ERR_SQLITE_ERROR)$/.test(errorCode(fault) ?? '')) return null;
  const message = errorMessage(fault);
  const path = isObject(fault) && typeof fault.path === 'string' ? fault.path : '';
  return `The service cannot start: ${message}${message.includes(path) ? '' : ` (${path})`}. docs/operations.md lists what to do for a full disk, another owner and a read-only file system.`;
}

/** systemd and launchd restart a failed program. This exit code prevents it if every start would fail. */
export function exitCodeOf(fault: unknown, env: Readonly<Record<string, string | undefined>>): number {
  const isLasting = lasting.some((kind) => fault instanceof kind) && !(fault instanceof UnreachableDatabase);
  if (!isLasting) return 1;
  if (env.SIGNALBOX_KEPT_BY === 'systemd') return keptStopped;
  return env.SIGNALBOX_KEPT_BY === 'launchd' ? 0 : 1;
}

/** The systemd unit names this exit code in RestartPreventExitStatus. */
export const keptStopped = 78;
