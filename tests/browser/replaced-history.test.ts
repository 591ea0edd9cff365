import { expect, test } from 'vitest';
import { cloneDatabase } from '../postgres/clone.ts';
import { dump, restoreInPlace } from '../postgres/dump.ts';
import { inBrowser, openPage, serve, violations } from './browser.ts';

inBrowser('a database that was restored on purpose', () => {
  test('an admin ends the need with one click, on a telephone too', async () => {
    const Store = await cloneDatabase();
    await using service = await serve({ settings: { Store, HostName: 'ada' } });
    await service.call('POST', '/api/plans', { plan: 'shop', nodes: [{ id: 'a' }] });
    const kept = await dump(Store);
    await service.call('POST', '/api/plans/shop/nodes', { id: 'b' });
    await restoreInPlace(Store, kept, true);
    const kinds = async () =>
      (await service.call('GET', '/api/needs')).body.needs.map(({ kind }: { kind: string }) => kind);
    await expect.poll(kinds).toEqual(['history_replaced']);
    const page = await openPage({ viewport: { width: 390, height: 844 } });
    await page.goto(service.url);
    const need = page.getByRole('listitem').filter({ hasText: 'among them 1 node' });
    await need.waitFor();
    expect(await page.evaluate('document.getElementById("main").scrollWidth')).toBeLessThanOrEqual(390);
    expect(await violations(page)).toEqual([]);
    await need.getByRole('button', { name: 'The restore was meant' }).click();
    await page.getByText('The replaced history is accepted').first().waitFor();
    await need.waitFor({ state: 'detached' });
    expect(await kinds()).toEqual([]);
  });
});
