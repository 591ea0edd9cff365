import { expect, test } from 'vitest';
import { inBrowser, openPage, serve } from './browser.ts';
import { finish, ingest, runEvents } from './seed.ts';

inBrowser('the page of the console', () => {
  test('the console asks nothing that only the other port answers', async () => {
    await using service = await serve();
    await ingest(service, [...runEvents(3), finish()]);
    const page = await openPage();
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() >= 400) refused.push(`${response.status()} ${new URL(response.url()).pathname}`);
    });
    await page.goto(`${service.consoleUrl}/runs`);
    await page.getByRole('link', { name: /shop\.specs/ }).click();
    await page.getByRole('row', { name: /Failed.*price 0/ }).click();
    await page.getByRole('complementary', { name: /^Scenario / }).waitFor();
    await page.getByRole('link', { name: 'Tests' }).click();
    await page.getByRole('heading', { level: 1, name: 'Tests' }).waitFor();
    expect(refused).toEqual([]);
  });
});
