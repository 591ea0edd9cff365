import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { seedOfRun } from '../../random.ts';
import { isLong, recordFigure } from '../../rounds.ts';
import { expectNeverStill, startWatched } from '../loop/never-still.ts';
import { fuzz } from './fuzz.ts';

const requests = Number(process.env.SIGNALBOX_FUZZ ?? (isLong ? 1_000_000 : 2_000));
/** Code that runs for the first time is compiled first, which takes longer than any request, so the first requests are sent one by one. */
const oneByOne = 400;

/** Every plan with its history, including archived plans. */
async function leftAt(url: string): Promise<Array<[slug: string, history: object[]]>> {
  const read = async <Item>(path: string) => (await (await fetch(`${url}${path}`)).json()) as Item[];
  const plans = await Promise.all(['', '?archived=true'].map((query) => read<{ slug: string }>(`/api/plans${query}`)));
  const slugs = plans.flat().map(({ slug }) => slug);
  return Promise.all(slugs.map(async (slug) => [slug, await read(`/api/plans/${slug}/history`)]));
}

test(`${requests} requests of a grammar, mutated, crash nothing and meet no fault inside`, async () => {
  const seed = seedOfRun();
  const home = mkdtempSync(join(tmpdir(), 'signalbox-fuzz-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  await using service = await startWatched({ Service__GitHubWebhookSecret: 'x' }, [], home);
  const began = await fuzz(service, { seed, requests: oneByOne, together: 1 });
  const { sent, statuses, faults } = await fuzz(service, { seed, requests, from: oneByOne, together: 8 });
  expect([...began.faults, ...faults], `seed ${seed}`).toEqual([]);
  expect([service.child.exitCode, sent]).toEqual([null, requests]);
  expect((await fetch(`${service.url}/api/health`)).status).toBe(200);
  expect(service.err(), `seed ${seed}`).not.toContain('a request failed with an unexpected error');
  // If every request is refused, the test proves nothing.
  expect(statuses['rest 200'], JSON.stringify(statuses)).toBeGreaterThan(requests / 100);
  expect(statuses['ingest 202'], JSON.stringify(statuses)).toBeGreaterThan(requests / 100);
  await expectNeverStill(service);
  // The next process can read everything that this one left.
  const left = await leftAt(service.url);
  service.child.kill('SIGTERM');
  expect([await service.ended, left.length > 0]).toEqual([0, true]);
  await using next = await startWatched({}, [], home);
  const found = new Map(await leftAt(next.url));
  // Observers continue to check; existing events stay unchanged.
  for (const [slug, history] of left)
    expect(found.get(slug)?.slice(0, history.length), `seed ${seed}`).toEqual(history);
  recordFigure('A20', `seed ${seed}, ${sent} requests, ${JSON.stringify(statuses)}`);
}, 7_200_000);
