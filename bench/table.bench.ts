import { systemClock } from '../packages/service/src/app/system-clock.ts';
import { launch } from '../tests/browser/chromium.ts';
import { start } from '../tests/start.ts';
import { countFrames, describeFrames, type Frames, scroll } from './frames.ts';

// The table of a live run in real Chromium on the real service: frames a second while it scrolls and rows change.
//   node bench/table.bench.ts [rows=10000] [rounds=3]
const [size = 10_000, rounds = 3] = process.argv.slice(2).map(Number);
const runId = '6f1c2f0e-3a55-4a0b-9d0e-0b6a1d2c3e4f';
const uidOf = (index: number) => `Feature ${index % 50}/does what it should in case ${index}`;
const [batchMs, perBatch] = [50, 5];

await using service = await start({ clock: systemClock });

async function ingest(events: object[]): Promise<void> {
  const { status, text } = await service.console('POST', '/api/ingest', { events });
  if (status !== 202) throw new Error(text);
}

const event = (type: string, index: number, more: object = {}) => ({
  type,
  runId,
  uid: uidOf(index),
  attempt: 1,
  at: new Date().toISOString(),
  ...more,
});
const began = new Date().toISOString();
await ingest([
  { type: 'run_started', runId, suite: 'bench', mode: 'in-process', startedAt: began, totalScenarios: size },
]);
for (let from = 0; from < size; from += 1000)
  await ingest(
    Array.from({ length: Math.min(1000, size - from) }, (_, step) => event('scenario_started', from + step)),
  );

/** Rows that finish, twenty batches a second. */
function changing(): () => Promise<void> {
  let [next, going] = [0, true];
  const loop = (async () => {
    while (going) {
      const started = Date.now();
      const batch = Array.from({ length: perBatch }, (_, step) => (next + step) % size);
      await ingest(
        batch.map((index) => event('scenario_finished', index, { outcome: 'CleanPass', attempts: 1, durationMs: 5 })),
      );
      next += perBatch;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, batchMs - (Date.now() - started))));
    }
  })();
  return async () => {
    going = false;
    await loop;
  };
}

const browser = await launch();
try {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto(`${service.url}/runs/${runId}`);
  await page.getByRole('row').nth(5).waitFor();
  const stop = changing();
  const frames: Frames[] = [];
  for (let round = 0; round < rounds; round += 1) frames.push(await countFrames(page, scroll));
  await stop();
  const drawn = await page.evaluate('document.querySelectorAll("*").length');
  console.log(
    `${size} rows, ${1000 / batchMs} batches/s: scrolling at ${describeFrames(frames)}, ${drawn} elements (1500)`,
  );
} finally {
  await browser.close();
}
