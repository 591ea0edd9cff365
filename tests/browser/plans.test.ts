import { expect, test } from 'vitest';
import { inBrowser, openPage, serve, violations } from './browser.ts';
import { seedPlans } from './seed.ts';

inBrowser('plans in the browser', () => {
  test('a newcomer gets instructions, creates a plan and fills it', async () => {
    await using service = await serve();
    const page = await openPage();
    await page.goto(`${service.url}/plans`);
    await page.getByRole('heading', { name: 'No plans yet' }).waitFor();
    await page.getByText('claude mcp add').waitFor();

    await page.getByRole('button', { name: 'New plan' }).click();
    await page.getByLabel('Title').fill('Checkout 2.0');
    await page.getByLabel('Acting as').fill('ada');
    await page.getByRole('button', { name: 'Create plan' }).click();
    await page.getByRole('heading', { name: 'Checkout 2.0' }).waitFor();

    await page.getByRole('button', { name: 'Add node' }).first().click();
    await page.getByLabel('Id').fill('lexer');
    await page.getByRole('textbox', { name: 'Title' }).fill('Rewrite the lexer');
    await page.getByLabel('Proven done when').selectOption('signOff');
    await page.getByRole('dialog').getByRole('button', { name: 'Add node' }).click();
    await page.getByRole('option', { name: /Rewrite the lexer/ }).waitFor();

    const { body } = await service.call('GET', '/api/plans/checkout-2-0/status');
    expect(body.nodes).toMatchObject([{ id: 'lexer', title: 'Rewrite the lexer', binding: { kind: 'signOff' } }]);
    const history = await service.call('GET', '/api/plans/checkout-2-0/history');
    expect(history.body.map((entry: { by: string }) => entry.by)).toEqual(['ada', 'ada']);
  });

  test('the overview has a card for a plan without nodes, which leads to adding them', async () => {
    await using service = await serve();
    await service.call('POST', '/api/plans?by=ada', { plan: 'later', title: 'Later this year' });
    const page = await openPage();
    await page.goto(`${service.url}/plans?view=graph`);
    const card = page.getByRole('region', { name: 'Plans without nodes' }).getByRole('listitem');
    await card.getByRole('heading', { name: 'Later this year' }).waitFor();
    await card.getByText('Add the first one, paste a list').waitFor();
    expect(await violations(page)).toEqual([]);
    await card.getByRole('link', { name: 'Open later to add nodes' }).click();
    await page.getByRole('heading', { level: 1, name: 'Later this year' }).waitFor();
    await service.call('POST', '/api/plans/later/nodes?by=ada', { id: 'first' });
    await page.goto(`${service.url}/plans?view=graph`);
    await page.getByRole('option', { name: /first/ }).waitFor();
    expect(await card.count()).toBe(0);
  });

  test('a refused form keeps its input and shows every error', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/plans/checkout?view=table`);
    await page.getByRole('button', { name: 'Add node' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('A node');
    expect(await page.getByLabel('Id').inputValue()).toBe('a-node');
    await page.getByLabel('Id').fill('bad id');
    await page.getByLabel('Waits for').fill('nobody');
    await page.getByRole('dialog').getByRole('button', { name: 'Add node' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Id').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Waits for').inputValue()).toBe('nobody');
    // Each error is shown at its field and nowhere else.
    expect(await page.getByRole('alert').getByRole('listitem').count()).toBe(0);
  });

  test('a cycle is refused with its whole path', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    // The node is done, so not in the queue, and its plan was not opened yet, but it is still found by name.
    await page.goto(`${service.url}/plans`);
    await page.getByRole('heading', { name: 'Plans' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('rewrite the lexer');
    await page.getByRole('option', { name: /Rewrite the lexer/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Waits for').fill('platform/sdk');
    await page.getByRole('button', { name: 'Save' }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('platform/sdk');
  });

  test('an import shows what would change before anything does', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/plans/checkout?view=table`);
    await page.getByRole('button', { name: 'Edit as a document' }).click();
    const document = page.getByRole('textbox', { name: 'Document' });
    await document.fill(`${(await document.inputValue()).trimEnd()}\n  - id: taxes\n    title: Taxes\n`);
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByLabel('What would change').getByText('taxes').waitFor();
    expect((await service.call('GET', '/api/plans/checkout')).body.nodes).toHaveLength(5);
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
    await page.getByRole('row', { name: /Taxes/ }).waitFor();
  });

  test('titles full of markup and control characters are text, nothing else', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/plans/checkout?node=markup`);
    await page.getByRole('heading', { name: /<img src=x/ }).waitFor();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toContain('Checkout 2.0');
  });

  test('the history shows who did what, and a filter narrows it', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/plans/checkout?view=table`);
    await page.getByRole('radio', { name: 'History' }).click();
    await page.getByRole('row', { name: /opus-delta/ }).waitFor();
    await page.getByRole('radio', { name: 'Evidence' }).click();
    await expect.poll(() => page.getByRole('row', { name: /opus-delta/ }).count()).toBe(0);
    await page.getByRole('row', { name: /eve/ }).waitFor();
  });

  test('a deep link to a plan whose name has a dot opens', async () => {
    await using service = await serve();
    await service.call('POST', '/api/plans', { plan: 'v1.2', title: 'Release 1.2', nodes: [] });
    const page = await openPage();
    await page.goto(`${service.url}/plans/v1.2`);
    await page.getByRole('heading', { name: 'Release 1.2' }).waitFor();
  });
});
