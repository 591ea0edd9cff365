import { expect, test } from 'vitest';
import { inBrowser, openPage } from '../../browser/browser.ts';
import { serveNeeds } from '../../browser/needs.ts';
import { recordFigure, rounds } from '../../rounds.ts';

const many = rounds(3, 20);

const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

inBrowser('how soon the page knows', () => {
  test('an agent that begins to wait is on the page sooner than in two reloads of it', async () => {
    await using on = await serveNeeds();
    const page = await openPage();
    await page.goto(on.service.url);
    const waiting = page.getByRole('region', { name: 'Agents waiting for you' }).getByRole('link', { name: 'stage-4' });
    const [shown, reloaded]: [number[], number[]] = [[], []];
    for (let round = 0; round < many; round += 1) {
      await on.busy.reportStatus('waiting', { waitingFor: 'permission prompt' });
      shown.push(await msOf(() => waiting.waitFor()));
      reloaded.push(await msOf(() => page.reload().then(() => waiting.waitFor())));
      await on.busy.reportStatus('busy');
      await waiting.waitFor({ state: 'detached' });
    }
    const figures = `${many} times: shown after ${median(shown).toFixed(0)} ms, reloaded in ${median(reloaded).toFixed(0)} ms`;
    recordFigure('page', figures);
    expect(median(shown) / median(reloaded), figures).toBeLessThan(2);
  });
});
