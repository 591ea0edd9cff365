import { type Clock, iso } from '../../kernel/clock.ts';
import type { RunOrigin } from '../../kernel/run-summary.ts';
import { withoutExcess } from './attachment-quota.ts';
import { type BoardRun, receivedAtOf } from './board-run.ts';
import {
  excessMessage,
  foreignMessage,
  judgeArrivals,
  lateMessage,
  type RunStanding,
  standingOf,
} from './judge-arrivals.ts';
import { type EventSlice, type JoinLines, type TimeBudget, unknownWeight } from './ports.ts';
import type { ParsedEvent } from './read-event.ts';
import type { Run } from './run.ts';
import type { RunRegistry } from './run-registry.ts';
import type { RunStamp } from './run-stamp.ts';
import type { RunStore } from './run-store.ts';

/** The events of one batch that belong to one run, and where in the batch's bytes each of them is. */
export type RunBatch = {
  parsed: readonly ParsedEvent[];
  slices: readonly EventSlice[];
  bytes: Uint8Array;
  origin: RunOrigin;
  /** When it came, where its run was not known then. */
  arrivedAtMs?: number | undefined;
};
/** An event that was not taken, by its place in the batch of its run. */
export type RejectedEvent = { at: number; message: string; isForeign?: true };

export type JudgedBatch = { taken: readonly ParsedEvent[]; rejected: readonly RejectedEvent[]; bytes: number };
/** What to append in one step, with its stamp, and the results once it is written. */
export type SortedArrivals = { pieces: (Uint8Array | string)[]; stamp: RunStamp; batches: JudgedBatch[] };

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
  const standing = standingOf(run);
  // A run from before stamps existed ends with its last event.
  if (run.finish) standing.endedAtMs ??= boardRun.heardAtMs;
  const sorted: SortedArrivals = { pieces: [], stamp: {}, batches: [] };
  for (const batch of batches) {
    if (standing.origin === null) {
      const isOld = run.fromBeforeStamps;
      standing.origin = isOld ? { publisher: null, trust: 'local' } : batch.origin;
      const receivedAt = isOld ? receivedAtOf(boardRun) : iso(batch.arrivedAtMs ?? deps.registry.nextArrivalMs());
      Object.assign(sorted.stamp, { receivedAt, ...standing.origin });
    }
    await sortBatch(sorted, run, standing, batch, nowMs, deps);
  }
  if (standing.ahead.finish && run.endedAt === null) sorted.stamp.endedAt = iso(standing.endedAtMs ?? nowMs);
  return sorted;
}

async function sortBatch(
  sorted: SortedArrivals,
  run: Run,
  standing: RunStanding,
  batch: RunBatch,
  nowMs: number,
  deps: SortDeps,
): Promise<void> {
  const { parsed, slices, bytes, origin } = batch;
  const budget = deps.timeBudget();
  const arrivals = judgeArrivals(standing, parsed, origin, { nowMs, hasRoom: deps.hasRoom });
  if (budget.isSpent(unknownWeight)) await budget.pause();
  const all = [...arrivals.keys()];
  const late = all.filter((at) => arrivals[at] === 'late');
  const repeats = late.length === 0 ? new Set<number>() : await repeatsAmong(run.runId, late, batch, deps);
  const taken = all.filter((at) => arrivals[at] === 'taken');
  const named = withoutExcess(run, parsed, taken, deps.attachmentBytes);
  if (budget.isSpent(unknownWeight)) await budget.pause();
  const isWhole = taken.length === all.length && named.size === 0;
  const kept = isWhole ? slices : slices.filter((_, at) => arrivals[at] === 'taken' && !named.has(at));
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
    taken: isWhole ? parsed : parsed.flatMap((one, at) => (arrivals[at] === 'taken' ? [named.get(at) ?? one] : [])),
    rejected: [
      ...tooLate.map((at) => ({ at, message: lateMessage(run.runId) })),
      ...foreign.map((at) => ({
        at,
        message: foreignMessage(run.runId, standing.origin ?? origin),
        isForeign: true as const,
      })),
      ...excess.map((at) => ({ at, message: excessMessage(run.runId) })),
    ],
    bytes: pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? piece.length : piece.byteLength), 0),
  });
}

/** Those that the archive holds byte for byte already: sent again, because an answer was lost. */
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
