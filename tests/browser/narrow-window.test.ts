import { expect, test } from 'vitest';
import { inBrowser, openPage, serve } from './browser.ts';
import { finish, ingest, pushModel, runEvents, runId, seedPlans } from './seed.ts';

inBrowser('a window as narrow as a telephone', () => {
  test('no page is wider, whatever a publisher counts, and what is chosen can be closed', async () => {
    await using service = await serve();
    await seedPlans(service);
    await pushModel(service);
    await ingest(service, [...runEvents(3), { ...finish(), passed: 1e308, failed: 12_345_678_901 }]);
    const page = await openPage({ viewport: { width: 390, height: 844 } });
    const fits = async (ready: string) => {
      await page.getByText(ready).first().waitFor();
      const widths = ['documentElement.scrollWidth', 'getElementById("main").scrollWidth'];
      for (const width of widths) expect(await page.evaluate(`document.${width}`), ready).toBeLessThanOrEqual(390);
    };
    await page.goto(`${service.url}/runs/${runId}`);
    await fits('1e+308');
    await page.getByRole('link', { name: 'Event model' }).click();
    await fits('Declared, not touched');
    await page.getByRole('link', { name: 'Plans' }).click();
    await fits('Checkout 2.0');
    await page.getByRole('link', { name: 'Ready work' }).click();
    await fits('1 claimed, unblocked');

    const row = page.getByRole('row', { name: /Round like a bank/ });
    // A row is a card: its title is whole, and no card is wider than the window or over another.
    const cards = await page
      .locator('[role=row][aria-selected]')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    const shown = cards.sort((one, other) => one.y - other.y);
    expect(shown.length).toBeGreaterThan(1);
    for (const [at, { right, y }] of shown.entries()) {
      expect(right).toBeLessThanOrEqual(390);
      expect(y).toBeGreaterThanOrEqual((shown[at - 1]?.bottom ?? 0) - 1);
    }
    await row.click();
    const panel = page.getByRole('complementary', { name: 'Node Round like a bank' });
    expect((await panel.boundingBox())?.width).toBeGreaterThan(300);
    await panel.getByRole('button', { name: 'Close' }).click();
    await row.click({ trial: true });
  });
});
