import { parseArgs } from 'node:util';
import { seedOfRun } from '../../random.ts';
import { startedProcess } from '../../spawn.ts';
import { fuzz } from './fuzz.ts';

// Run as: node tests/long/fuzz/run-fuzz.ts [--requests 1000000] [--seed N] [--from N] [--minutes N]. Exit code 1 on any fault.
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(seedOfRun()) },
    from: { type: 'string', default: '0' },
    minutes: { type: 'string', default: '600' },
  },
});
const seed = Number(values.seed);
await using service = await startedProcess({ Service__GitHubWebhookSecret: 'x' });
const began = performance.now();
const until = () => performance.now() - began > Number(values.minutes) * 60_000 || service.child.exitCode !== null;
const tell = setInterval(() => process.stderr.write(`${Math.round((performance.now() - began) / 1000)} s\n`), 60_000);
const { sent, statuses, faults } = await fuzz(service, {
  seed,
  requests: Number(values.requests),
  from: Number(values.from),
  until,
});
clearInterval(tell);
const alive = service.child.exitCode === null && (await fetch(`${service.url}/api/health`)).ok;
process.stdout.write(
  `${JSON.stringify({ seed, sent, seconds: Math.round((performance.now() - began) / 1000), alive, statuses }, null, 2)}\n`,
);
for (const fault of faults) process.stdout.write(`${fault}\n`);
if (!alive) process.stdout.write(`the process ended: ${service.err().slice(-2000)}\n`);
const logged = service
  .err()
  .split('\n')
  .filter((line) => line.includes('a request failed with an unexpected error'));
for (const line of logged.slice(0, 5)) process.stdout.write(`${line.slice(0, 1500)}\n`);
process.exitCode = alive && faults.length === 0 ? 0 : 1;
