import { foldEvent } from '../packages/service/src/console/runs/fold.ts';
import { readEvent } from '../packages/service/src/console/runs/read-event.ts';
import { newRun } from '../packages/service/src/console/runs/run.ts';
import { longRun } from './long-run.ts';

// What one event costs beside its parsing, and what a run of 50,000 scenarios holds in memory (with --expose-gc).
const lines = [...longRun(50_000)].map((event) => JSON.stringify(event));
globalThis.gc?.();
const before = process.memoryUsage();
const run = newRun('long');
let parsing = 0;
let folding = 0;
for (let from = 0; from < lines.length; from += 1000) {
  const start = performance.now();
  const events = lines.slice(from, from + 1000).map((line) => JSON.parse(line) as object);
  const parsed = performance.now();
  for (const event of events) {
    const taken = readEvent(event);
    if (typeof taken !== 'string' && taken.event) foldEvent(run, taken.event);
  }
  folding += performance.now() - parsed;
  parsing += parsed - start;
}
const per = (ms: number) => `${((ms * 1000) / lines.length).toFixed(2)} us`;
process.stdout.write(`${lines.length} events: parse ${per(parsing)}, read and fold ${per(folding)} each\n`);
globalThis.gc?.();
const after = process.memoryUsage();
const mib = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MiB`;
process.stdout.write(`${run.scenarios.size} scenarios hold ${mib(after.heapUsed - before.heapUsed)} of heap\n`);
