import type { RunOrigin } from '../../kernel/run-summary.ts';
import type { Run } from './run.ts';

/** Releases before 0.3 wrote events of this type into the archives; none is taken in. */
export const stampType = 'console_stamp';

/**
 * What the console itself notes of a run: who began it and when that arrived, when its end arrived, and events that came
 * too late, which change nothing.
 */
export type RunStamp = Partial<RunOrigin> & {
  receivedAt?: string;
  endedAt?: string;
  /** All late events so far, `late` included. */
  lateCount?: number;
  late?: readonly object[];
  /** On lines of earlier releases alone. */
  ejectedBy?: string;
};

/** What is noted of a run that has this headline. */
export const stampOf = ({ receivedAt, publisher, trust, endedAt, late, traceparent }: Noted): RunStamp => ({
  ...(receivedAt !== null && { receivedAt, publisher, trust }),
  ...(traceparent !== undefined && { traceparent }),
  ...(endedAt !== null && { endedAt }),
  ...(late > 0 && { lateCount: late }),
});

type Noted = Pick<Run, 'receivedAt' | 'publisher' | 'trust' | 'endedAt' | 'late' | 'traceparent'>;

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
export function foldStamp(run: Run, { receivedAt, publisher, trust, endedAt, lateCount, traceparent }: RunStamp): void {
  if (receivedAt !== undefined && run.receivedAt === null) {
    if (traceparent !== undefined) run.traceparent = traceparent;
    run.receivedAt = receivedAt;
    run.publisher = publisher ?? null;
    run.trust = trust ?? 'local';
    run.fromBeforeStamps = false;
  }
  run.endedAt ??= endedAt ?? null;
  run.late = Math.max(run.late, lateCount ?? 0);
}
