import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { smallRun } from '../tests/recorded-run.ts';
import { startedProcess } from '../tests/spawn.ts';
import { caller } from '../tests/start.ts';
import { documentsOf, graphOf, seeded } from './shapes.ts';

// How start-up and memory grow with what is stored: the whole service, restarted on data that an earlier one wrote through
// its API. The floor is the same process on an empty store.
const sizes = (process.env.SIGNALBOX_SIZES ?? '').split(',').filter(Boolean).map(Number);
const settings = { Service__RetentionRuns: '0', Service__RetentionDays: '0', Service__MaxBodyMb: '32' };

type Call = ReturnType<typeof caller>;
const must = async (call: Call, method: string, path: string, body: unknown) => {
  const { status, text } = await call(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
};

async function fillPlans(count: number, coordination: Call): Promise<void> {
  for (const [plan, nodes] of documentsOf('plans', graphOf('plans', count, seeded(7))))
    await must(coordination, 'PUT', `/api/plans/${plan}`, { nodes });
}

async function fillRuns(count: number, console: Call): Promise<void> {
  const outcomes = Array.from({ length: 10 }, (_, index) => (index === 3 ? 'Failed' : 'CleanPass'));
  for (let first = 0; first < count; first += 100) {
    const events = Array.from({ length: Math.min(100, count - first) }, (_, index) =>
      smallRun(`run-${first + index}`, { outcomes, suite: `suite ${index % 20}` }),
    ).flat();
    await must(console, 'POST', '/api/ingest', { events });
  }
}

const residentMb = (pid: number | undefined) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

async function measure(what: string, fill: (coordination: Call, console: Call) => Promise<void>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-growth-'));
  const first = await startedProcess(settings, [], home);
  const filling = performance.now();
  await fill(caller(first.url), caller(first.consoleUrl));
  const filled = performance.now() - filling;
  first.child.kill('SIGTERM');
  await first.ended;
  const started = performance.now();
  const service = await startedProcess(settings, [], home);
  const listening = performance.now() - started;
  const times: number[] = [];
  for (let ask = 0; ask < 20; ask += 1) {
    const asked = performance.now();
    await caller(service.url)('GET', '/api/plans/ready?limit=50');
    await caller(service.consoleUrl)('GET', '/api/runs');
    times.push(performance.now() - asked);
  }
  const whole = (performance.now() - started).toFixed(0);
  times.sort((a, b) => a - b);
  console.log(
    `| ${what} | ${(filled / 1000).toFixed(1)} s | ${listening.toFixed(0)} ms | ${whole} ms | ${residentMb(service.child.pid).toFixed(0)} MB | ${times[10]?.toFixed(1)} ms |`,
  );
  service.child.kill('SIGTERM');
  await service.ended;
  rmSync(home, { recursive: true, force: true });
}

console.log('| stored | written in | listening after | 20 reads of both lists after | resident | one read of both |');
console.log('|---|---|---|---|---|---|');
await measure('nothing', async () => undefined);
for (const count of sizes.length > 0 ? sizes : [10, 1_000, 100_000])
  await measure(`${count} nodes`, (coordination) => fillPlans(count, coordination));
for (const count of sizes.length > 0 ? sizes : [10, 1_000, 10_000])
  await measure(`${count} runs`, (_, console) => fillRuns(count, console));
