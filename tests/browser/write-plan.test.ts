import { afterAll, expect, test } from 'vitest';
import { closeBrowser, inBrowser, openPage, serve } from './browser.ts';

afterAll(closeBrowser);

type Node = { id: string; binding: { kind: string } | null; dependsOn: { ref: string }[] };

inBrowser('a plan written by hand', () => {
  test('from a pasted outline, then node by node with a picker, from the palette', async () => {
    await using service = await serve();
    await service.call('POST', '/api/plans', { plan: 'shop', title: 'Shop', repository: 'acme/shop', nodes: [] });
    const nodes = async () => (await service.call('GET', '/api/plans/shop/status')).body.nodes as Node[];
    const ids = async () => (await nodes()).map(({ id }) => id);
    const page = await openPage();
    await page.goto(`${service.url}/plans/shop`);
    await page.getByRole('heading', { name: 'No nodes yet' }).waitFor();

    await page.getByRole('button', { name: 'Paste a list' }).click();
    await page.getByLabel('One node a line').fill('- Release\n  - [ ] Docs\n  - [ ] Tests\n- Party\n');
    await page.getByRole('button', { name: 'Add 4 nodes' }).click();
    await expect.poll(ids).toEqual(['release', 'docs', 'tests', 'party']);
    const [release] = await nodes();
    expect(release?.dependsOn.map(({ ref }) => ref)).toEqual(['shop/docs', 'shop/tests']);
    expect(release?.binding?.kind).toBe('suite');

    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.keyboard.press('Control+k');
    await page.keyboard.type('add node');
    await page
      .getByRole('option', { name: /Add node/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Add a node' });
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Fix the lexer');
    await dialog.getByLabel('Waits for').fill('par');
    await dialog.getByRole('option', { name: /Party/ }).click();
    await dialog.getByRole('button', { name: 'Add and write another' }).click();
    await expect.poll(async () => (await nodes()).at(-1)?.dependsOn).toMatchObject([{ ref: 'shop/party' }]);
    await expect.poll(() => dialog.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });
});
