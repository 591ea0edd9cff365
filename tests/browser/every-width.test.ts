import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { gitWorktree } from '../agents/git-repository.ts';
import { collisionScene, numbered } from '../trees/collision-scene.ts';
import { inBrowser, openPage, serve, violations } from './browser.ts';
import { serveNeeds } from './needs.ts';
import { finish, ingest, pushModel, runEvents, runId, seedPlans } from './seed.ts';

const phone = { viewport: { width: 390, height: 844 } };
const smallLaptop = { viewport: { width: 1024, height: 768 } };

/** Cells of cards that consist of the heading of their column alone. */
const labelsWithoutValue = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('[role=table], [role=grid]')].flatMap((table) => {
    const heads = new Set([...table.querySelectorAll('[role=columnheader]')].map((one) => one.textContent.trim()));
    return [...table.querySelectorAll('[role=cell], [role=gridcell]')]
      .filter((cell) => cell.checkVisibility() && cell.textContent.trim() && !cell.querySelector('svg, button, input'))
      .map((cell) => cell.textContent.trim())
      .filter((text) => heads.has(text));
  })`);

/** Texts that end in an ellipsis. */
const cutTexts = (page: Page, root: string): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll(${JSON.stringify(root)} + ' *')]
    .filter((one) => one.scrollWidth > one.clientWidth && getComputedStyle(one).textOverflow === 'ellipsis')
    .map((one) => one.textContent)`);

inBrowser('pages at every width', () => {
  test('on a telephone each label has a value, each number a label, and each sentence of a history is whole', async () => {
    await using service = await serve();
    await seedPlans(service);
    await pushModel(service);
    const finished = 'a9c2e1d0-0000-4000-8000-000000000005';
    await ingest(service, [...runEvents(6), ...runEvents(3, finished), finish(finished)]);
    const note = 'Half of the parser works; the rest waits for the table of prices that the platform team prepares.';
    await service.call('POST', '/api/plans/checkout/nodes/parser/report', { agent: 'opus-delta', note });
    const page = await openPage(phone);
    for (const [path, ready] of [
      [`/runs/${runId}`, 'still running'],
      ['/runs', 'shop.specs'],
      ['/tests?view=slowest', 'price 0'],
      ['/event-model?view=table', 'PlaceOrder'],
      ['/plans/checkout?view=table', 'Round like a bank'],
      ['/ready', 'Round like a bank'],
    ] as const) {
      await page.goto(service.url + path);
      await page.getByText(ready).last().waitFor();
      expect(await labelsWithoutValue(page), path).toEqual([]);
    }
    await page.goto(`${service.url}/event-model?view=table`);
    const slice = page.getByRole('row', { name: /PlaceOrder/ }).first();
    await slice.getByRole('gridcell', { name: 'Specs 1' }).waitFor();
    await slice.getByRole('gridcell', { name: 'Events OrderPlaced' }).waitFor();

    // The chart of the day opens at its end, where the claims of now are.
    await page.goto(`${service.url}/today`);
    const bar = page
      .getByRole('group', { name: /^\d+ lane/ })
      .locator('a rect')
      .first();
    await bar.waitFor();
    await expect.poll(async () => (await bar.boundingBox())?.x).toBeLessThan(phone.viewport.width - 4);

    await page.goto(`${service.url}/plans/checkout?view=history`);
    await page.getByText(note).waitFor();
    expect(await cutTexts(page, '[role=grid]')).toEqual([]);
    expect(await page.getByRole('grid').innerText()).not.toContain('..');
    // Where a row is a line, the pointer shows the complete sentence.
    await page.setViewportSize(smallLaptop.viewport);
    await page.getByTitle(note).waitFor();
  });

  test('on a telephone the actions of what needs a person are below each other, and equally wide', async () => {
    await using on = await serveNeeds();
    const page = await openPage(phone);
    await page.goto(on.service.url);
    await page.getByRole('region', { name: 'Worktrees to clean up' }).waitFor();
    const boxes = await page
      .locator('#main li')
      .evaluateAll((rows) =>
        rows
          .map((row) =>
            [...row.querySelectorAll('a, button')].filter((one) => one.getBoundingClientRect().height >= 24).at(-1),
          )
          .map((one) => one?.getBoundingClientRect().toJSON()),
      );
    expect(boxes.length).toBeGreaterThan(4);
    const card = await page.locator('#main li').first().boundingBox();
    for (const box of boxes) expect(box?.right).toBeLessThanOrEqual((card?.x ?? 0) + (card?.width ?? 0));
    expect(new Set(boxes.map((box) => `${Math.round(box.left)} to ${Math.round(box.right)}`)).size).toBe(1);
    expect(await violations(page)).toEqual([]);
  });

  test('four trees that change one repository are in view on a small laptop; on a telephone a path has its own line', async () => {
    const { ada, bob, shop, agentIn, open } = await collisionScene();
    const trees = [ada, bob, await agentIn(3, gitWorktree(shop, 'grace')), await agentIn(4, gitWorktree(shop, 'noor'))];
    for (const [at, tree] of trees.entries()) await tree.write('src/price.ts', numbered(40, { [at + 3]: 'changed' }));
    await bob.write('src/rules.ts', numbered(12));
    await using service = await open();
    const page = await openPage(smallLaptop);
    await page.goto(`${service.url}/changes`);
    const grid = page.getByRole('grid', { name: 'Changed files of acme/shop' });
    await expect.poll(() => grid.getByRole('columnheader').count()).toBe(6);
    await grid.getByRole('row').filter({ hasText: '/price.ts' }).waitFor();
    expect(await grid.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThanOrEqual(0);

    await page.setViewportSize(phone.viewport);
    const cellsOf = (file: string) => grid.getByRole('row').filter({ hasText: file }).getByRole('gridcell');
    const tops = () =>
      cellsOf('/price.ts').evaluateAll((cells) =>
        cells
          .flatMap((one) => (one.checkVisibility() ? [one.getBoundingClientRect()] : []))
          .map(({ y, bottom }) => ({ y, bottom })),
      );
    // The rows become cards a moment after the window is narrower.
    const isPathAlone = async () => {
      const [path, ...others] = await tops();
      return path !== undefined && others.length >= 4 && others.every(({ y }) => y >= path.bottom - 1);
    };
    await expect.poll(isPathAlone).toBe(true);
    expect(await cellsOf('/rules.ts').allInnerTexts()).not.toContain('–');

    // The panel names each column of its drawing, and what its numbers count.
    await page.setViewportSize({ width: 1440, height: 900 });
    await grid.getByRole('row').filter({ hasText: '/price.ts' }).click();
    const panel = page.getByRole('complementary', { name: 'File' });
    await panel.getByText('1 line', { exact: true }).first().waitFor();
    expect(await panel.getByRole('figure').locator('figcaption').count()).toBe(1);
    expect(await violations(page)).toEqual([]);
  });

  test('the buttons of a long dialog are in view before it is scrolled', async () => {
    await using service = await serve();
    const page = await openPage({ viewport: { width: 1024, height: 600 } });
    await page.goto(`${service.url}/plans?do=new`);
    const dialog = page.getByRole('dialog', { name: 'New plan' });
    await dialog.waitFor();
    const edge = (await dialog.boundingBox()) ?? { y: 0, height: 0 };
    const button = await dialog.getByRole('button', { name: 'Create plan' }).boundingBox();
    expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(edge.y + edge.height - 4);
    expect(await violations(page)).toEqual([]);
    // A field that is reached with Tab is not below the buttons.
    await dialog.getByLabel('Acting as').focus();
    const field = await dialog.getByLabel('Acting as').boundingBox();
    expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0);

    await page.setViewportSize(phone.viewport);
    await page.goto(`${service.url}/settings`);
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.keyboard.press('?');
    const widths = await page
      .getByRole('dialog', { name: 'Shortcuts' })
      .locator('dd')
      .evaluateAll((all) => all.map((one) => one.parentElement?.getBoundingClientRect().width ?? 0));
    expect(Math.min(...widths)).toBeGreaterThan(250);
  });

  test('a delivery that waits behind others has no next try in the past', async () => {
    const Webhooks = JSON.stringify([{ url: 'http://127.0.0.1:9/hooks/chat', name: 'chat' }]);
    await using service = await serve({ settings: { Webhooks } });
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/webhooks`);
    const deliveries = page.getByRole('table', { name: 'Deliveries' });
    await deliveries.getByText('after earlier ones').first().waitFor();
    // At this width a date has one line.
    const heights = await deliveries
      .locator('[data-row]')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
    expect(Math.max(...heights)).toBeLessThan(44);
  });

  test('an empty list of tests leads to the first run, and an empty audit does not mention a filter', async () => {
    await using service = await serve();
    const page = await openPage();
    await page.goto(`${service.url}/tests`);
    await page.getByRole('heading', { name: 'No test run yet' }).waitFor();
    await page.getByText(/signalbox.* run .*npm test/).waitFor();
    await page.goto(`${service.url}/audit`);
    await page.getByRole('heading', { name: 'No entries yet' }).waitFor();
    await page.getByRole('button', { name: 'Denied only' }).click();
    await page.getByRole('heading', { name: 'No matching entries' }).waitFor();
  });

  test('an error that the service answers at first is shown as an error, not as no answer', async () => {
    await using service = await serve();
    const page = await openPage();
    const detail = 'The service failed unexpectedly. Its log names the request.';
    await page.route('**/api/licence', (route) => route.fulfill({ status: 500, json: { code: 'internal', detail } }));
    await page.goto(service.url);
    await page.getByText(detail).waitFor();
    await page.getByRole('heading', { name: 'That did not work' }).waitFor();
    await page.unroute('**/api/licence');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  });
});
