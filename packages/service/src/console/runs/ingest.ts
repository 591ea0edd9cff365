import { type Refusal, refuse, refuseShape } from '../../kernel/outcome.ts';
import type { RunSender } from '../../kernel/run-summary.ts';
import type { RejectedEvent } from './arrivals.ts';
import { BytesAtOnce } from './bytes-at-once.ts';
import type { IngestAnswer } from './contract.ts';
import { unknownOutcome } from './outcome-words.ts';
import { type EventSlice, type SplitBatch, type TimeBudget, unknownWeight, weightOf } from './ports.ts';
import type { ArchiveQuota, NewRunQuota } from './quotas.ts';
import { type ParsedEvent, readEvent } from './read-event.ts';
import type { RunWriter } from './run-writer.ts';

/** `sender` comes from the admission of the request, never from its body. */
export type Ingest = (body: Uint8Array, sender: RunSender) => Promise<IngestAnswer | Refusal>;

export type IngestDeps = {
  split: SplitBatch;
  writer: RunWriter;
  quota: NewRunQuota;
  archiveQuota: ArchiveQuota;
  /** The runs on the board; `live` counts the live ones, `bytesOf` is the archived size of a run. */
  board: {
    has(runId: string): boolean;
    hasEnded(runId: string): boolean;
    live(): number;
    bytesOf(runId: string): number;
  };
  timeBudget: () => TimeBudget;
  warn: (details: object, text: string) => void;
  /** Resolves once the ended runs have been examined as evidence. */
  settle: () => Promise<boolean>;
  /** Called for each new run, and for each event that was rejected because it came from another sender. */
  onSender?: (runId: string, sender: RunSender, outcome: 'done' | 'name_not_yours') => void;
};

/** A parsed batch takes many times the memory of its bytes. */
const bytesParsedAtOnce = 2 * 1024 * 1024;

/** The only entry point for events. Consumes the body: its bytes become the lines of the archives. */
export function createIngest(deps: IngestDeps): Ingest {
  const { split, writer, quota, archiveQuota, board, timeBudget, warn, settle, onSender } = deps;
  const parsing = new BytesAtOnce(bytesParsedAtOnce);
  return (body, sender) => parsing.run(body.byteLength, () => take(body, sender));

  async function take(body: Uint8Array, sender: RunSender): Promise<IngestAnswer | Refusal> {
    const { address, onlyRun, ...origin } = sender;
    const budget = timeBudget();
    const batch = await split(body, budget);
    if (batch.kind === 'noJson') {
      return refuseShape([{ path: '', message: 'the body is not JSON; send { "events": [...] }' }]);
    }
    if (batch.kind === 'noBatch') return { accepted: 0, ignored: 0, rejected: [{ index: 0, message: noBatchMessage }] };
    if (batch.kind === 'tooLarge') return refuse('body_too_large', batch.message);

    const name = origin.publisher ?? address;
    const { answer, runs } = await sortByRun(batch.slices, budget, {
      ofRun: onlyFor(onlyRun, refusalOfNew(quota, board, name)),
      ofBytes: archiveQuota.forBatch(name, (runId) => board.bytesOf(runId)),
    });
    if (budget.isSpent(unknownWeight)) await budget.pause();
    const isNew = [...runs.keys()].map((runId) => !board.has(runId));
    const written = await Promise.allSettled(
      [...runs].map(([runId, { taken: parsed, slices }]) =>
        writer.write(runId, { parsed, slices, bytes: batch.bytes, origin }),
      ),
    );
    [...runs.keys()].forEach((runId, index) => {
      const result = written[index];
      if (result?.status !== 'fulfilled') return;
      if (result.value.some(({ isForeign }) => isForeign)) onSender?.(runId, sender, 'name_not_yours');
      else if (isNew[index]) onSender?.(runId, sender, 'done');
    });
    // Evidence is settled before the end of a run is announced.
    if ([...runs.keys()].some(board.hasEnded)) await settle();
    const failed = written.find((result) => result.status === 'rejected');
    if (!failed) return withRejected(answer, written, runs);
    const unwritten = [...runs.values()].filter((_, index) => written[index]?.status === 'rejected');
    archiveQuota.giveBack(name, bytesIn(unwritten));
    quota.giveBack(name, isNew.filter((one, index) => one && written[index]?.status === 'rejected').length);
    warn({ err: failed.reason }, 'a batch could not be written');
    return refuse('store_unavailable', 'The events could not be written to disk. Send the same batch again later.');
  }
}

/** Counts events rejected by their runs as rejected. */
function withRejected(
  answer: IngestAnswer,
  written: readonly PromiseSettledResult<readonly RejectedEvent[]>[],
  runs: EventsByRun['runs'],
): IngestAnswer {
  const ofRuns = [...runs.values()];
  let { accepted, ignored } = answer;
  const rejected = [...answer.rejected];
  for (const [run, result] of written.entries()) {
    const { taken = [], indexes = [] } = ofRuns[run] ?? {};
    for (const { at, message } of result.status === 'fulfilled' ? result.value : []) {
      if (taken[at]?.event === null) ignored -= 1;
      else accepted -= 1;
      rejected.push({ index: indexes[at] ?? 0, message });
    }
  }
  return { accepted, ignored, rejected: rejected.sort((a, b) => a.index - b.index) };
}

const bytesIn = (runs: readonly EventsOfRun[]): number =>
  runs.flatMap(({ slices }) => slices).reduce((sum, { from, to }) => sum + to - from, 0);

const noBatchMessage = 'expected { "events": [...] } or an array of events';

type EventsOfRun = { taken: ParsedEvent[]; slices: EventSlice[]; indexes: number[] };
type EventsByRun = { answer: IngestAnswer; runs: Map<string, EventsOfRun> };

/** Rejects unknown outcomes. Archives of earlier releases may contain some, so `readEvent` accepts them. */
function readSent(value: unknown): ParsedEvent | string {
  const parsed = readEvent(value);
  return typeof parsed === 'string' ? parsed : (unknownOutcome(parsed.event) ?? parsed);
}

/** Why a run may not begin; undefined if it may, or if it has already begun. */
function refusalOfNew(quota: NewRunQuota, board: IngestDeps['board'], sender: string) {
  const refusal = quota.forBatch(sender, { live: board.live() });
  return (runId: string): string | undefined => (board.has(runId) ? undefined : refusal(runId));
}

/** Why an event is rejected: because of its run, or of its size. */
type Refusals = {
  ofRun: (runId: string) => string | undefined;
  ofBytes: (runId: string, bytes: number) => string | undefined;
};

const onlyFor =
  (onlyRun: string | undefined, refusalOf: Refusals['ofRun']): Refusals['ofRun'] =>
  (runId) =>
    onlyRun === undefined || runId === onlyRun ? refusalOf(runId) : `this token may only publish to the run ${onlyRun}`;

async function sortByRun(all: readonly EventSlice[], timeBudget: TimeBudget, refusals: Refusals): Promise<EventsByRun> {
  const answer: IngestAnswer = { accepted: 0, ignored: 0, rejected: [] };
  const runs: EventsByRun['runs'] = new Map();
  let run: EventsOfRun | undefined;
  let runId = '';
  for (const [index, slice] of all.entries()) {
    if (timeBudget.isSpent(weightOf(slice.to - slice.from))) await timeBudget.pause();
    const parsed = readSent(slice.value);
    if (typeof parsed === 'string') {
      answer.rejected.push({ index, message: parsed });
      continue;
    }
    if (parsed.stamp) {
      // Exports of earlier releases contain the console's own lines between the events.
      answer.ignored += 1;
      continue;
    }
    const excess =
      parsed.event?.type === 'run_finished' ? undefined : refusals.ofBytes(parsed.runId, slice.to - slice.from);
    if (excess !== undefined) {
      answer.rejected.push({ index, message: excess });
      continue;
    }
    // Most batches are of one run.
    if (parsed.runId !== runId || !run) {
      const known = runs.get(parsed.runId);
      const refused = known ? undefined : refusals.ofRun(parsed.runId);
      if (refused !== undefined) {
        answer.rejected.push({ index, message: refused });
        continue;
      }
      runId = parsed.runId;
      run = known ?? { taken: [], slices: [], indexes: [] };
      runs.set(runId, run);
    }
    if (parsed.event) answer.accepted += 1;
    else answer.ignored += 1;
    run.taken.push(parsed);
    run.slices.push(slice);
    run.indexes.push(index);
  }
  return { answer, runs };
}
