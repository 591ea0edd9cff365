import { expect, test } from 'vitest';
import { ingestFrom } from './ingest-from.ts';
import { expectNeverStill, startWatched } from './never-still.ts';

const smallHeap = { NODE_OPTIONS: '--max-old-space-size=256' };

const batch = (runId: string, length: number, event: (index: number) => object): object[] => [
  { type: 'run_started', runId },
  ...Array.from({ length }, (_, index) => ({ ...event(index), runId })),
];

test('forty publishers whose batches come at once take no longer of the event loop than one', async () => {
  await using service = await startWatched(smallHeap);
  const batches = Array.from({ length: 40 }, (_, run) =>
    batch(`at-once-${run}`, 2000, (index) => ({
      type: 'scenario_started',
      uid: `Cart/total ${index} of ${run}`,
      title: `the total of cart ${index}`,
      at: new Date(1_767_225_600_000 + index).toISOString(),
    })),
  );
  const answers = await Promise.all(batches.map((events) => ingestFrom('127.0.0.4', service.consoleUrl, events)));
  expect(answers.map(({ accepted }) => accepted)).toEqual(batches.map(({ length }) => length));
  await expectNeverStill(service);
});

test('eighteen batches at once, each with as many events as a batch may have, are taken in by a heap of 256 MB', async () => {
  await using service = await startWatched(smallHeap);
  const sent = Array.from({ length: 18 }, (_, run) => {
    const events = batch(`e${run}`, 99_999, () => ({ type: 'o' }));
    return ingestFrom('127.0.0.5', service.consoleUrl, events);
  });
  const taken = (await Promise.all(sent)).map(({ accepted, ignored }) => accepted + ignored);
  expect(taken).toEqual(sent.map(() => 100_000));
  await expectNeverStill(service);
});

test('a batch of events with long lists gives way after each of them', async () => {
  await using service = await startWatched(smallHeap);
  const lists = { touchedTypes: Array(6_000).fill({ name: 'Cart' }), errors: Array(15_000).fill({}) };
  for (const [member, list] of Object.entries(lists)) {
    const events = batch(`lists-${member}`, 40, (index) => ({
      type: 'scenario_finished',
      uid: `Cart/total ${index}`,
      outcome: 'Failed',
      [member]: list,
    }));
    expect(await ingestFrom('127.0.0.6', service.consoleUrl, events)).toMatchObject({ accepted: 41 });
  }
  await expectNeverStill(service);
});
