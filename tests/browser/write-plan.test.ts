import { expect, test } from 'vitest';
import { inBrowser, openPage, serve } from './browser.ts';

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
    await page.getByLabel('One node per line').fill('- Release\n  - [ ] Docs\n  - [ ] Tests\n- Party\n');
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
    // The dialog is still open: its action can be undone inside it.
    await dialog.getByRole('button', { name: 'Undo' }).last().click();
    await expect.poll(ids).toEqual(['release', 'docs', 'tests', 'party']);
    await dialog.getByText('Undone').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('a dependency is drawn from card to card, by mouse and by keys, and taken back', async () => {
    await using service = await serve();
    const written = ['Lexer', 'Parser', 'Printer'].map((title) => ({ id: title.toLowerCase(), title }));
    await service.call('POST', '/api/plans', { plan: 'shop', title: 'Shop', nodes: written });
    const needsOf = async (id: string) =>
      ((await service.call('GET', `/api/plans/shop/nodes/${id}`)).body as Node).dependsOn.map(({ ref }) => ref);
    const page = await openPage();
    await page.goto(`${service.url}/plans/shop`);
    const graph = page.getByRole('listbox', { name: 'Plan graph' });
    const card = (name: RegExp) => graph.getByRole('option', { name });
    const [from, to] = [await card(/Lexer/).boundingBox(), await card(/Parser/).boundingBox()];
    if (!from || !to) return expect.fail('a card is not drawn');
    await page.mouse.move(from.x + from.width - 5, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + 20, to.y + 20, { steps: 4 });
    await page.mouse.up();
    await page.getByText('Parser waits for Lexer').waitFor();
    expect(await needsOf('parser')).toEqual(['shop/lexer']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone').waitFor();
    expect(await needsOf('parser')).toEqual([]);

    // With keys: mark a card, choose the node that waits for it, press Enter.
    const connect = async (needed: RegExp, waiting: RegExp) => {
      await card(needed).click();
      await card(needed)
        .and(graph.getByRole('option', { selected: true }))
        .waitFor();
      await graph.focus();
      await page.keyboard.press('l');
      await page.getByRole('status').filter({ hasText: 'What waits for' }).waitFor();
      await card(waiting).click();
      await card(waiting)
        .and(graph.getByRole('option', { selected: true }))
        .waitFor();
      await graph.focus();
      await page.keyboard.press('Enter');
    };
    await connect(/Printer/, /Lexer/);
    await page.getByText('Lexer waits for Printer').waitFor();
    expect(await needsOf('lexer')).toEqual(['shop/printer']);
    await connect(/Lexer/, /Printer/);
    await page.getByText(/cycle/).waitFor();
    expect(await needsOf('printer')).toEqual([]);

    // A dependency is removed in the list of either node, and restored.
    await page.goto(`${service.url}/plans/shop?node=lexer`);
    await page.getByRole('button', { name: 'Do not wait for Printer' }).click();
    await page.getByText('Lexer no longer waits for Printer').waitFor();
    await page.getByText('No dependencies.').waitFor();
    expect(await needsOf('lexer')).toEqual([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('list', { name: 'Needs' }).getByRole('link', { name: 'Printer' }).click();
    await page.getByRole('button', { name: 'Lexer need not wait for this node' }).click();
    await page.getByText('No dependents.').waitFor();
    expect(await needsOf('lexer')).toEqual([]);
  });
});
