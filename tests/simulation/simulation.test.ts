import { expect, test } from 'vitest';
import { seedOfRun } from '../random.ts';
import { rounds } from '../rounds.ts';
import { type Counts, simulate } from './simulate.ts';

const seeds = rounds(200, 10_000);
const first = seedOfRun();

test(`${seeds} stories of claims, crashes, full and broken disks and clocks that jump agree with the model`, async () => {
  const sum: Counts = { asks: 0, flushes: 0, restarts: 0, refused: 0, replays: 0 };
  for (let seed = first; seed < first + seeds; seed += 1) {
    const counts = await simulate(seed);
    for (const key of Object.keys(sum) as (keyof Counts)[]) sum[key] += counts[key];
  }
  // A simulation in which nothing ever fails, or nothing ever succeeds, tests nothing.
  for (const [what, many] of Object.entries(sum)) expect(many, what).toBeGreaterThan(0);
  if (seeds > 200) process.stdout.write(`R19: ${seeds} seeds from ${first}: ${JSON.stringify(sum)}\n`);
}, 3_600_000);

test('the same seed gives the same story', async () => {
  expect(await simulate(first)).toEqual(await simulate(first));
});
