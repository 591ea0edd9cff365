import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryLog } from '../../../../testing/memory-log.ts';
import { createSettableClock } from '../../../../testing/settable-clock.ts';
import type { Append, EventLog } from '../kernel/event-log.ts';
import { refuse } from '../kernel/outcome.ts';
import { openSqliteLog } from './sqlite/sqlite-log.ts';

const streams = ['plan', 'graph', 'claim'] as const;
type Stream = (typeof streams)[number];

/** One call: what it appends, or how it ends without writing. */
type Call = { appends: { stream: Stream; events: number }[]; ends: 'writes' | 'refuses' | 'throws' };
type Model = Record<Stream, string[]>;

const call: fc.Arbitrary<Call> = fc.record({
  appends: fc.uniqueArray(fc.record({ stream: fc.constantFrom(...streams), events: fc.nat(3) }), {
    selector: ({ stream }) => stream,
    maxLength: 3,
  }),
  ends: fc.constantFrom('writes', 'writes', 'writes', 'refuses', 'throws'),
});
const turns = fc.array(fc.array(call, { maxLength: 6 }), { maxLength: 6 });

/** The expected log: calls in the order they were made, each complete or not at all. */
function modelOf(all: Call[][]): Model {
  const model: Model = { plan: [], graph: [], claim: [] };
  all.flat().forEach(({ appends, ends }, index) => {
    if (ends !== 'writes') return;
    for (const { stream, events } of appends) model[stream].push(...Array(events).fill(`call ${index}`));
  });
  return model;
}

async function replay(log: EventLog, all: Call[][]): Promise<Model> {
  const folded: Model = { plan: [], graph: [], claim: [] };
  await log.attach({
    apply: ({ stream, by }) => folded[stream as Stream].push(by),
    reset: () => Object.assign(folded, { plan: [], graph: [], claim: [] }),
  });
  let index = 0;
  for (const turn of all) {
    const calls = turn.map(({ appends, ends }) => {
      const by = `call ${index++}`;
      return log.commit(() => {
        if (ends === 'throws') throw new Error('a fault');
        if (ends === 'refuses') return refuse('not_found', 'no');
        const append = appends.map(({ stream, events }): Append => {
          const event = { type: 'happened', data: null, by };
          return { stream, events: Array(events).fill(event) };
        });
        return { append, answer: () => folded };
      });
    });
    await Promise.allSettled(calls);
  }
  return folded;
}

const clock = createSettableClock();
const stores = { memory: () => createMemoryLog(clock), sqlite: () => openSqliteLog({ path: ':memory:', clock }) };

test.each(Object.entries(stores))(
  '%s: any interleaving with refusals and faults keeps streams dense and whole',
  (_, open) =>
    fc.assert(
      fc.asyncProperty(turns, async (all) => {
        const log = open();
        const folded = await replay(log, all);
        const model = modelOf(all);
        expect(folded).toEqual(model);

        const sequences: number[] = [];
        for (const stream of streams) {
          const kept = await log.read(stream);
          expect(kept.map(({ by }) => by)).toEqual(model[stream]);
          expect(kept.map(({ version }) => version)).toEqual(kept.map((_, at) => at + 1));
          sequences.push(...kept.map(({ sequence }) => sequence));
        }
        expect(sequences.sort((a, b) => a - b)).toEqual(sequences.map((_, at) => at + 1));
        await log.close();
      }),
    ),
);
