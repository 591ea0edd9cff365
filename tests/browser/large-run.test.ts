import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inBrowser, openPage, serve, violations } from './browser.ts';
import { ingest } from './seed.ts';

const workers = 12;
const perWorker = 166;
const testMs = 100;
/** One failure in each fifth of the run, on different workers. */
const failing = new Set([16, 49, 83, 116, 149].map((turn, at) => `Feature ${at}/test ${turn * workers + at}`));

function largeRun(runId: string, startedAt: number): object[] {
  const at = (ms: number) => new Date(startedAt + ms).toISOString();
  const tests = Array.from({ length: workers * perWorker }, (_, number) => {
    const [turn, worker] = [Math.floor(number / workers), number % workers];
    const uid = `Feature ${worker}/test ${number}`;
    const isFailed = failing.has(uid);
    return [
      { type: 'scenario_started', runId, uid, attempt: 1, at: at(turn * testMs) },
      {
        ...{ type: 'scenario_finished', runId, uid, attempts: 1, durationMs: testMs, at: at((turn + 1) * testMs) },
        outcome: isFailed ? 'Failed' : 'CleanPass',
        errorMessage: isFailed ? 'Expected 7 but was 19' : null,
      },
    ];
  }).flat();
  const counts = {
    passed: workers * perWorker - failing.size,
    failed: failing.size,
    passedOnRetry: 0,
    indeterminate: 0,
  };
  return [
    { type: 'run_started', runId, suite: 'large', repository: '/code/shop', branch: 'main', startedAt: at(0) },
    ...tests,
    { type: 'run_finished', runId, exitCode: 1, ...counts, finishedAt: at(perWorker * testMs) },
  ];
}

/** The number of marks above the rows: sequences of the failure colour in one line of pixels. */
const ticks = (page: Page): Promise<number> =>
  page.evaluate(`(() => {
    const canvas = document.querySelector('[aria-roledescription="timeline"] canvas');
    const ratio = canvas.width / canvas.clientWidth;
    const { data } = canvas.getContext('2d').getImageData(0, Math.round(26 * ratio), canvas.width, 1);
    let [count, inside] = [0, false];
    for (let at = 0; at < data.length; at += 4) {
      const isRed = data[at + 3] > 120 && data[at] > 150 && data[at + 1] < 100;
      if (isRed && !inside) count += 1;
      inside = isRed;
    }
    return count;
  })()`);

inBrowser('a run of two thousand tests on twelve workers', () => {
  test('all lanes are in view, every failure is marked above them, and a comparison has the room', async () => {
    await using service = await serve();
    const [before, after] = ['large-run-1', 'large-run-2'];
    await ingest(service, largeRun(before, Date.now() - 7_200_000));
    await ingest(service, largeRun(after, Date.now() - 3_600_000));
    const page = await openPage({ colorScheme: 'dark' });
    await page.goto(`${service.url}/runs/${after}`);
    const timeline = page.getByRole('application', { name: /^12 rows of attempts/ });
    await timeline.waitFor();
    expect(await timeline.evaluate((one) => one.scrollHeight - one.clientHeight)).toBeLessThanOrEqual(0);
    await expect.poll(() => ticks(page)).toBe(failing.size);
    await page.getByText('5 failed attempts, marked above the rows').waitFor();
    await page.getByText('run large-run-2').waitFor();
    // If a bar is narrower than a pixel, the marks are the same.
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => ticks(page)).toBe(failing.size);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await violations(page)).toEqual([]);

    await page.goto(`${service.url}/runs/${after}?compare=${before}`);
    const fold = page.getByRole('region', { name: 'Timeline' }).getByRole('button', { name: 'Timeline' });
    await fold.and(page.locator('[aria-expanded=false]')).waitFor();
    expect(await timeline.count()).toBe(0);
    await fold.press('Enter');
    await timeline.waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
