import { afterAll, expect, test } from 'vitest';
import { closeBrowser, inBrowser, openPage, serve, violations } from './browser.ts';
import { finish, ingest, pushModel, runEvents, runId, seedPlans } from './seed.ts';

afterAll(closeBrowser);

const pages: readonly (readonly [path: string, ready: string])[] = [
  ['/plans', 'Checkout 2.0'],
  ['/plans/checkout?node=parser', 'Impact'],
  ['/plans/checkout?view=table&node=totals', 'Impact'],
  ['/plans/checkout?view=history', 'opus-delta'],
  ['/ready?node=checkout/rounding', 'Impact'],
  ['/agents', 'Unlinked claims'],
  ['/repositories', 'Repositories'],
  ['/runs', 'shop.specs'],
  [`/runs/${runId}?scenario=Prices%2Fprice%200`, 'Expected 7'],
  ['/event-model?slice=PlaceOrder', 'Made of'],
  ['/nowhere', 'There is no such page'],
];

inBrowser('accessibility', () => {
  test.each(['dark', 'light'] as const)(
    'axe finds nothing on any page in %s',
    async (colorScheme) => {
      await using service = await serve();
      await seedPlans(service);
      await ingest(service, [...runEvents(6), finish()]);
      await pushModel(service);
      const page = await openPage({ colorScheme });
      const found: Record<string, string[]> = {};
      for (const [path, ready] of pages) {
        await page.goto(service.url + path);
        await page.locator('h1').first().waitFor();
        await page.getByText(ready).last().waitFor();
        const here = await violations(page);
        if (here.length > 0) found[path] = here;
      }
      expect(found).toEqual({});
    },
    90_000,
  );

  test('axe finds nothing in dialogs, the palette, and on an empty page', async () => {
    await using service = await serve();
    const page = await openPage();
    await page.goto(`${service.url}/plans`);
    await page.getByRole('heading', { name: 'No plans yet' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'New plan' }).click();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('combobox').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
