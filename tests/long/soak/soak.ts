import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startedProcess } from '../../spawn.ts';
import { begin } from './load.ts';
import { plot, type Sample, slopePerHour } from './plot.ts';

// Run as: node tests/long/soak/soak.ts [--minutes 30] [--claims 50] [--events 5000] [--clients 100] [--plot file.svg]. Linux only.
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    claims: { type: 'string', default: '50' },
    events: { type: 'string', default: '5000' },
    clients: { type: 'string', default: '100' },
    plot: { type: 'string', default: 'soak.svg' },
  },
});
const minutes = Number(values.minutes);
const rates = { claims: Number(values.claims), events: Number(values.events), clients: Number(values.clients) };
// With a small heap, garbage is collected before it can look like a leak, and a real leak ends the process.
const env = { Service__RetentionRuns: '20', NODE_OPTIONS: '--max-old-space-size=256' };
await using service = await startedProcess(env);
const load = await begin(service, rates);
const samples: Sample[] = [];
const began = performance.now();
const elapsed = () => (performance.now() - began) / 1000;

function sample(): void {
  const { pid } = service.child;
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const rssMb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  samples.push({ seconds: elapsed(), rssMb, files: readdirSync(`/proc/${pid}/fd`).length });
}

while (elapsed() < minutes * 60 && service.child.exitCode === null) {
  sample();
  await new Promise((resolve) => setTimeout(resolve, 5_000));
}
const seconds = elapsed();
await load.stop();
// Growth during warm-up is not a leak: the line is fitted to the last two thirds.
const settled = samples.filter((one) => one.seconds > seconds / 3);
const figures = {
  seconds: Math.round(seconds),
  claimsPerSecond: +(load.claims / seconds).toFixed(1),
  eventsPerSecond: Math.round(load.events / seconds),
  clients: rates.clients,
  latestBehindMs: Math.round(load.lateMs),
  refused: load.refused.length,
  rssMb: {
    first: samples[0]?.rssMb.toFixed(0),
    last: samples.at(-1)?.rssMb.toFixed(0),
    most: Math.max(...samples.map((one) => one.rssMb)).toFixed(0),
  },
  rssSlopeMbPerHour: +slopePerHour(settled, (one) => one.rssMb).toFixed(1),
  descriptors: { first: settled[0]?.files, last: settled.at(-1)?.files },
  alive: service.child.exitCode === null,
};
const title = `${figures.claimsPerSecond} claims/s, ${figures.eventsPerSecond} events/s, ${rates.clients} hub clients`;
writeFileSync(values.plot, plot(samples, title));
process.stdout.write(`${JSON.stringify(figures, null, 2)}\n${load.refused.slice(0, 5).join('\n')}\n`);
process.exitCode = figures.alive && load.refused.length === 0 ? 0 : 1;
