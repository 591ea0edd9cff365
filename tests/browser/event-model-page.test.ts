import { expect, test } from 'vitest';
import { inBrowser, openPage, serve, violations } from './browser.ts';
import { richModel } from './rich-model.ts';
import { richRun } from './rich-run.ts';
import { ingest } from './seed.ts';

inBrowser('the event model', () => {
  test('slices show what proves them, are walked by key, focused, filtered, and read as a table', async () => {
    await using service = await serve();
    const pushed = await service.console('PUT', '/api/event-model/specs', richModel);
    expect(pushed.status, pushed.text).toBe(204);
    await ingest(service, richRun({ runId: 'proof', start: Date.now() - 3_600_000, scenarios: 120 }));
    const page = await openPage();
    await page.goto(`${service.url}/event-model`);
    const board = page.getByRole('listbox', { name: 'Slices of Shop' });
    await board.getByRole('option', { name: /Search products.*verified/ }).waitFor();
    await page.getByRole('heading', { name: /Touched, not declared/ }).waitFor();

    // It opens with readable texts and an overview of all slices below, and shows the whole board on request.
    const cut = (side: 'Height' | 'Width') =>
      board.evaluate((one, of) => Reflect.get(one, `scroll${of}`) - Reflect.get(one, `client${of}`), side);
    const smallestText = `Math.min(...[...document.querySelectorAll('[role=option] span, [role=listbox] text')].map((one) =>
      Number.parseFloat(getComputedStyle(one).fontSize) * one.getBoundingClientRect().height / (one.offsetHeight ?? one.getBBox().height)))`;
    for (const [width, height] of [
      [390, 844],
      [1024, 768],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect.poll(() => page.evaluate(smallestText), { message: `${width}` }).toBeGreaterThan(9);
    }
    await board.locator('+ svg').waitFor();
    expect(await cut('Width')).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'The whole board' }).click();
    await expect.poll(() => cut('Width')).toBeLessThanOrEqual(0);
    await page.goto(`${service.url}/event-model`);
    await board.getByRole('option', { name: /Search products/ }).waitFor();

    await board.focus();
    await page.keyboard.press('End');
    const last = page.getByRole('complementary', { name: 'Slice Send the invoice' });
    await last.waitFor();
    await board.getByRole('option', { name: /Send the invoice/, selected: true }).waitFor();
    await last.getByRole('button', { name: /Charge the card/ }).click();
    const charge = page.getByRole('complementary', { name: 'Slice Charge the card' });
    await charge.getByRole('link', { name: 'Payment/a card is charged once' }).waitFor();

    await charge.getByRole('button', { name: 'Show only linked slices' }).click();
    await page.getByText('4 of 13 slices').waitFor();
    expect(await board.getByRole('option').count()).toBe(4);
    expect(await violations(page)).toEqual([]);

    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto(`${service.url}/event-model?view=table`);
    await page.getByLabel('Filter slices and types').fill('stockfreed');
    await page.getByRole('row', { name: /Free stock/ }).waitFor();
    await page.getByRole('row', { name: /Search products/ }).waitFor({ state: 'detached' });
    expect(await violations(page)).toEqual([]);
  });
});
