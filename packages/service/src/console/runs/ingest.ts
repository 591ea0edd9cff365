import { type Refusal, refuse, refuseShape } from '../../kernel/outcome.ts';
import type { IngestAnswer } from './contract.ts';
import type { EventSlice, JoinLines, SplitBatch, TimeBudget } from './ports.ts';
import { type ParsedEvent, readEvent } from './read-event.ts';
import type { RunWriter } from './run-writer.ts';

export type Ingest = (body: Uint8Array) => Promise<IngestAnswer | Refusal>;

export type IngestDeps = {
  split: SplitBatch;
  lines: JoinLines;
  writer: RunWriter;
  timeBudget: () => TimeBudget;
  warn: (details: object, text: string) => void;
};

/** A bound against abuse: real events are longer, so no real batch has as many. */
const eventsAtMost = 400_000;

/** The only entry point for events. Consumes the body: its bytes become the lines of the archives. */
export function createIngest({ split, lines, writer, timeBudget, warn }: IngestDeps): Ingest {
  return async (body) => {
    const budget = timeBudget();
    const batch = await split(body, budget);
    if (batch.kind === 'noJson') {
      return refuseShape([{ path: '', message: 'the body is no JSON; send { "events": [...] }' }]);
    }
    if (batch.kind === 'noBatch') return { accepted: 0, ignored: 0, rejected: [{ index: 0, message: noBatchMessage }] };
    if (batch.slices.length > eventsAtMost) {
      return refuse('body_too_large', `Send at most ${eventsAtMost} events at once.`);
    }

    const { answer, runs } = await sortByRun(batch.slices, budget);
    const written = await Promise.allSettled(
      [...runs].map(async ([runId, { taken: parsed, slices }]) =>
        writer.write(runId, { parsed, lines: await lines(batch.bytes, slices, budget) }),
      ),
    );
    const failed = written.find((result) => result.status === 'rejected');
    if (!failed) return answer;
    warn({ err: failed.reason }, 'a batch could not be written');
    return refuse('store_unavailable', 'The events could not be written to disk. Send the same batch again later.');
  };
}

const noBatchMessage = 'this is no batch; send { "events": [...] } or an array of events';

type SortedBatch = { answer: IngestAnswer; runs: Map<string, { taken: ParsedEvent[]; slices: EventSlice[] }> };

async function sortByRun(all: readonly EventSlice[], timeBudget: TimeBudget): Promise<SortedBatch> {
  const answer: IngestAnswer = { accepted: 0, ignored: 0, rejected: [] };
  const runs: SortedBatch['runs'] = new Map();
  let run: { taken: ParsedEvent[]; slices: EventSlice[] } | undefined;
  let runId = '';
  for (let index = 0; index < all.length; index += 1) {
    if (timeBudget.isSpent()) await timeBudget.pause();
    const slice = all[index] as EventSlice;
    const parsed = readEvent(slice.value);
    if (typeof parsed === 'string') {
      answer.rejected.push({ index, message: parsed });
      continue;
    }
    if (parsed.event) answer.accepted += 1;
    else answer.ignored += 1;
    // Most batches are of one run.
    if (parsed.runId !== runId || !run) {
      runId = parsed.runId;
      run = runs.get(runId) ?? { taken: [], slices: [] };
      runs.set(runId, run);
    }
    run.taken.push(parsed);
    run.slices.push(slice);
  }
  return { answer, runs };
}
