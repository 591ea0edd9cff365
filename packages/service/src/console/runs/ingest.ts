import { type Refusal, refuse, refuseShape } from '../../kernel/outcome.ts';
import type { IngestAnswer } from './contract.ts';
import type { Delivery } from './delivery.ts';
import type { Breathe, JoinLines, Slice, SplitBatch } from './ports.ts';
import { readEvent, type Taken } from './read-event.ts';

export type Ingest = (body: Uint8Array) => Promise<IngestAnswer | Refusal>;

export type IngestDeps = {
  split: SplitBatch;
  lines: JoinLines;
  delivery: Delivery;
  breathe: () => Breathe;
  warn: (details: object, text: string) => void;
};

/** No real event is that short; a body of millions of them would only be made to cost us. */
const eventsAtMost = 400_000;

/** The only way in. The body is used up: its bytes become the lines of the archives. */
export function createIngest({ split, lines, delivery, breathe, warn }: IngestDeps): Ingest {
  return async (body) => {
    const breath = breathe();
    const batch = await split(body, breath);
    if (batch.kind === 'noJson') {
      return refuseShape([{ path: '', message: 'the body is no JSON; send { "events": [...] }' }]);
    }
    if (batch.kind === 'noBatch') return { accepted: 0, ignored: 0, rejected: [{ index: 0, message: noBatch }] };
    if (batch.slices.length > eventsAtMost) {
      return refuse('body_too_large', `Send at most ${eventsAtMost} events at once.`);
    }

    const { answer, runs } = await sort(batch.slices, breath);
    const written = await Promise.allSettled(
      [...runs].map(async ([runId, { taken, slices }]) =>
        delivery.deliver(runId, { taken, lines: await lines(batch.bytes, slices, breath) }),
      ),
    );
    const failed = written.find((result) => result.status === 'rejected');
    if (!failed) return answer;
    warn({ err: failed.reason }, 'a batch could not be written');
    return refuse('store_unavailable', 'The events could not be written to disk. Send the same batch again later.');
  };
}

const noBatch = 'this is no batch; send { "events": [...] } or an array of events';

type Sorted = { answer: IngestAnswer; runs: Map<string, { taken: Taken[]; slices: Slice[] }> };

async function sort(all: readonly Slice[], breathe: Breathe): Promise<Sorted> {
  const answer: IngestAnswer = { accepted: 0, ignored: 0, rejected: [] };
  const runs: Sorted['runs'] = new Map();
  let run: { taken: Taken[]; slices: Slice[] } | undefined;
  let runId = '';
  for (let index = 0; index < all.length; index += 1) {
    if (breathe.due()) await breathe.pause();
    const slice = all[index] as Slice;
    const taken = readEvent(slice.value);
    if (typeof taken === 'string') {
      answer.rejected.push({ index, message: taken });
      continue;
    }
    if (taken.event) answer.accepted += 1;
    else answer.ignored += 1;
    // Most batches are of one run.
    if (taken.runId !== runId || !run) {
      runId = taken.runId;
      run = runs.get(runId) ?? { taken: [], slices: [] };
      runs.set(runId, run);
    }
    run.taken.push(taken);
    run.slices.push(slice);
  }
  return { answer, runs };
}
