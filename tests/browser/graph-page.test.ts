import { expect, test } from 'vitest';
import { inBrowser, openPage, serve } from './browser.ts';
import { finish, ingest, runEvents, seedPlans } from './seed.ts';

inBrowser('graphs and time in the browser', () => {
  test('a plan is shown as it was at any moment of its history, and acts on nothing there', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/plans/checkout?node=lexer`);
    const graph = page.getByRole('listbox', { name: 'Plan graph' });
    await graph.getByRole('option', { name: /Rewrite the lexer.*Done/ }).waitFor();
    await page.getByRole('button', { name: 'Go back in time' }).click();
    const moment = page.getByRole('slider', { name: 'Moment' });
    await moment.focus();
    await page.keyboard.press('Home');
    await graph.getByRole('option', { name: /Rewrite the lexer.*Ready/ }).waitFor();
    await page.getByText('1 of 3', { exact: true }).waitFor();
    // Not in the header either, because it counts what is shown.
    expect(await page.getByRole('img', { name: /1 done/ }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Claim', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Next event' }).click();
    await graph.getByRole('option', { name: /Rewrite the lexer.*Done/ }).waitFor();
    await page.getByRole('button', { name: 'Back to now' }).click();
    await moment.waitFor({ state: 'detached' });
    await graph.getByRole('option', { name: /opus-delta/ }).waitFor();
  });

  test('all plans are one graph of folded plans; a plan opens where it stands, and its nodes are walked to', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/plans`);
    await page.getByRole('heading', { name: 'Burn-up' }).waitFor();
    await page.getByText('1 of 6 done; +1 done, +6 nodes in 30 days').waitFor();
    const burnUp = page.getByRole('region', { name: 'Burn-up' });
    expect(await burnUp.locator('[aria-hidden=true] > span').allInnerTexts()).toEqual(['6', '3', '0']);
    await burnUp.getByText('now', { exact: true }).waitFor();
    await page.getByRole('img', { name: 'Burn-up: 1 of 5 done' }).waitFor();
    await page.getByRole('radio', { name: 'Graph' }).click();
    const graph = page.getByRole('listbox', { name: 'Plan graph' });
    const legend = page.getByRole('list', { name: 'Legend' });
    await legend.waitFor();
    expect((await legend.getByRole('listitem').allInnerTexts()).slice(0, 5)).toEqual([
      ...['done', 'claimed', 'ready', 'blocked'],
      'critical path',
    ]);
    await graph.getByRole('option', { name: /Checkout 2\.0.*1 of 5 done/ }).click();
    await graph.getByRole('option', { name: /Totals/ }).click();
    await page.getByRole('heading', { name: 'Totals' }).waitFor();
    await graph.focus();
    await page.keyboard.press('ArrowRight');
    await graph.getByRole('option', { name: /Platform.*0 of 1 done/, selected: true }).waitFor();
  });

  test('a burn-up whose history cannot be read says so, and one without nodes too', async () => {
    await using service = await serve();
    await service.call('POST', '/api/plans', { plan: 'empty', title: 'Nothing yet', nodes: [] });
    const page = await openPage();
    await page.goto(`${service.url}/plans`);
    await page.getByText('No nodes yet.').waitFor();
    await page.route('**/history**', (route) => route.fulfill({ status: 500, json: { detail: 'It failed.' } }));
    await page.reload();
    await page.getByText('The history of these plans could not be read').waitFor();
  });

  test('nodes fold by label and by repository, and the address keeps it', async () => {
    await using service = await serve();
    const labels = ['core'];
    const nodes = [
      { id: 'a', title: 'First', labels },
      { id: 'b', title: 'Second', labels, dependsOn: ['a'] },
      { id: 'c', title: 'Third', dependsOn: ['b'] },
    ];
    await service.call('POST', '/api/plans', { plan: 'p', title: 'P', nodes });
    const page = await openPage();
    await page.goto(`${service.url}/plans/p`);
    const graph = page.getByRole('listbox', { name: 'Plan graph' });
    await graph.getByRole('option', { name: /Second/ }).waitFor();
    await page.getByRole('combobox', { name: 'Group' }).selectOption('label');
    await graph.getByRole('option', { name: /core.*0 of 2 done/ }).waitFor();
    expect(await graph.getByRole('option').count()).toBe(2);
    await page.reload();
    await graph.focus();
    await page.keyboard.press('ArrowRight');
    await graph.getByRole('option', { name: /core/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await graph.getByRole('option', { name: /Second/ }).waitFor();
  });

  test('the outline lists every node beside the graph, and a node chosen there scrolls into view', async () => {
    await using service = await serve();
    const nodes = Array.from({ length: 200 }, (_, at) => ({
      id: `n${at}`,
      title: `Step ${at}`,
      dependsOn: at < 4 ? [] : [`n${at - 4}`],
    }));
    await service.call('POST', '/api/plans', { plan: 'long', title: 'Long', nodes });
    const page = await openPage();
    await page.goto(`${service.url}/plans/long`);
    const outline = page.getByRole('grid', { name: 'Outline' });
    await outline.getByRole('row', { name: /Step 0$/ }).waitFor();
    const graph = page.getByRole('listbox', { name: 'Plan graph' });
    // It opens at the active nodes, at a readable zoom.
    await graph.getByRole('option', { name: /Step 0 / }).waitFor();
    expect(await graph.getByRole('option').count()).toBeLessThan(100);
    // In the whole view a card is a mark, which is explained below the drawing and not on it.
    await page.getByRole('button', { name: 'The whole plan' }).click();
    const legend = page.getByRole('list', { name: 'Legend' });
    await legend.getByText('–', { exact: true }).waitFor();
    const [drawing, foot] = [await graph.boundingBox(), await legend.boundingBox()];
    expect(foot?.y).toBeGreaterThanOrEqual((drawing?.y ?? 0) + (drawing?.height ?? 0));
    const chosen = graph.getByRole('option', { name: /Step 199/, selected: true });
    // A page that has just opened may still move the focus to its heading.
    const choose = async () => {
      await outline.focus();
      await page.keyboard.press('End');
      return chosen.count();
    };
    await expect.poll(choose).toBe(1);
    await page.getByRole('heading', { name: 'Step 199' }).waitFor();
  });

  test('on a small laptop the overview map of fifty nodes lies over no card until it is opened', async () => {
    await using service = await serve();
    const dependsOn = (at: number) => (at < 6 ? [] : [`n${at - 6}`]);
    const nodes = Array.from({ length: 50 }, (_, at) => ({
      id: `n${at}`,
      title: `Step ${at}`,
      dependsOn: dependsOn(at),
    }));
    await service.call('POST', '/api/plans', { plan: 'fifty', title: 'Fifty', nodes });
    const page = await openPage({ viewport: { width: 1024, height: 768 } });
    await page.goto(`${service.url}/plans/fifty`);
    const graph = page.getByRole('listbox', { name: 'Plan graph' });
    await graph.getByRole('option', { name: /Step 5 / }).waitFor();
    // Whatever is drawn over a card takes the place where it is asked for.
    const covered = () =>
      page.evaluate(`[...document.querySelectorAll('[role=listbox] [role=option]')].flatMap((card) => {
        const { left, right, top, bottom } = card.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        const isSeen = card.closest('[role=listbox]').contains(document.elementFromPoint(x, y));
        return x < innerWidth && y < innerHeight && !isSeen ? [card.textContent] : [];
      })`);
    expect(await covered()).toEqual([]);
    const map = page.getByRole('button', { name: 'Overview map' });
    await map.and(page.locator('[aria-pressed=false]')).click();
    expect(await covered()).not.toEqual([]);
    await map.click();
    expect(await covered()).toEqual([]);

    await page.setViewportSize({ width: 1440, height: 900 });
    await page.reload();
    await map.and(page.locator('[aria-pressed=true]')).waitFor();
  });

  test('failures are announced to screen readers, and events appear in the feed', async () => {
    await using service = await serve();
    const binding = { kind: 'suite', suite: 'shop.specs' };
    const nodes = [{ id: 'green', title: 'Make it green', binding }];
    await service.call('POST', '/api/plans', { plan: 'p', title: 'P', nodes });
    const page = await openPage();
    await page.goto(`${service.url}/plans/p`);
    await page.getByRole('option', { name: /Make it green/ }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await service.call('POST', '/api/plans/p/nodes/green/claim', { agent: 'sonnet-moss' });
    await ingest(service, [...runEvents(3), finish()]);
    await page.getByRole('status', { name: 'News' }).filter({ hasText: 'Make it green: Evidence: ' }).waitFor();
    await page.getByRole('link', { name: 'Agents' }).click();
    await page.getByText('claimed p/green').first().waitFor();
  });
});
