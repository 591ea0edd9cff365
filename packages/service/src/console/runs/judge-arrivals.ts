import type { RunOrigin } from '../../kernel/run-summary.ts';
import type { MonitorEvent } from './events.ts';
import { foldEvent } from './fold.ts';
import type { ParsedEvent } from './read-event.ts';
import { newRun, type Run } from './run.ts';

/** How long after a run's end the last events of its workers are still taken in. */
const graceMs = 30_000;

/** `late` comes after the end; `foreign` from someone else than the run's publisher; for `excess` memory has no room. */
export type Arrival = 'taken' | 'late' | 'foreign' | 'excess';

/** What decides on the next event of a run. Moved on by the events that are judged. */
export type RunStanding = {
  /** Null for a run that nothing was received of. */
  origin: RunOrigin | null;
  endedAtMs: number | null;
  /** The run as far as its end goes, ahead of what is folded: nothing is folded before it is on the disk. */
  ahead: Run;
};

export const standingOf = (run: Run): RunStanding => ({
  origin: run.receivedAt === null ? null : { publisher: run.publisher, trust: run.trust },
  endedAtMs: run.endedAt === null ? null : Date.parse(run.endedAt),
  ahead: {
    ...newRun(run.runId),
    finish: run.finish,
    closed: run.closed,
    participants: new Map([...run.participants].map(([name, one]) => [name, { ...one }])),
  },
});

/** Judges the events of one batch in their order. Events that are archived without being folded are never late. */
export function judgeArrivals(
  standing: RunStanding,
  events: readonly ParsedEvent[],
  origin: RunOrigin,
  { nowMs, hasRoom }: { nowMs: number; hasRoom: boolean },
): Arrival[] {
  if (standing.origin && isForeign(standing.origin, origin)) return events.map(() => 'foreign');
  return events.map(({ event }) => {
    if (event && isLate(standing, event, nowMs)) return 'late';
    return hasRoom || !event || endings.has(event.type) ? 'taken' : 'excess';
  });
}

const endings: ReadonlySet<string> = new Set(['run_finished', 'participant_started', 'participant_finished']);

function isLate(standing: RunStanding, event: MonitorEvent, nowMs: number): boolean {
  const { ahead, endedAtMs } = standing;
  const hasEnded = ahead.finish !== null;
  if (hasEnded && endedAtMs !== null && nowMs - endedAtMs > graceMs) return true;
  if (event.type === 'run_started') return hasEnded;
  if (event.type === 'run_finished' && ahead.closed !== null) return true;
  if (endings.has(event.type)) foldEvent(ahead, event);
  return false;
}

/** The operator may add to any run; everyone else only to runs of their own name. */
function isForeign(of: RunOrigin, sender: RunOrigin): boolean {
  if (sender.trust === 'local') return false;
  return sender.trust === 'open' ? of.trust !== 'open' : of.publisher !== sender.publisher;
}

export const lateMessage = (runId: string): string => `run ${runId} has ended; publish under a new run id`;

export const excessMessage = (runId: string): string =>
  `run ${runId} is larger than memory has room for; publish the rest under a new run id, or start Signalbox with a larger heap (NODE_OPTIONS=--max-old-space-size)`;

export const foreignMessage = (runId: string, { publisher }: RunOrigin): string =>
  publisher === null
    ? `run ${runId} was begun with a token; send the same token, or publish under a new run id`
    : `run ${runId} was begun by ${publisher}; send its token, or publish under a new run id`;
