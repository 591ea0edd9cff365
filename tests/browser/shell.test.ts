import { afterAll, expect, test } from 'vitest';
import { closeBrowser, inBrowser, openPage, serve } from './browser.ts';
import { ingest, runEvents, seedPlans } from './seed.ts';
import { cuttable } from './wire.ts';

afterAll(closeBrowser);

inBrowser('the shell', () => {
  test('with a token set the page asks for it once', async () => {
    await using service = await serve({ settings: { Token: 'open-sesame-open-sesame' } });
    const page = await openPage();
    await page.goto(`${service.url}/plans`);
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Token').fill('open-sesame-open-sesame');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { name: 'No plans yet' }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'No plans yet' }).waitFor();
  });

  test('the console alone serves runs in the same web, by asking again', async () => {
    await using service = await serve();
    const page = await openPage();
    await page.goto(service.consoleUrl);
    await page.getByRole('heading', { name: 'No test run yet' }).waitFor();
    expect(await page.getByRole('link', { name: 'Plans' }).count()).toBe(0);
    await ingest(service, runEvents(3));
    await page.getByRole('link', { name: /shop\.specs/ }).waitFor();
  });

  test('after 500 missed messages the page equals a fresh load', async () => {
    await using wire = await cuttable();
    await using service = await serve({ settings: { AllowedOrigins: wire.url } });
    wire.to(service.url);
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${wire.url}/plans/checkout?view=table`);
    await page.getByText('Live', { exact: true }).waitFor();
    wire.cut();
    await page.getByText('Reconnecting').waitFor();
    for (let index = 0; index < 250; index += 1) {
      await service.call('POST', '/api/plans/checkout/nodes/rounding/claim', { agent: `a${index}` });
      await service.call('POST', '/api/plans/checkout/nodes/rounding/release', { agent: `a${index}` });
    }
    await service.call('POST', '/api/plans/checkout/nodes', { id: 'late', title: 'Added meanwhile' });
    wire.mend();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('row', { name: /Added meanwhile/ }).waitFor();
    const rows = () => page.getByRole('grid').innerText();
    const clocks = (text: string) => text.replace(/\d\d:\d\d/g, '');
    const before = clocks(await rows());
    await page.reload();
    await page.getByRole('row', { name: /Added meanwhile/ }).waitFor();
    expect(clocks(await rows())).toBe(before);
  });

  test('the service going away is said, and what is on the screen stays', async () => {
    const service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/plans/checkout?view=table`);
    await page.getByText('Live', { exact: true }).waitFor();
    await service.stop();
    await page.getByText('Reconnecting').waitFor();
    expect(await page.getByRole('row', { name: /Round like a bank/ }).count()).toBe(1);
    await service[Symbol.asyncDispose]();
  });

  test('the theme follows the system until a person chooses, and then stays', async () => {
    await using service = await serve();
    const page = await openPage({ colorScheme: 'light' });
    await page.goto(service.url);
    const theme = () => page.evaluate('document.documentElement.dataset.theme');
    await page.getByRole('heading', { name: 'No plans yet' }).waitFor();
    expect(await theme()).toBe('light');
    await page.keyboard.press('d');
    expect(await theme()).toBe('dark');
    await page.reload();
    expect(await theme()).toBe('dark');
  });

  test('an address that names nothing says so', async () => {
    await using service = await serve();
    const page = await openPage();
    await page.goto(`${service.url}/plans/nowhere`);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/nowhere/i);
    await page.goto(`${service.url}/no/such/page`);
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
  });
});
