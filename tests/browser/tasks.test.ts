import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inBrowser, openPage } from './browser.ts';
import { serveNeeds } from './needs.ts';
import { handOn, tasks, textOf } from './twelve-tasks.ts';

/** Does all tasks on a fresh service, each from the start page. */
async function walkAll(isPaced: boolean): Promise<{ name: string; counted: string; seconds: number }[]> {
  await using on = await serveNeeds();
  await on.service.call('POST', '/api/plans/prices/nodes', { id: 'currency', title: 'Currency table' });
  const page = await openPage();
  await page.goto(on.service.url);
  const walked = [];
  for (const [name, walk] of tasks) {
    await page.getByRole('link', { name: /^Needs you/ }).click();
    await page.getByRole('region', { name: 'Worktrees to clean up' }).waitFor();
    const hand = handOn(page, isPaced);
    const began = performance.now();
    await walk(page, hand);
    walked.push({ name, counted: textOf(hand.count), seconds: (performance.now() - began) / 1_000 });
  }
  return walked;
}

const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** How often the tasks are timed at a person's pace; only on request, because each time takes two minutes. */
const rounds = Number(process.env.SIGNALBOX_TASK_ROUNDS ?? 0);

inBrowser('twelve tasks from the start page', () => {
  test('take as many clicks and keys as the guide to the page shows', async () => {
    const walked = await walkAll(false);
    const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/page.md'), 'utf8');
    const told = [...guide.matchAll(/^\| ([^|]+) \| [^|]+ \| (\d+ clicks?, [^|]+ s) \| [\d.]+ s \|$/gm)];
    expect(told.map(([, name, text]) => [name, text])).toEqual(walked.map(({ name, counted }) => [name, counted]));
  });

  if (rounds > 0)
    test('take so many seconds', { timeout: rounds * 300_000 }, async () => {
      const all = [];
      for (let round = 0; round < rounds; round++) all.push(await walkAll(true));
      for (const [at, [name]] of tasks.entries()) {
        const seconds = all.map((walked) => walked[at]?.seconds ?? 0);
        const each = seconds.map((one) => one.toFixed(1)).join(', ');
        process.stdout.write(`| ${name} | ${median(seconds).toFixed(1)} s | ${each} |\n`);
      }
    });
});
