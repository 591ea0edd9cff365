import { type Clock, iso } from '../../kernel/clock.ts';
import type { RunOrigin } from '../../kernel/run-summary.ts';
import type { MonitorEvent } from './events.ts';
import { foldEvent } from './fold.ts';
import { type EventSlice, type JoinLines, type TimeBudget, unknownWeight } from './ports.ts';
import { withoutExcess } from './quotas.ts';
import type { ParsedEvent } from './read-event.ts';
import { newRun, type Run, type RunStamp } from './run.ts';
import { type BoardRun, type RunRegistry, receivedAtOf } from './run-registry.ts';
import type { RunStore } from './run-store.ts';

/** The events of one batch that belong to one run, and where in the batch's bytes each of them is. */
export type RunBatch = {
  parsed: readonly ParsedEvent[];
  slices: readonly EventSlice[];
  bytes: Uint8Array;
  origin: RunOrigin;
  /** When the batch arrived, if its run was not known at that time. */
  arrivedAtMs?: number | undefined;
};
/** An event that was rejected, by its index among the events of its run in the batch. */
export type RejectedEvent = { at: number; message: string; isForeign?: true };

export type JudgedBatch = { accepted: readonly ParsedEvent[]; rejected: readonly RejectedEvent[]; bytes: number };
/** The events to append in one step, the stamp to write with them, and the outcome of each batch once it is written. */
type SortedArrivals = { pieces: (Uint8Array | string)[]; stamp: RunStamp; batches: JudgedBatch[] };

type SortDeps = {
  store: RunStore;
  clock: Clock;
  registry: Pick<RunRegistry, 'nextArrivalMs'>;
  lines: JoinLines;
  timeBudget: () => TimeBudget;
  /** The total size limit for attachments of one run. */
  attachmentBytes: number;
  /** Whether memory has room for more of this run. */
  hasRoom: boolean;
};

/** Separates the events that a run accepts from those that are late or from another sender. */
export async function sortArrivals(
  boardRun: BoardRun,
  run: Run,
  batches: readonly RunBatch[],
  deps: SortDeps,
): Promise<SortedArrivals> {
  const nowMs = deps.clock.wall();
  const status = statusOf(run);
  // A run from before stamps existed ended with its last event.
  if (run.finish) status.endedAtMs ??= boardRun.heardAtMs;
  const sorted: SortedArrivals = { pieces: [], stamp: {}, batches: [] };
  for (const batch of batches) {
    if (status.origin === null) {
      const isOld = run.fromBeforeStamps;
      status.origin = isOld ? { publisher: null, trust: 'local' } : batch.origin;
      const receivedAt = isOld ? receivedAtOf(boardRun) : iso(batch.arrivedAtMs ?? deps.registry.nextArrivalMs());
      Object.assign(sorted.stamp, { receivedAt, ...status.origin });
    }
    await sortBatch(sorted, run, status, batch, nowMs, deps);
  }
  if (status.projected.finish && run.endedAt === null) sorted.stamp.endedAt = iso(status.endedAtMs ?? nowMs);
  return sorted;
}

async function sortBatch(
  sorted: SortedArrivals,
  run: Run,
  status: RunStatus,
  batch: RunBatch,
  nowMs: number,
  deps: SortDeps,
): Promise<void> {
  const { parsed, slices, bytes, origin } = batch;
  const budget = deps.timeBudget();
  const arrivals = judgeArrivals(status, parsed, origin, { nowMs, hasRoom: deps.hasRoom });
  if (budget.isSpent(unknownWeight)) await budget.pause();
  const all = [...arrivals.keys()];
  const late = all.filter((at) => arrivals[at] === 'late');
  const repeats = late.length === 0 ? new Set<number>() : await repeatsAmong(run.runId, late, batch, deps);
  const accepted = all.filter((at) => arrivals[at] === 'accepted');
  const named = withoutExcess(run, parsed, accepted, deps.attachmentBytes);
  if (budget.isSpent(unknownWeight)) await budget.pause();
  const isWhole = accepted.length === all.length && named.size === 0;
  const kept = isWhole ? slices : slices.filter((_, at) => arrivals[at] === 'accepted' && !named.has(at));
  const pieces: (Uint8Array | string)[] = kept.length === 0 ? [] : await deps.lines(bytes, kept, budget);
  if (budget.isSpent(unknownWeight)) await budget.pause();
  for (const { raw } of named.values()) pieces.push(`${JSON.stringify(raw)}\n`);
  sorted.pieces.push(...pieces);
  const tooLate = late.filter((at) => !repeats.has(at));
  if (tooLate.length > 0) {
    const { lateCount = run.late, late: before = [] } = sorted.stamp;
    sorted.stamp.lateCount = lateCount + tooLate.length;
    sorted.stamp.late = [...before, ...tooLate.map((at) => parsed[at]?.raw ?? {})];
  }
  const foreign = all.filter((at) => arrivals[at] === 'foreign');
  const excess = all.filter((at) => arrivals[at] === 'excess');
  sorted.batches.push({
    accepted: isWhole
      ? parsed
      : parsed.flatMap((one, at) => (arrivals[at] === 'accepted' ? [named.get(at) ?? one] : [])),
    rejected: [
      ...tooLate.map((at) => ({ at, message: lateMessage(run.runId) })),
      ...foreign.map((at) => ({
        at,
        message: foreignMessage(run.runId, status.origin ?? origin),
        isForeign: true as const,
      })),
      ...excess.map((at) => ({ at, message: excessMessage(run.runId) })),
    ],
    bytes: pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? piece.length : piece.byteLength), 0),
  });
}

/** Late events that the archive already holds byte for byte; they were sent again because an answer was lost. */
async function repeatsAmong(
  runId: string,
  late: readonly number[],
  { slices, bytes }: RunBatch,
  { store, lines, timeBudget }: SortDeps,
): Promise<ReadonlySet<number>> {
  const texts: Uint8Array[] = [];
  for (const at of late) {
    const [line] = await lines(bytes, slices.slice(at, at + 1), timeBudget());
    if (line) texts.push(line);
  }
  const found = await store.contains(runId, texts);
  return new Set(late.filter((_, index) => found.has(index)));
}

/** How long after the end of a run the last events of its workers are still accepted. */
const graceMs = 30_000;

/**
 * `late` arrived after the end, `foreign` is from another sender than the run's publisher, and `excess` does not fit
 * into memory.
 */
type Arrival = 'accepted' | 'late' | 'foreign' | 'excess';

/** The state that decides on the next event of a run; each judged event updates it. */
type RunStatus = {
  /** Null if no event of the run was received before. */
  origin: RunOrigin | null;
  endedAtMs: number | null;
  /** The end of the run as it will be once these events are folded; they are folded only after they are on disk. */
  projected: Run;
};

const statusOf = (run: Run): RunStatus => ({
  origin: run.receivedAt === null ? null : { publisher: run.publisher, trust: run.trust },
  endedAtMs: run.endedAt === null ? null : Date.parse(run.endedAt),
  projected: {
    ...newRun(run.runId),
    finish: run.finish,
    closed: run.closed,
    participants: new Map([...run.participants].map(([name, one]) => [name, { ...one }])),
  },
});

/** Decides on the events of one batch in order. Events that are archived without being folded are never late. */
function judgeArrivals(
  status: RunStatus,
  events: readonly ParsedEvent[],
  origin: RunOrigin,
  { nowMs, hasRoom }: { nowMs: number; hasRoom: boolean },
): Arrival[] {
  if (status.origin && isForeign(status.origin, origin)) return events.map(() => 'foreign');
  return events.map(({ event }) => {
    if (event && isLate(status, event, nowMs)) return 'late';
    return hasRoom || !event || endings.has(event.type) ? 'accepted' : 'excess';
  });
}

const endings: ReadonlySet<string> = new Set(['run_finished', 'participant_started', 'participant_finished']);

function isLate(status: RunStatus, event: MonitorEvent, nowMs: number): boolean {
  const { projected, endedAtMs } = status;
  const hasEnded = projected.finish !== null;
  if (hasEnded && endedAtMs !== null && nowMs - endedAtMs > graceMs) return true;
  if (event.type === 'run_started') return hasEnded;
  if (event.type === 'run_finished' && projected.closed !== null) return true;
  if (endings.has(event.type)) foldEvent(projected, event);
  return false;
}

/** The operator may add to any run, other senders only to runs that they began. */
function isForeign(of: RunOrigin, sender: RunOrigin): boolean {
  if (sender.trust === 'local') return false;
  return sender.trust === 'open' ? of.trust !== 'open' : of.publisher !== sender.publisher;
}

const lateMessage = (runId: string): string => `run ${runId} has ended; publish under a new run id`;

const excessMessage = (runId: string): string =>
  `run ${runId} does not fit into memory; publish the rest under a new run id, or start Signalbox with a larger heap (NODE_OPTIONS=--max-old-space-size)`;

const foreignMessage = (runId: string, { publisher }: RunOrigin): string =>
  publisher === null
    ? `run ${runId} was started with a token; send the same token, or publish under a new run id`
    : `run ${runId} was started by ${publisher}; send its token, or publish under a new run id`;
