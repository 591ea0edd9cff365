import { afterAll, beforeAll, expect, test } from 'vitest';
import { inBatches, smallRun } from '../recorded-run.ts';
import { inBrowser, openPage, serve, violations } from './browser.ts';
import { ingest } from './seed.ts';

let service: Awaited<ReturnType<typeof serve>>;

const runs = { unit: 105, e2e: 8 };
const begun = Date.now() - 200 * 3_600_000;

/** Two suites, an hour between runs; the last run of `unit` fails, and so does every tenth. */
async function seed() {
  service = await serve({ settings: { RetentionRuns: '0' } });
  const events = Object.entries(runs).flatMap(([suite, count], offset) =>
    Array.from({ length: count }, (_, n) =>
      smallRun(`${suite}-${String(n).padStart(3, '0')}`, {
        suite,
        outcomes:
          suite === 'unit' && (n % 10 === 0 || n === count - 1) ? ['Failed', 'CleanPass'] : ['CleanPass', 'CleanPass'],
        startedAt: new Date(begun + n * 3_600_000 + offset * 1000).toISOString(),
      }),
    ),
  );
  for (const batch of inBatches(events, 50)) await ingest(service, batch.flat());
}

inBrowser('the list of runs', () => {
  beforeAll(seed);
  afterAll(() => service[Symbol.asyncDispose]());

  test('by suite, suites and runs are listed as by time, the newest start first, however late they arrived', async () => {
    const at = (hours: number) => new Date(begun + hours * 3_600_000).toISOString();
    await ingest(service, smallRun('imported', { suite: 'imported', startedAt: at(-1) }));
    await ingest(service, smallRun('unit-late', { suite: 'unit', startedAt: at(102.5) }));
    const page = await openPage();
    await page.goto(`${service.url}/runs?by=suite`);
    const suites = page.getByRole('heading', { level: 2 });
    await expect.poll(() => suites.allInnerTexts()).toEqual(['unit', 'e2e', 'imported']);
    const shown = page.locator('[data-run^=unit]');
    const runIds = await shown.evaluateAll((rows) => rows.map((row) => row.getAttribute('data-run')));
    expect(runIds).toEqual(['unit-104', 'unit-103', 'unit-late']);
  });

  test('runs are read page by page, and every filter is in the URL', async () => {
    const total = Number((await service.call('GET', '/api/runs?limit=1')).headers.get('total-count'));
    const page = await openPage();
    const rows = page.locator('[data-run]');
    await page.goto(`${service.url}/runs`);
    await page.getByText(`${total} runs in all`).waitFor();
    await page.getByText(`100 of ${total} runs`).evaluate((end) => end.scrollIntoView());
    await expect.poll(() => rows.count()).toBe(total);

    await page.getByRole('radio', { name: 'Failed' }).click();
    await expect.poll(() => rows.count()).toBe(12);
    await page.getByRole('textbox', { name: /^Filter/ }).fill('UNIT-10');
    await expect.poll(() => rows.count()).toBe(2);
    await expect.poll(() => new URL(page.url()).search).toBe('?which=failed&q=UNIT-10');
    await page.reload();
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText(`100 of ${total} runs`).waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('');

    const runId = `late-${total}`;
    await ingest(service, smallRun(runId, { suite: 'e2e', startedAt: new Date().toISOString(), finished: false }));
    await page.getByText(`${total + 1} runs in all`).waitFor();
    await page.locator(`[data-run="${runId}"]`).waitFor();
  });

  test('suites show how their last runs went, and two runs are chosen by key and compared with reasons', async () => {
    const page = await openPage({ colorScheme: 'dark' });
    const rows = page.locator('[data-run]');
    const choose = async (runId: string) => {
      await page.keyboard.press('j');
      await expect.poll(() => page.evaluate('document.activeElement.closest("[data-run]")?.dataset.run')).toBe(runId);
      await page.keyboard.press('x');
      await page.locator(`[data-run="${runId}"]`).getByRole('checkbox', { checked: true }).waitFor();
    };
    await page.goto(`${service.url}/runs?by=suite&q=unit`);
    await page.getByRole('img', { name: /^Last 50 runs: 6 failed, 44 passed, .* usually 10.0 s$/ }).waitFor();
    // Runs of one batch arrived at the same moment.
    await choose((await rows.first().getAttribute('data-run')) ?? '');
    await page.getByRole('region', { name: 'Comparison' }).getByText('Choose another run').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.setViewportSize({ width: 1440, height: 900 });

    await page.getByRole('link', { name: 'All runs of unit' }).click();
    await page.getByRole('button', { name: 'Remove filter: suite unit' }).waitFor();
    await expect.poll(() => rows.first().getAttribute('data-run')).toBe('unit-104');
    await page.getByRole('region', { name: 'Comparison' }).getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('region', { name: 'Comparison' }).waitFor({ state: 'detached' });
    await choose('unit-104');
    await choose('unit-103');
    await page.getByRole('region', { name: 'Comparison' }).getByText('What changed in').waitFor();
    await page.keyboard.press('c');
    await page.waitForURL(/\/runs\/unit-104\?compare=unit-103$/);
    await page
      .getByRole('row', { name: /New failure.*expected 1 but was 2.*flaky before: changed in \d+ of \d+/ })
      .waitFor();
  });
});
