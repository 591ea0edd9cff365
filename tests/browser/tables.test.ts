import { expect, test } from 'vitest';
import { smallRun } from '../recorded-run.ts';
import { inBrowser, openPage, serve, violations } from './browser.ts';
import { ingest, seedPlans } from './seed.ts';

inBrowser('tables', () => {
  test('sort by their heads, keep the order and the columns, and have one age and one state for one run', async () => {
    await using service = await serve();
    await seedPlans(service);
    const hour = (ago: number) => new Date(Date.now() - ago * 3_600_000).toISOString();
    for (const [suite, ago, outcome] of [
      ['repo-10', 30, 'Failed'],
      ['repo-2', 50, 'PassOnRetry'],
      ['repo-1', 4, 'Failed'],
    ] as const)
      await ingest(service, smallRun(suite, { suite, outcomes: [outcome, 'CleanPass'], startedAt: hour(ago) }));
    const page = await openPage();
    await page.goto(`${service.url}/runs`);
    const runs = page.locator('[data-run]');
    const order = () => runs.evaluateAll((all) => all.map((one) => one.getAttribute('data-run')));
    await expect.poll(order).toHaveLength(3);
    const row = async (run: string) => (await page.locator(`[data-run="${run}"]`).innerText()).split('\n');
    const age = (await row('repo-2')).at(-1);
    expect(age).toMatch(/^2 d/);
    expect(
      await page
        .locator('[data-run]')
        .first()
        .evaluate((one) => one.getBoundingClientRect().height),
    ).toBe(36);

    // The headings are one stop of the Tab key; arrow keys move along them.
    const head = (name: string) => page.getByRole('columnheader', { name }).getByRole('button');
    await head('State').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await expect.poll(order).toEqual(['repo-1', 'repo-2', 'repo-10']);
    expect(await page.getByRole('columnheader', { name: 'Suite' }).getAttribute('aria-sort')).toBe('ascending');
    await head('Age').click();
    await expect.poll(order).toEqual(['repo-1', 'repo-10', 'repo-2']);
    await page.getByText('Columns').click();
    await page.getByRole('checkbox', { name: 'Took' }).uncheck();
    await page.keyboard.press('Escape');
    await page.getByRole('checkbox', { name: 'Took' }).waitFor({ state: 'hidden' });
    await page.reload();
    await expect.poll(order).toEqual(['repo-1', 'repo-10', 'repo-2']);
    expect(await page.getByRole('columnheader', { name: 'Took' }).count()).toBe(0);
    expect(await violations(page)).toEqual([]);
    await page.goto(`${service.url}/runs?by=suite`);
    expect(await page.locator('[data-run="repo-2"]').innerText()).toContain(age);
    const suite = page.locator('.panel', { has: page.getByRole('heading', { name: 'repo-2' }) });
    expect(await suite.getByRole('img', { name: 'Passed on retry', exact: true }).count()).toBe(2);

    await page.goto(`${service.url}/plans/checkout?view=table`);
    const nodes = () =>
      page
        .getByRole('gridcell')
        .filter({ hasText: /lexer|rounding|parser/i })
        .allInnerTexts();
    await page.getByRole('columnheader', { name: 'Node' }).getByRole('button').click();
    await expect
      .poll(async () => (await nodes()).map((text) => text.split('\n')[0]))
      .toEqual(['Rewrite the lexer', 'Rewrite the price parser', 'Round like a bank']);

    // Even in the narrowest window a test still has its name.
    await page.setViewportSize({ width: 320, height: 640 });
    await page.goto(`${service.url}/tests?view=new`);
    const link = page.getByRole('table', { name: 'Tests' }).getByRole('link').first();
    await link.waitFor();
    expect(await link.innerText()).not.toBe('');
    expect((await link.locator('..').boundingBox())?.width).toBeGreaterThan(320 / 2);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Filter tests').fill('zzzz');
    await page.getByText('No matching tests.').waitFor();

    // Letters are not shortcuts for people who use speech input.
    await page.goto(`${service.url}/settings`);
    await page.getByRole('checkbox', { name: /^Shortcuts of one character/ }).uncheck();
    const theme = () => page.evaluate('document.documentElement.dataset.theme');
    const before = await theme();
    await page.keyboard.press('d');
    expect(await theme()).toBe(before);
    // The selection is visible without its background.
    await page.emulateMedia({ forcedColors: 'active' });
    const outline = await page.evaluate(
      `getComputedStyle(document.querySelector('[aria-current="page"]')).outlineStyle`,
    );
    expect(outline).toBe('solid');
    expect(await violations(page)).toEqual([]);
  });
});
