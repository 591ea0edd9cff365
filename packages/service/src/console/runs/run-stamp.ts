import type { RunOrigin } from '../../kernel/run-summary.ts';
import type { Run } from './run.ts';

/** Only the console writes events of this type, into its own archives; none is taken in. */
export const stampType = 'console_stamp';

/**
 * What the console itself says of a run, on a line of its own in the archive: first who began it and when that arrived,
 * later when its end arrived, and events that came too late, which change nothing.
 */
export type RunStamp = Partial<RunOrigin> & {
  receivedAt?: string;
  endedAt?: string;
  /** All late events so far, those of this line included. */
  lateCount?: number;
  late?: readonly object[];
  /** Written before the archive is moved away at someone's request. */
  ejectedAt?: string;
  ejectedBy?: string;
};

export const stampLine = (runId: string, stamp: RunStamp): string =>
  `${JSON.stringify({ type: stampType, runId, ...stamp })}\n`;

/** Lines of the console's own hand are well formed; a damaged one is read as far as it goes. */
export function readStamp(raw: Record<string, unknown>): RunStamp {
  const { receivedAt, endedAt, publisher, trust, lateCount, ejectedBy } = raw;
  return {
    ...(typeof receivedAt === 'string' && { receivedAt, publisher: typeof publisher === 'string' ? publisher : null }),
    ...((trust === 'named' || trust === 'local' || trust === 'open') && { trust }),
    ...(typeof endedAt === 'string' && { endedAt }),
    ...(typeof lateCount === 'number' && { lateCount }),
    ...(typeof ejectedBy === 'string' && { ejectedBy }),
  };
}

/** The first stamp of each kind counts. */
export function foldStamp(run: Run, { receivedAt, publisher, trust, endedAt, lateCount }: RunStamp): void {
  if (receivedAt !== undefined && run.receivedAt === null) {
    run.receivedAt = receivedAt;
    run.publisher = publisher ?? null;
    run.trust = trust ?? 'local';
    run.fromBeforeStamps = false;
  }
  run.endedAt ??= endedAt ?? null;
  run.late = Math.max(run.late, lateCount ?? 0);
}
