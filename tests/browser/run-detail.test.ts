import { afterAll, beforeAll, expect, test } from 'vitest';
import { inBrowser, openPage, serve, violations } from './browser.ts';
import { richRun } from './rich-run.ts';
import { ingest } from './seed.ts';

const before = 'aaaa0000-0000-4000-8000-000000000001';
const runId = 'bbbb0000-0000-4000-8000-000000000002';
const beside = 'cccc0000-0000-4000-8000-000000000003';

let service: Awaited<ReturnType<typeof serve>>;

/** Two runs of one suite, an hour apart, and another suite next to the second; the tests below do not change them. */
async function seed() {
  service = await serve();
  const start = Date.now() - 2 * 3_600_000;
  await ingest(service, richRun({ runId: before, start, scenarios: 120, seed: 11 }));
  await ingest(service, richRun({ runId, start: start + 3_600_000, scenarios: 120 }));
  await ingest(service, richRun({ runId: beside, start: start + 3_610_000, scenarios: 20, lanes: 2, suite: 'e2e' }));
}

inBrowser('a run in detail', () => {
  beforeAll(seed);
  afterAll(() => service[Symbol.asyncDispose]());

  test('failures are grouped by similarity, the same as for agents, and link to their scenario', async () => {
    const page = await openPage();
    await page.goto(`${service.url}/runs/${runId}`);
    await page.getByRole('radio', { name: /^Failures \d+/ }).click();
    const groups = page.getByRole('region', { name: 'Failures by signature' });
    await groups.getByText('Expected total to be <n> but was <n>').waitFor();
    const first = groups.getByRole('button', { name: /Expected total to be \d+/ }).first();
    const uid = (await first.locator('span').first().textContent()) ?? '';
    await first.click();
    await page.getByRole('heading', { level: 2, name: uid.split('/')[1] ?? '' }).waitFor();
    await page.getByText('in TotalsSpecs.total').first().waitFor();
  });

  test('two runs are compared at their own URL: newly failing, fixed and missing tests', async () => {
    const page = await openPage();
    await page.goto(`${service.url}/runs/${runId}?compare=${before}`);
    await page
      .getByRole('row', { name: /New failure/ })
      .first()
      .waitFor();
    await page.getByRole('radio', { name: /^Fixed \d/ }).click();
    await page.getByRole('row', { name: /Fixed/ }).first().waitFor();
    expect(await page.getByRole('row', { name: /New failure/ }).count()).toBe(0);
    await page.getByRole('combobox', { name: 'Compare with' }).selectOption(beside);
    await page.getByRole('radio', { name: /^Added [1-9]/ }).waitFor();
    expect(page.url()).toContain(`compare=${beside}`);
  });

  test('a finished run is played again by a slider, and the address holds the moment', async () => {
    const page = await openPage();
    await page.goto(`${service.url}/runs/${runId}?at=20000`);
    const slider = page.getByRole('slider', { name: 'Moment of the run' });
    await slider.waitFor();
    await page.getByText(/^\d+ Pending$/).waitFor();
    await slider.focus();
    await page.keyboard.press('End');
    await page.getByText(/^\d+ Pending$/).waitFor({ state: 'detached' });
    await page.getByText('120 of 120').waitFor();
    await page.keyboard.press('Home');
    await page.getByText(/^0 of 120$/).waitFor();
    await page.getByRole('button', { name: 'End replay' }).click();
    await page.getByText(/^took /).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.has('at')).toBe(false);
  });

  test('every bar is reachable by keyboard and described in text; so are workers, faults and runs on the same host', async () => {
    const page = await openPage();
    await page.goto(`${service.url}/runs/${runId}`);
    const lanes = page.getByRole('application', { name: /rows of attempts/ });
    await lanes.focus();
    await page.keyboard.press('ArrowRight');
    await lanes.getByText(/attempt 1, \w+.*lane 0, began at 0:00/).waitFor();
    const first = await lanes.locator('p').textContent();
    await page.keyboard.press('ArrowDown');
    await lanes.getByText(/lane 1, began at/).waitFor();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => lanes.locator('p').textContent()).toBe(first);
    await page.getByRole('complementary', { name: /^Scenario / }).waitFor();

    await page.getByRole('radio', { name: 'Workers' }).click();
    const workers = page.getByRole('region', { name: 'Workers' });
    await workers.getByRole('row', { name: /Stall.*no events for/ }).waitFor();
    await workers.getByRole('row', { name: /Worker fault.*exit 139/ }).waitFor();
    await workers
      .getByRole('row', { name: /Recycle pg/ })
      .first()
      .waitFor();

    const others = page.getByRole('region', { name: 'At the same time on this host' });
    await others.getByRole('link', { name: /e2e/ }).click();
    await page.getByRole('heading', { level: 1, name: 'e2e' }).waitFor();
  });

  test('axe finds nothing on the views of a run in either theme', async () => {
    const page = await openPage({ colorScheme: 'dark' });
    const found: Record<string, string[]> = {};
    const views = [
      ['dark', '?view=failures', 'Expected total to be <n> but was <n>'],
      ['dark', `?compare=${before}&at=30000`, 'what changed since'],
      ['light', '?view=workers&at=30000', 'What happened'],
    ] as const;
    for (const [colorScheme, query, ready] of views) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${service.url}/runs/${runId}${query}`);
      await page.getByText(ready).waitFor();
      const here = await violations(page);
      if (here.length > 0) found[`${query} ${colorScheme}`] = here;
    }
    expect(found).toEqual({});
  });
});
