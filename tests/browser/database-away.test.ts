import { expect, test } from 'vitest';
import { cloneDatabase } from '../postgres/clone.ts';
import { openCuttingProxy } from '../postgres/cutting-proxy.ts';
import { inBrowser, openPage, serve } from './browser.ts';

inBrowser('the database of a host goes away and comes back', () => {
  test('the page shows the time of its data, is no longer live, and disables actions until the database is back', async () => {
    await using proxy = await openCuttingProxy();
    await using service = await serve({ settings: { Store: proxy.through(await cloneDatabase()), HostName: 'gamma' } });
    await service.call('POST', '/api/plans', {
      plan: 'shop',
      title: 'Shop',
      nodes: [{ id: 'a', title: 'Prices', binding: { kind: 'signOff' } }],
    });
    const page = await openPage();
    await page.goto(`${service.url}/ready`);
    const claim = page.getByRole('button', { name: 'Claim next ready' });
    await claim.waitFor();
    await page.getByRole('navigation').getByText('Live', { exact: true }).waitFor();

    proxy.refuse(true);
    proxy.cut();
    const banner = page.getByRole('alert').filter({ hasText: 'The database has been unreachable since then' });
    await banner.waitFor();
    expect(await banner.textContent()).toMatch(/As of \d\d:\d\d:\d\d/);
    await page.getByRole('navigation').getByText('Not current').waitFor();
    expect([await claim.isDisabled(), await claim.getAttribute('title')]).toEqual([
      true,
      'The database is away. You can act when it is back.',
    ]);

    proxy.refuse(false);
    await banner.waitFor({ state: 'detached' });
    await page.getByRole('navigation').getByText('Live', { exact: true }).waitFor();
    await expect.poll(() => claim.isDisabled()).toBe(false);
  });
});
