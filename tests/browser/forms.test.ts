import { expect, test } from 'vitest';
import { inBrowser, openPage, serve } from './browser.ts';
import { seedPlans } from './seed.ts';

inBrowser('what somebody typed', () => {
  test('a text marked beyond the edge of a dialog, or a click beside it, closes nothing', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/plans`);
    await page.getByRole('button', { name: 'New plan' }).click();
    const title = page.getByLabel('Title');
    await title.fill('A long title');
    const box = await title.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + 10);
    await page.mouse.down();
    await page.mouse.move(4, 400, { steps: 4 });
    await page.mouse.up();
    await page.mouse.click(4, 400);
    expect(await title.inputValue()).toBe('A long title');
  });

  test('a node that leaves the list, or the plan, does not take the open form with it', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/ready?state=ready&node=checkout/rounding`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Description').fill('half an hour of work');
    await service.call('POST', '/api/plans/checkout/nodes/rounding/claim', { agent: 'bob' });
    await page.getByRole('row', { name: /Round like a bank/, includeHidden: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => description(service, 'rounding')).toBe('half an hour of work');

    await page.goto(`${service.url}/plans/checkout?view=table&node=markup`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Description').fill('half an hour of work');
    await service.call('DELETE', '/api/plans/checkout/nodes/markup');
    await page.getByRole('row', { name: /img src/, includeHidden: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save' }).click();
    // The next step is one on the page, not a call.
    const removed = 'The plan checkout has no node markup. It may have been removed. Choose another node.';
    await page.getByRole('alert').getByText(removed).waitFor();
    expect(await page.getByLabel('Description').inputValue()).toBe('half an hour of work');
  });

  test('the field that a refusal is about comes into view, with the focus and the reason', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage({ viewport: { width: 390, height: 640 } });
    await page.goto(`${service.url}/plans/checkout?view=table`);
    const dialog = page.getByRole('dialog');
    const id = dialog.getByLabel('Id', { exact: true });
    for (const [typed, reason] of [
      ['bad id', /lower-case|letters|must/i],
      ['parser', /parser/],
    ] as const) {
      await page.getByRole('button', { name: 'Add node' }).first().click();
      await dialog.getByLabel('Title').fill('Another');
      await id.fill(typed);
      await dialog.getByRole('button', { name: 'Add node' }).click();
      await id.and(page.locator(':focus')).waitFor();
      const fault = dialog.locator('p', { hasText: reason }).first();
      const { y = -1, height = 0 } = (await fault.boundingBox()) ?? {};
      expect(y).toBeGreaterThan(0);
      expect(y + height).toBeLessThan(640);
      expect(await id.getAttribute('aria-describedby')).toBe(await fault.getAttribute('id'));
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  });

  test('ending claims is agreed to for one document, not for the next', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/plans/checkout?view=table`);
    await page.getByRole('button', { name: 'Edit as a document' }).click();
    const document = page.getByRole('textbox', { name: 'Document' });
    await document.fill('title: Checkout\nnodes: []\n');
    await page.getByRole('button', { name: 'Preview' }).click();
    const force = page.getByRole('checkbox', { name: /Remove claimed nodes/ });
    await force.check();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByLabel('What would change').getByText('parser', { exact: true }).waitFor();
    await document.fill('title: Checkout again\nnodes: []\n');
    await page.getByRole('button', { name: 'Preview' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('parser');
    expect(await force.isChecked()).toBe(false);
  });
});

inBrowser('two who change a plan at once', () => {
  test('neither undoes what the other did: not by a title left alone, not by a document of before', async () => {
    await using service = await serve();
    await service.call('POST', '/api/plans', { plan: 'duo', title: 'Duo', nodes: [{ id: 'one' }] });
    const page = await openPage();
    await page.goto(`${service.url}/plans/duo?view=table`);
    await page.getByRole('button', { name: 'Edit the plan' }).click();
    await page.getByLabel('Description').fill('for two');
    await service.call('PUT', '/api/plans/duo?mode=seed', { title: 'Duet' });
    await page.getByRole('heading', { name: 'Duet', exact: true, includeHidden: true }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { body } = await service.call('GET', '/api/plans/duo');
    expect(body).toMatchObject({ title: 'Duet', description: 'for two' });

    await page.getByRole('button', { name: 'Edit as a document' }).click();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('The plan already matches the document.').waitFor();
    await service.call('POST', '/api/plans/duo/nodes', { id: 'two' });
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
    await page.getByText('The plan was changed meanwhile.').waitFor();
    await page.getByLabel('What would change').getByText('two', { exact: true }).waitFor();
    expect((await service.call('GET', '/api/plans/duo')).body.nodes).toHaveLength(2);
  });
});

inBrowser('archiving a plan', () => {
  test('archiving a plan asks first, lists its dependents, and importing its document restores it', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/plans/checkout?view=table`);
    await page.getByRole('button', { name: 'Archive the plan' }).click();
    const dialog = page.getByRole('dialog', { name: 'Archive Checkout 2.0' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await service.call('GET', '/api/plans/checkout')).body.archived).toBe(false);

    await page.getByRole('button', { name: 'Archive the plan' }).click();
    await page.getByLabel('Acting as').fill('ada');
    await dialog.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('Checkout 2.0 is archived; 1 node of another plan depends on it').waitFor();
    await page.getByText('Archived plans').click();
    await page.getByRole('link', { name: /Checkout 2\.0/ }).click();
    await page.getByText('archived', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: /Claim|Add node|Archive/ }).count()).toBe(0);
    const history = await service.call('GET', '/api/plans/checkout/history');
    expect(history.body.at(-1)).toMatchObject({ type: 'plan_archived', by: 'ada' });

    await page.getByRole('button', { name: 'Edit as a document' }).click();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click();
    await page.getByRole('button', { name: 'Add node' }).waitFor();
    expect((await service.call('GET', '/api/plans/checkout')).body.archived).toBe(false);
  });
});

async function description(service: Awaited<ReturnType<typeof serve>>, id: string): Promise<string | null> {
  const { body } = await service.call('GET', '/api/plans/checkout/status');
  return body.nodes.find((node: { id: string }) => node.id === id).description;
}
