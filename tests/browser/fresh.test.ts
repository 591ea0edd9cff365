import { expect, test } from 'vitest';
import { inBrowser, openPage, serve } from './browser.ts';
import { finish, ingest, runEvents, runId, seedPlans } from './seed.ts';

inBrowser('what changes elsewhere', () => {
  test('a plan that names a repository, and a note about it, show up where repositories are listed and searched', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/repositories`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('link', { name: /acme\/shop/ }).waitFor();
    const nodes = [{ id: 'a', title: 'A' }];
    await service.call('POST', '/api/plans', { plan: 'zoo', title: 'Zoo', repository: 'acme/zoo', nodes });
    await page.getByRole('link', { name: /acme\/zoo/ }).waitFor();

    await page.getByRole('textbox', { name: 'Search repositories and notes' }).fill('penguins');
    await page.getByRole('heading', { name: /No results for/ }).waitFor();
    await service.call('POST', '/api/plans/zoo/nodes/a/claim', { agent: 'ada' });
    await service.call('POST', '/api/plans/zoo/nodes/a/report', { agent: 'ada', note: 'penguins are fed at noon' });
    await page.getByText('penguins are fed at noon').waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('j');
    await page.locator('a:focus').filter({ hasText: 'zoo/a' }).waitFor();
  });

  test('a run that was ejected elsewhere stays on the screen, and is said to be gone', async () => {
    await using service = await serve();
    await ingest(service, [...runEvents(3), finish()]);
    const page = await openPage();
    await page.goto(`${service.url}/runs/${runId}`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('row', { name: /price 0/ }).waitFor();
    expect((await service.call('DELETE', `/api/runs/${runId}`)).status).toBe(204);
    await page.getByRole('alert').getByText('No longer available.').waitFor();
    expect(await page.getByRole('row', { name: /price 0/ }).count()).toBe(1);
  });

  test('a page stays fresh, and can act, while the machine is offline but the service is on it', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/repositories`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('link', { name: /acme\/shop/ }).waitFor();
    // The event of a browser when only the machine's own network is left.
    await page.evaluate('dispatchEvent(new Event("offline"))');
    const nodes = [{ id: 'a', title: 'A' }];
    await service.call('POST', '/api/plans', { plan: 'zoo', title: 'Zoo', repository: 'acme/zoo', nodes });
    await page.getByRole('link', { name: /acme\/zoo/ }).waitFor();
  });
});
