import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { seedOfRun } from '../../random.ts';
import { isLong, recordFigure } from '../../rounds.ts';
import { startWatched } from '../loop/never-still.ts';
import { fuzzLong } from './long-fuzz.ts';

const minutes = Number(process.env.SIGNALBOX_FUZZ_MINUTES ?? (isLong ? 60 : 0));
const requests = 120;

/** The development of a measure: one figure for each tenth of the time. */
const tenths = (all: readonly number[], figure: (part: readonly number[]) => number): number[] =>
  Array.from({ length: 10 }, (_, at) => figure(all.slice((all.length * at) / 10, (all.length * (at + 1)) / 10)));
const median = (part: readonly number[]) => part.toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;

test('long texts in every member, file and header hold nobody up for 100 ms, in a heap of 256 MB', async () => {
  const seed = seedOfRun();
  const home = mkdtempSync(join(tmpdir(), 'signalbox-long-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(join(home, 'plans'));
  await using service = await startWatched(
    {
      NODE_OPTIONS: '--max-old-space-size=256',
      Service__ObserveSeconds: '1',
      Service__PlansPath: join(home, 'plans'),
    },
    [],
    home,
  );
  const began = performance.now();
  const until = (sent: number) =>
    service.child.exitCode !== null || (minutes > 0 ? performance.now() - began > minutes * 60_000 : sent >= requests);
  const tell = (fault: string) => void (minutes > 0 && process.stdout.write(`${new Date().toISOString()} ${fault}\n`));
  const report = await fuzzLong(service, { seed, home, until, tell }).catch((fault: unknown) => {
    throw new Error(`seed ${seed}, exit code ${service.child.exitCode}: ${service.err().slice(-2_000)}`, {
      cause: fault,
    });
  });
  const seconds = Math.round((performance.now() - began) / 1000);
  const { resident, heap, ...told } = report;
  const memory = { resident: tenths(resident, median), heap: tenths(heap, (part) => Math.min(...part)) };
  recordFigure('A15', `long texts: seed ${seed}, ${seconds} s, ${JSON.stringify({ ...told, ...memory })}`);
  expect(report.faults, `seed ${seed}: ${report.faults.join('; ')}`).toEqual([]);
  expect([service.child.exitCode, report.sent > 0]).toEqual([null, true]);
  expect(service.err()).not.toContain('a request failed with an unexpected error');
}, 7_200_000);
