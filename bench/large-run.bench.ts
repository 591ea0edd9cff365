import { readFileSync } from 'node:fs';
import { startedProcess } from '../tests/spawn.ts';
import { longRun } from './long-run.ts';

// One run of 50,000 scenarios through the whole service: the cost to ingest, show and export it, in memory and in the
// delay of a ping meanwhile.
await using service = await startedProcess({ Service__RetentionDays: '0' });
const url = service.consoleUrl;
const events = [...longRun(50_000)];
const waits: number[] = [];
let done = false;
const pinging = (async () => {
  while (!done) {
    const start = performance.now();
    await (await fetch(`${url}/api/ping`)).text();
    waits.push(performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
})();
const timed = async (name: string, work: () => Promise<number>) => {
  waits.length = 0;
  const start = performance.now();
  const bytes = await work();
  const sorted = waits.toSorted((a, b) => a - b);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))?.[1];
  process.stdout.write(
    `${name}: ${Math.round(performance.now() - start)} ms, ${(bytes / 1e6).toFixed(1)} MB, ping p99 ${p99.toFixed(1)} ms of ${sorted.length}, peak memory ${Math.round(Number(peak) / 1024)} MB\n`,
  );
};
const post = async (batch: readonly object[]): Promise<number> => {
  const body = JSON.stringify({ events: batch });
  const answer = await fetch(`${url}/api/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  if (answer.status !== 202) throw new Error(String(answer.status));
  await answer.text();
  return body.length;
};
await timed('ingest in batches of 200', async () => {
  let bytes = 0;
  for (let from = 0; from < events.length; from += 200) bytes += await post(events.slice(from, from + 200));
  return bytes;
});
await timed('one batch near the limit', () => post(events.slice(0, 30_000)));
for (const path of ['', '/export', '/export?format=junit', '/export?format=ndjson']) {
  await timed(`GET /api/runs/long${path}`, async () => {
    let bytes = 0;
    for await (const chunk of (await fetch(`${url}/api/runs/long${path}`)).body ?? []) bytes += chunk.length;
    return bytes;
  });
}
done = true;
await pinging;
