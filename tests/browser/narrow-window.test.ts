import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { inBrowser, openPage, serve, violations } from './browser.ts';
import { serveNeeds } from './needs.ts';
import { finish, ingest, pushModel, runEvents, runId, seedPlans } from './seed.ts';

inBrowser('a window as narrow as a telephone', () => {
  test('no page is wider, whatever a publisher counts, and what is chosen can be closed', async () => {
    await using service = await serve();
    await seedPlans(service);
    await pushModel(service);
    await ingest(service, [...runEvents(3), { ...finish(), passed: 1e308, failed: 12_345_678_901 }]);
    const page = await openPage({ viewport: { width: 390, height: 844 } });
    const fits = async (ready: string) => {
      await page.getByText(ready).first().waitFor();
      const widths = ['documentElement.scrollWidth', 'getElementById("main").scrollWidth'];
      for (const width of widths) expect(await page.evaluate(`document.${width}`), ready).toBeLessThanOrEqual(390);
    };
    await page.goto(`${service.url}/runs/${runId}`);
    await fits('1e+308');
    // The sidebar is a menu, so the page has the whole width; the needs stay visible.
    const main = page.locator('#main');
    expect((await main.boundingBox())?.x).toBe(0);
    const menuTo = async (name: string) => {
      await page.getByRole('button', { name: /^Menu/ }).click();
      await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await menuTo('Event model');
    await fits('Declared, not touched');
    await menuTo('Plans');
    await fits('Checkout 2.0');
    await menuTo('Audit');
    await fits('create_plan');
    // Rows of facts are cards too: nothing is beyond the edge, and each fact has its name.
    const table = page.getByRole('table', { name: 'Audit' });
    expect(await table.evaluate(({ parentElement: box }) => (box ? box.scrollWidth - box.clientWidth : 1))).toBe(0);
    await table
      .getByRole('cell', { name: /^Outcome done$/ })
      .first()
      .waitFor();
    await menuTo('Ready work');
    await fits('1 claimed, unblocked');

    const row = page.getByRole('row', { name: /Round like a bank/ });
    // A row is a card: its title is complete, and no card is wider than the window or overlaps another.
    const cards = await page
      .locator('[role=row][aria-selected]')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    const shown = cards.sort((one, other) => one.y - other.y);
    expect(shown.length).toBeGreaterThan(1);
    for (const [at, { right, y }] of shown.entries()) {
      expect(right).toBeLessThanOrEqual(390);
      expect(y).toBeGreaterThanOrEqual((shown[at - 1]?.bottom ?? 0) - 1);
    }
    await row.click();
    const panel = page.getByRole('complementary', { name: 'Node Round like a bank' });
    expect((await panel.boundingBox())?.width).toBeGreaterThan(300);
    await panel.getByRole('button', { name: 'Close' }).click();
    await row.click({ trial: true });
  });

  test('the first failure of a live run moves nothing', async () => {
    await using service = await serve();
    const failing = (event: object) => 'uid' in event && event.uid === 'Prices/price 0';
    const isRetried = (event: object) => 'uid' in event && event.uid === 'Prices/price 1';
    const events = runEvents(6).filter((event) => !isRetried(event));
    await ingest(
      service,
      events.filter((event) => !failing(event)),
    );
    const page = await openPage({ viewport: { width: 390, height: 844 } });
    await page.goto(`${service.url}/runs/${runId}`);
    const timeline = page.getByRole('application');
    await timeline.waitFor();
    await page.getByText(/^\d+ rows?\b/).waitFor();
    const before = await timeline.boundingBox();
    await ingest(service, events.filter(failing));
    await page.getByText('1 failed attempt').waitFor();
    await page.getByText('1 Failed', { exact: true }).first().waitFor();
    expect((await timeline.boundingBox())?.y).toBe(before?.y);
  });

  test('every name of the sidebar and what needs a person can be read at every width and zoom', async () => {
    await using on = await serveNeeds();
    const page = await openPage();
    const sizes = [
      [1440, 900],
      [1024, 768],
      [800, 900],
      [720, 450],
      [390, 844],
      [360, 225],
      [320, 640],
    ] as const;
    for (const [width, height] of sizes) {
      await page.setViewportSize({ width, height });
      await page.goto(on.service.url);
      await page.getByRole('region', { name: 'Worktrees to clean up' }).waitFor();
      const menu = page.getByRole('button', { name: /^Menu \d+ !$/ });
      const isMenu = await menu.isVisible();
      expect(isMenu, `${width}x${height}`).toBe(width < 640 || (width < 1024 && height < 620));
      if (isMenu) await menu.click();
      const nav = page.getByRole('navigation', { name: 'Main' });
      await nav.getByRole('link', { name: /^Needs you \d+ !$/ }).waitFor();
      // No name is hidden, cut, or overlaps another.
      const faults = await nav.getByRole('link').evaluateAll((links) =>
        links.flatMap((link, at) => {
          const [box, before] = [link.getBoundingClientRect(), links[at - 1]?.getBoundingClientRect()];
          const name = [...link.querySelectorAll('span')].find((one) => one.textContent && !one.querySelector('span'));
          const isCut = !name || name.scrollWidth > name.clientWidth || name.getBoundingClientRect().width < 20;
          const isOver = before && box.top < before.bottom - 1;
          return link.textContent !== 'Signalbox' && (isCut || isOver || box.height < 24) ? [link.textContent] : [];
        }),
      );
      expect(faults, `${width}x${height}`).toEqual([]);
      // All names in a need stay inside its row.
      const outside = await page.locator('#main li').evaluateAll((rows) =>
        rows.flatMap((row) => {
          const { right } = row.getBoundingClientRect();
          return [...row.querySelectorAll('*')].flatMap((one) =>
            one.getBoundingClientRect().right > right + 1 ? [one.textContent] : [],
          );
        }),
      );
      expect(outside, `${width}x${height}`).toEqual([]);
      expect(await violations(page), `${width}x${height}`).toEqual([]);
      if (isMenu) await page.keyboard.press('Escape');
    }
  });

  test('on a small laptop long names are whole under the pointer, and no column of the admin pages is out of view', async () => {
    const url = `http://127.0.0.1:9/hooks/${'a-long-path/'.repeat(12)}`;
    await using service = await serve({ settings: { Webhooks: JSON.stringify([{ url, name: 'chat' }]) } });
    const [branch, agent] = [
      'feature/a-branch-with-a-name-that-nobody-could-remember',
      'somebody-who-works-at-night-and-signs-so',
    ];
    const onBranch = (id: string) => runEvents(2, id).map((event) => ('suite' in event ? { ...event, branch } : event));
    const other = 'a9c2e1d0-0000-4000-8000-000000000005';
    for (const id of [runId, other]) await ingest(service, [...onBranch(id), finish(id)]);
    await seedPlans(service);
    await service.call('POST', '/api/plans/checkout/nodes/rounding/claim', { agent });
    const page = await openPage({ viewport: { width: 1024, height: 768 } });
    // What arrives late moves the text away from under the pointer.
    const titleUnderPointer = async (text: Locator) => {
      await page.mouse.move(0, 0);
      await text.hover({ position: { x: 4, y: 4 }, force: true });
      return await text.evaluate((one) => one.closest('[title]')?.getAttribute('title'));
    };
    const shows = async (path: string, text: Locator, whole: string) => {
      await page.goto(service.url + path);
      await expect.poll(() => titleUnderPointer(text), { message: path }).toContain(whole);
    };
    await shows('/runs', page.getByText('shop · feature/').first(), branch);
    await shows(`/runs/${runId}?compare=${other}`, page.getByLabel('Compare with'), branch);
    await shows('/plans/checkout', page.getByRole('option', { name: /Round like/ }).getByText(agent), agent);
    await shows('/ready', page.getByRole('row', { name: /Round like/ }).getByText(agent), agent);

    for (const [path, name] of [
      ['/audit', 'Audit'],
      ['/webhooks', 'Receivers'],
      ['/webhooks', 'Deliveries'],
    ] as const) {
      await page.goto(service.url + path);
      const table = page.getByRole('table', { name });
      await table.waitFor();
      expect(
        await table.evaluate(({ parentElement: box }) => (box ? box.scrollWidth - box.clientWidth : 1)),
        path,
      ).toBe(0);
    }
  });

  test('on a small laptop the table of sessions has all its columns, and what each session holds is whole', async () => {
    await using on = await serveNeeds();
    const page = await openPage({ viewport: { width: 1024, height: 768 } });
    await page.goto(`${on.service.url}/agents?by=session`);
    const table = page.getByRole('table', { name: 'Sessions' });
    const held = table.getByRole('link', { name: /^checkout\// });
    await expect.poll(() => held.count()).toBe(2);
    expect(await held.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length)).toBe(0);
    expect(await table.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);

    // A link that may be wrong is marked as one where there is little room, also beside the number of further nodes.
    const nodes = [{ id: 'invoice' }, { id: 'reminder' }];
    await on.service.call('POST', '/api/plans', { plan: 'billing', repository: 'acme/billing', nodes });
    for (const node of ['invoice', 'reminder']) {
      await on.service.call('POST', `/api/plans/billing/nodes/${node}/claim`, { agent: 'opus-delta' });
      for (const [width, view] of [
        [1280, 'by=session'],
        [1280, ''],
        [1024, 'by=session'],
      ] as const) {
        await page.setViewportSize({ width, height: 768 });
        await page.goto(`${on.service.url}/agents?${view}`);
        const mark = page.getByRole('row', { name: /^Running/ }).getByText('possibly opus-delta');
        if (node === 'reminder') await page.getByText('and 1 more').waitFor();
        await mark.waitFor();
        expect((await mark.boundingBox())?.width, `${width} px, ${node}, ${view}`).toBeGreaterThan(30);
      }
    }

    // On a telephone the lines of a command break between words.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${on.service.url}/agents/${on.waits.sessionId}`);
    const command = page.locator('code').filter({ hasText: 'tmux switch-client' });
    await command.waitFor();
    const torn = await page.evaluate(`(() => {
      const found = [];
      const code = [...document.querySelectorAll('code')].find((one) => one.textContent.startsWith('tmux'));
      const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
      while (walker.nextNode())
        for (const { 0: word, index } of walker.currentNode.nodeValue.matchAll(/\\S+/g)) {
          const range = document.createRange();
          range.setStart(walker.currentNode, index);
          range.setEnd(walker.currentNode, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word);
        }
      return found;
    })()`);
    expect(torn).toEqual([]);
  });
});
