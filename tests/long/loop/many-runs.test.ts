import { expect, test } from 'vitest';
import { isLong, recordFigure, rounds } from '../../rounds.ts';
import { caller } from '../../start.ts';
import { ingestFrom } from './ingest-from.ts';
import { expectNeverStill, startWatched } from './never-still.ts';

const offered = rounds(10_000, 100_000);
const perBatch = 500;
// The long form sends 100,000 runs a minute; the short form sends as fast as it is answered.
const batchMs = isLong ? 300 : 0;

test(`${offered} runs offered by one publisher are told, pings answered and another's runs taken`, async () => {
  await using service = await startWatched({ NODE_OPTIONS: '--max-old-space-size=256' });
  const url = service.consoleUrl;
  const pings: number[] = [];
  let offering = true;
  const pinging = (async () => {
    while (offering) {
      const before = performance.now();
      await caller(url)('GET', '/api/ping');
      pings.push(performance.now() - before);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  const began = performance.now();
  let [accepted, rejected] = [0, 0];
  const messages = new Set<string>();
  for (let from = 0; from < offered; from += perBatch) {
    const events = Array.from({ length: perBatch }, (_, at) => ({ type: 'run_started', runId: `flood-${from + at}` }));
    const answer = await ingestFrom('127.0.0.2', url, events);
    accepted += answer.accepted;
    rejected += answer.rejected.length;
    for (const { message } of answer.rejected) messages.add(message.replace(/\d+ s$/, 'N s'));
    const own = await ingestFrom('127.0.0.3', url, [{ type: 'run_started', runId: `own-${(from / perBatch) % 100}` }]);
    expect(own.accepted).toBe(1);
    const early = began + (from / perBatch + 1) * batchMs - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
  }
  const seconds = (performance.now() - began) / 1000;
  offering = false;
  await pinging;
  pings.sort((a, b) => a - b);
  const p99 = pings[Math.floor(pings.length * 0.99)];
  recordFigure(
    'A15',
    `${offered} runs in ${Math.round(seconds)} s: ${accepted} accepted, ${rejected} rejected, pings p99 ${p99?.toFixed(1)} ms of ${pings.length}, longest stretch ${Math.round(service.longest().busyMs)} ms`,
  );
  expect(accepted + rejected).toBe(offered);
  expect(accepted).toBeLessThanOrEqual(1_000 * (1 + Math.ceil(seconds / 60)));
  expect([...messages].sort()).toEqual([
    'a batch may start at most 200 runs; send the events of the others in another batch',
    'one sender may start at most 1000 runs a minute; try again in N s',
  ]);
  const listed = (await caller(url)('GET', '/api/runs')).body as Array<{ runId: string }>;
  expect(listed.filter(({ runId }) => runId.startsWith('own-')).length).toBe(Math.min(100, offered / perBatch));
  await expectNeverStill(service);
});
