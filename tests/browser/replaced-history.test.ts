import { expect, test } from 'vitest';
import { cloneDatabase } from '../postgres/clone.ts';
import { dump, restoreInPlace } from '../postgres/dump.ts';
import { inBrowser, openPage, serve, violations } from './browser.ts';

inBrowser('a database that was restored on purpose', () => {
  test('an admin ends the need after a question that names what is gone, by keys alone, on a telephone too', async () => {
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
    const ask = need.getByRole('button', { name: 'Accept the restore…' });
    await ask.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Accept the restored database?' });
    await dialog.getByText('among them 1 node').waitFor();
    await dialog.getByText('This cannot be undone.').waitFor();
    expect(await violations(page)).toEqual([]);
    // Nothing has changed, and the focus is where it was.
    await page.keyboard.press('Escape');
    await ask.and(page.locator(':focus')).waitFor();
    expect(await kinds()).toEqual(['history_replaced']);
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Accept the restore' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('The replaced history is accepted').first().waitFor();
    await need.waitFor({ state: 'detached' });
    expect(await kinds()).toEqual([]);
    expect(await page.evaluate('document.activeElement === document.body')).toBe(false);
  });
});
