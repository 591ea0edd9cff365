import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inBrowser, openPage, serve } from './browser.ts';
import { createPixelReader } from './pixels.ts';
import { ingest } from './seed.ts';

const uid = 'Prices/rounding';
const outcomes = ['CleanPass', 'PassOnRetry', 'Failed', 'Aborted', 'Skipped', null] as const;

/** A run as long as the others, with one test and its outcome; null: it never reported. */
function runWith(outcome: (typeof outcomes)[number], at: number): object[] {
  const runId = `run-${outcome ?? 'lost'}`;
  const startedAt = new Date(Date.now() - 3_600_000 + at * 60_000);
  const ended = new Date(startedAt.getTime() + 10_000).toISOString();
  const start = { runId, suite: 'shop.specs', repository: '/code/shop', mode: 'in-process', totalScenarios: 2 };
  const passed = outcome === 'CleanPass' || outcome === 'PassOnRetry' ? 1 : 0;
  const counts = { passed, failed: outcome === 'Failed' ? 1 : 0, passedOnRetry: 0, indeterminate: 0 };
  return [
    { type: 'run_started', ...start, startedAt: startedAt.toISOString() },
    { type: 'scenario_started', runId, uid, attempt: 1, at: startedAt.toISOString(), totalSteps: 0 },
    ...(outcome ? [{ type: 'scenario_finished', runId, uid, outcome, attempts: 1, durationMs: 5_000, at: ended }] : []),
    {
      type: 'scenario_finished',
      runId,
      uid: 'Prices/other',
      outcome: 'CleanPass',
      attempts: 1,
      durationMs: 5_000,
      at: ended,
    },
    { type: 'run_finished', runId, exitCode: passed || outcome === null ? 0 : 1, ...counts, finishedAt: ended },
  ];
}

inBrowser('results that differ without their colours', () => {
  test('each outcome in the history of a test, in the list of tests and among the runs of a suite has its own shape', async () => {
    await using service = await serve();
    for (const [at, outcome] of outcomes.entries()) await ingest(service, runWith(outcome, at));
    for (const colorScheme of ['dark', 'light'] as const) {
      const page = await openPage({ colorScheme });
      const shapes = await shapesReader(page);

      await page.goto(`${service.url}/runs/run-Failed/tests/${encodeURIComponent(uid)}`);
      const history = page.getByRole('list', { name: `Last ${outcomes.length} verdicts` });
      await history.waitFor();
      expect(new Set(await shapes(history.locator('a > span'))).size).toBe(outcomes.length);

      await page.goto(`${service.url}/tests`);
      const strip = page.getByRole('img', { name: /1 aborted/ });
      await strip.waitFor();
      expect(await strip.getAttribute('aria-label')).toMatch(/1 indeterminate/);
      expect(new Set(await shapes(strip.locator('> span'))).size).toBe(outcomes.length);

      await page.goto(`${service.url}/runs?by=suite`);
      const suite = page.getByRole('img', { name: /^Last 6 runs/ });
      await suite.waitFor();
      const ofRuns = await shapes(suite.locator('> span'));
      // A passed run, a failed run, and a run that ended without every verdict.
      expect(new Set(ofRuns).size).toBe(3);
    }
  });
});

/** The pixels of each element that differ from its background, as one text. */
async function shapesReader(page: Page) {
  const pixels = await createPixelReader(page.context());
  return async (elements: Locator): Promise<string[]> => {
    const found = [];
    for (const element of await elements.all()) found.push((await pixels.read(await element.screenshot())).shape());
    return found;
  };
}
