import { expect, test } from 'vitest';
import { isLong } from '../../long.ts';
import { seedOfRun } from '../../random.ts';
import { startedProcess } from '../../spawn.ts';
import { fuzz } from './fuzz.ts';

const requests = Number(process.env.SIGNALBOX_FUZZ ?? (isLong ? 1_000_000 : 2_000));

test(`${requests} requests of a grammar, mutated, crash nothing and meet no fault inside`, async () => {
  const seed = seedOfRun();
  await using service = await startedProcess({ Service__GitHubWebhookSecret: 'x' });
  const { sent, statuses, faults } = await fuzz(service, { seed, requests });
  expect(faults, `seed ${seed}`).toEqual([]);
  expect([service.child.exitCode, sent]).toEqual([null, requests]);
  expect((await fetch(`${service.url}/api/health`)).status).toBe(200);
  expect(service.err(), `seed ${seed}`).not.toContain('a request met a fault');
  // It is no test if everything is refused at the door.
  expect(statuses['rest 200'], JSON.stringify(statuses)).toBeGreaterThan(requests / 100);
  expect(statuses['ingest 202'], JSON.stringify(statuses)).toBeGreaterThan(requests / 100);
  if (isLong) process.stdout.write(`A20: seed ${seed}, ${sent} requests, ${JSON.stringify(statuses)}\n`);
}, 7_200_000);
