import { expect, test } from 'vitest';
import { smallRun } from '../recorded-run.ts';
import { inBrowser, openPage, serve } from './browser.ts';
import { finish, ingest, runEvents, runId } from './seed.ts';

inBrowser('runs in the browser', () => {
  test('a run is followed event by event, failures first, and its end is announced', async () => {
    await using service = await serve();
    await ingest(service, runEvents(4));
    const page = await openPage();
    await page.goto(`${service.url}/runs`);
    await page.getByText('1 live').waitFor();
    await page.getByRole('link', { name: /shop\.specs/ }).click();
    await page.getByRole('row', { name: /Failed.*price 0/ }).waitFor();
    expect(await page.getByRole('row').nth(1).textContent()).toContain('price 0');

    await ingest(service, [
      { type: 'scenario_started', runId, uid: 'Prices/price late', attempt: 1, at: new Date().toISOString() },
    ]);
    await page.getByRole('row', { name: /price late/ }).waitFor();
    await ingest(service, [
      { type: 'scenario_finished', runId, uid: 'Prices/price late', outcome: 'CleanPass', attempts: 1, durationMs: 5 },
    ]);
    await page.getByRole('row', { name: /Passed.*price late/ }).waitFor();

    await ingest(service, [finish()]);
    await page.getByText(/^took /).waitFor();
  });

  test('a run of a console elsewhere is followed too', async () => {
    await using far = await serve();
    await using service = await serve({ settings: { PublisherUrl: far.consoleUrl } });
    await ingest(far, runEvents(4));
    const page = await openPage();
    await page.goto(`${service.url}/runs/${runId}`);
    await page.getByRole('row', { name: /Failed.*price 0/ }).waitFor();
    // The first may have arrived while the page was still reading; the second arrives when it only listens.
    for (const late of ['late', 'later']) {
      const at = new Date().toISOString();
      await ingest(far, [{ type: 'scenario_started', runId, uid: `Prices/price ${late}`, attempt: 1, at }]);
      await page.getByRole('row', { name: `price ${late}` }).waitFor();
    }
    await ingest(far, [finish()]);
    await page.getByText(/^took /).waitFor();
  });

  test('a scenario shows its attempts, its steps and what broke; N goes to the next failure', async () => {
    await using service = await serve();
    await ingest(service, [...runEvents(4), finish()]);
    const page = await openPage();
    await page.goto(`${service.url}/runs/${runId}`);
    await page.getByRole('row', { name: /price 0/ }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'price 0' }).waitFor();
    await page.getByText('Expected 7 but was 19').first().waitFor();
    await page.getByRole('row', { name: /price 1/ }).click();
    await page.getByRole('radio', { name: 'Attempt 1' }).click();
    await page.getByText('Retried because: timed out').waitFor();
    expect(await page.locator('img').count()).toBe(0);
  });

  test('a live run cannot be ejected, with the reason; an ended one can', async () => {
    await using service = await serve();
    await ingest(service, runEvents(3));
    const page = await openPage();
    await page.goto(`${service.url}/runs/${runId}`);
    const eject = page.getByRole('button', { name: 'Eject' });
    await eject.waitFor();
    expect(await eject.isDisabled()).toBe(true);
    expect(await eject.getAttribute('title')).toContain('never ejected');
    await ingest(service, [finish()]);
    await expect.poll(() => eject.isDisabled()).toBe(false);
    await eject.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Eject' }).click();
    await page.getByRole('heading', { name: 'No test run yet' }).waitFor();
  });

  test('withdrawing a proof names the nodes that reopen, and reopens them', async () => {
    await using service = await serve();
    await service.call('POST', '/api/plans', { plan: 'shop', nodes: [{ id: 'cart', binding: { kind: 'suite' } }] });
    const status = async () => (await service.call('GET', '/api/plans/shop/nodes/cart')).body.status;
    await ingest(service, smallRun('green', { tag: 'shop/cart' }));
    expect(await status()).toBe('done');
    const page = await openPage();
    await page.goto(`${service.url}/runs/green`);
    await page.getByRole('button', { name: 'Withdraw proof' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('link', { name: 'shop/cart' }).waitFor();
    expect(await status()).toBe('done');
    await dialog.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('1 node reopened').first().waitFor();
    expect(await status()).toBe('ready');
  });

  test('an export is a download', async () => {
    await using service = await serve();
    await ingest(service, [...runEvents(3), finish()]);
    const page = await openPage();
    await page.goto(`${service.url}/runs/${runId}`);
    await page.getByText('Export', { exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'JUnit, XML' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/shop-specs.*\.junit\.xml$/);
  });
});
