import { expect, test } from 'vitest';
import { cloneDatabase } from '../../postgres/clone.ts';
import { seedOfRun } from '../../random.ts';
import { rounds } from '../../rounds.ts';
import { type HistoryCounts, simulateHistories } from './histories.ts';

const seeds = rounds(24, 2_000);
const first = seedOfRun();
/** Most of the time is spent waiting for connections to come back. */
const atOnce = 6;

test(`${seeds} stories of restores, cut and blocked connections on PostgreSQL agree with the model`, async () => {
  const sum: HistoryCounts = { asks: 0, refused: 0, restores: 0, cuts: 0, changes: 0 };
  let next = first;
  const play = async () => {
    const url = await cloneDatabase();
    while (next < first + seeds) {
      const counts = await simulateHistories(next++, url);
      for (const key of Object.keys(sum) as (keyof HistoryCounts)[]) sum[key] += counts[key];
    }
  };
  await Promise.all(Array.from({ length: atOnce }, play));
  for (const [what, many] of Object.entries(sum)) expect(many, what).toBeGreaterThan(0);
  if (seeds > 24) process.stdout.write(`R22: ${seeds} seeds from ${first}: ${JSON.stringify(sum)}\n`);
}, 3_600_000);
