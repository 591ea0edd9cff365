import { expect, test } from 'vitest';
import { inBrowser, openPage, serve } from './browser.ts';
import { seedPlans } from './seed.ts';

inBrowser('the work loop in the browser', () => {
  test('a whole claim journey by keyboard alone: jump, choose, claim, report, release', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(service.url);
    await page.getByRole('heading', { name: 'Needs you', exact: true }).waitFor();

    await page.keyboard.press('Control+k');
    await page.keyboard.type('ready work');
    await page.keyboard.press('Enter');
    await page.getByRole('grid', { name: 'Ready work' }).waitFor();
    // J moves into the list from anywhere on the page, as soon as the page listens.
    const chosen = page.getByRole('row', { selected: true });
    await expect.poll(() => page.keyboard.press('j').then(() => chosen.count())).toBe(1);
    await page.keyboard.press('Home');
    await page.keyboard.press('j');
    expect(await page.getByRole('row', { selected: true }).textContent()).toContain('Round like a bank');

    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Claim Round like a bank' }).waitFor();
    await page.keyboard.type('ada');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await node(service, 'rounding')).claimedBy).toBe('ada');

    await page.getByRole('button', { name: 'Report' }).waitFor();
    await page.getByRole('button', { name: 'Report' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('half done');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await node(service, 'rounding')).claim?.note).toBe('half done');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Release' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Release my claim' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await node(service, 'rounding')).claim).toBe(null);
  });

  test("another's claim is answered with its holder, and nothing on the page could release it", async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/plans/checkout?node=rounding`);
    await page.getByRole('button', { name: 'Claim', exact: true }).click();
    await page.getByLabel('Acting as').fill('ada');
    await service.call('POST', '/api/plans/checkout/nodes/rounding/claim', { agent: 'sonnet-moss' });
    await page.getByRole('dialog').getByRole('button', { name: 'Claim' }).click();
    expect(await page.getByRole('alert').textContent()).toMatch(/sonnet-moss holds this node\. The lease lasts until/);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByRole('button', { name: /release|claim/i }).count()).toBe(1);
    await page.getByRole('button', { name: 'Claim next ready' }).waitFor();
  });

  test('a claim on a node that is not ready is accepted, with a warning that names its open dependencies', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/plans/checkout?node=totals`);
    await page.getByRole('link', { name: /^Waits for Rewrite the price parser and 1 more/ }).waitFor();
    await page.getByRole('button', { name: 'Claim early' }).click();
    await page.getByLabel('Acting as').fill('ada');
    await page.getByRole('dialog').getByRole('button', { name: 'Claim' }).click();
    await page.getByRole('dialog', { name: 'Claimed, but not ready' }).waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('checkout/rounding');
    expect((await node(service, 'totals')).claimedBy).toBe('ada');
  });

  test('without a licence the queue shows the state of the licence, and plans stay readable', async () => {
    await using service = await serve({ settings: { Licence: 'none' } });
    await service.call('POST', '/api/plans', { plan: 'p', title: 'P', nodes: [{ id: 'a', title: 'A' }] });
    const page = await openPage();
    await page.goto(`${service.url}/ready`);
    await page.getByRole('heading', { name: 'The work loop needs a licence' }).waitFor();
    await page.getByText('missing').waitFor();
    await page.getByRole('link', { name: 'Plans' }).click();
    await page.getByRole('link', { name: /^P/ }).first().waitFor();
    await page.goto(`${service.url}/plans/p?node=a`);
    await page.getByRole('button', { name: 'Claim', exact: true }).click();
    await page.getByLabel('Acting as').fill('ada');
    await page.getByRole('dialog').getByRole('button', { name: 'Claim' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('No licence');
  });

  test('where nothing can be claimed the button says so, and a form names the field that it still needs', async () => {
    await using service = await serve();
    await service.call('POST', '/api/plans', { plan: 'p', nodes: [{ id: 'a', title: 'A' }] });
    const page = await openPage();
    await page.goto(`${service.url}/ready`);
    const next = page.getByRole('button', { name: 'Claim next ready' });
    await page.getByRole('row', { name: /^1/ }).waitFor();
    expect([await next.isDisabled(), await next.getAttribute('title')]).toEqual([true, 'No bound node is ready now']);
    await page.goto(`${service.url}/plans/p?node=a`);
    await page.getByRole('button', { name: 'Claim', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Claim' }).click();
    await page.getByLabel('Acting as').and(page.locator(':focus:invalid')).waitFor();
  });

  test('the graph is walked by keys: needs to the left, what waits to the right, and the rest dims in focus', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/plans/checkout?node=lexer`);
    const graph = page.getByRole('listbox', { name: 'Plan graph' });
    await graph.getByRole('option', { name: /Rewrite the lexer/, selected: true }).waitFor();
    await graph.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await graph.getByRole('option', { name: /Totals/, selected: true }).waitFor();
    await page.getByRole('heading', { name: 'Totals' }).waitFor();
    await page.keyboard.press('k');
    await graph.getByRole('option', { name: /Totals/, selected: false }).waitFor();
    await page.keyboard.press('f');
    expect(new URL(page.url()).searchParams.get('focus')).toBe('2');
  });

  test('the note of a claim is found again in the memory', async () => {
    await using service = await serve();
    await seedPlans(service);
    await service.call('POST', '/api/plans/checkout/nodes/parser/report', {
      agent: 'opus-delta',
      note: 'half-even rounding',
    });
    const page = await openPage();
    await page.goto(`${service.url}/repositories`);
    for (const name of ['repo-10', 'repo-2']) {
      const nodes = [{ id: 'a', title: 'A' }];
      await service.call('POST', '/api/plans', { plan: name, repository: `acme/${name}`, nodes });
    }
    const names = page.getByRole('table', { name: 'Repositories' }).locator('[data-row]');
    await expect.poll(() => names.allInnerTexts()).toEqual(['acme/repo-2', 'acme/repo-10', 'acme/shop']);
    // Columns without content for any repository are omitted.
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(['Repository', 'Open nodes']);
    await page.getByLabel('Search repositories and notes').fill('SHOP');
    await expect.poll(() => names.allInnerTexts()).toEqual(['acme/shop']);
    await page.getByLabel('Search repositories and notes').fill('half-even');
    await page.getByRole('link', { name: 'checkout/parser' }).click();
    await page.getByRole('heading', { name: 'Rewrite the price parser' }).waitFor();
  });

  test('the panel of ready work names the nodes around it, as the page of the plan does', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/ready?node=checkout/rounding`);
    const panel = page.getByRole('complementary', { name: 'Node Round like a bank' });
    await panel.getByRole('link', { name: /Rewrite the lexer/ }).waitFor();
    await panel.getByRole('link', { name: 'Totals' }).waitFor();
  });

  test('the panel of a node names its leverage, its holder and until when the lease lasts, as the glossary does', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/plans/checkout?node=parser`);
    const panel = page.getByRole('complementary', { name: 'Node Rewrite the price parser' });
    const row = (name: string) => panel.getByText(name, { exact: true }).locator('..');
    expect(await row('Leverage').innerText()).toMatch(/2 open nodes wait for it/);
    expect(await row('Holder').innerText()).toMatch(/opus-delta/);
    expect(await row('Lease').innerText()).toMatch(/4\d:\d\d\s+until \d\d:\d\d/);
    expect(await row('Why').innerText()).toMatch(/Claimed by opus-delta until \d\d:\d\d/);
    expect(await panel.getByText('Leverage', { exact: true }).getAttribute('title')).toMatch(
      /^How many open nodes wait/,
    );
    await page.goto(`${service.url}/ready`);
    await page.getByRole('columnheader', { name: 'Leverage' }).waitFor();
  });

  test('what others do appears by itself', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/plans/checkout?view=table`);
    await page.getByText('Live', { exact: true }).waitFor();
    await service.call('POST', '/api/plans/checkout/nodes/rounding/claim', { agent: 'sonnet-moss' });
    await page.getByRole('row', { name: /Round like a bank.*sonnet-moss/ }).waitFor();
  });
});

async function node(service: Awaited<ReturnType<typeof serve>>, id: string) {
  const { body } = await service.call('GET', '/api/plans/checkout/status');
  return body.nodes.find((one: { id: string }) => one.id === id);
}
