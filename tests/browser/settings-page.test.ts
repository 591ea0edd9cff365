import { expect, test } from 'vitest';
import { inBrowser, openPage, serve, violations } from './browser.ts';
import { layoutFaults, spaceTexts } from './layout-faults.ts';
import { serveNeeds } from './needs.ts';
import { recordNotifications } from './record-notifications.ts';
import { finish, ingest, runEvents, runId } from './seed.ts';

inBrowser('the settings of the page', () => {
  test('clock, numbers, density, motion and theme apply immediately, work by keyboard alone, and are stored', async () => {
    await using service = await serve();
    await ingest(service, [...runEvents(3), { ...finish(), passed: 12_345 }]);
    const page = await openPage({ colorScheme: 'dark', reducedMotion: 'no-preference', locale: 'en-US' });
    await page.goto(`${service.url}/runs`);
    const row = page.locator('[data-run]').first();
    const height = () => row.evaluate((one) => one.getBoundingClientRect().height);
    expect(await height()).toBe(36);
    await page.keyboard.press('g');
    await page.keyboard.press(',');
    await page.getByRole('heading', { level: 1, name: 'Settings' }).and(page.locator(':focus')).waitFor();
    const chosen = (group: string, name: string) =>
      page.getByRole('radiogroup', { name: group }).getByRole('radio', { name, exact: true });
    const choose = async (group: string, name: string) => {
      await chosen(group, name).click();
      await chosen(group, name).and(page.locator('[aria-checked=true]')).waitFor();
    };
    await page.getByText(/^Now \d\d:\d\d:\d\d$/).waitFor();
    await chosen('Clock', '24 hours').focus();
    await page.keyboard.press('ArrowRight');
    await chosen('Clock', '12 hours').and(page.locator(':focus')).waitFor();
    await page.getByText(/^Now \d\d:\d\d:\d\d [AP]M$/).waitFor();
    await choose('Language of numbers', 'German');
    await page.getByText('1.234.567,8').waitFor();
    await choose('Density', 'Dense');
    await choose('Motion', 'None');
    await choose('Theme', 'Light');
    const html = page.locator('html[data-theme=light][data-motion=less]');
    await html.waitFor();
    expect(await violations(page)).toEqual([]);

    await page.reload();
    await html.waitFor();
    for (const [group, name] of [
      ['Clock', '12 hours'],
      ['Language of numbers', 'German'],
      ['Density', 'Dense'],
      ['Motion', 'None'],
      ['Theme', 'Light'],
    ] as const)
      await chosen(group, name).and(page.locator('[aria-checked=true]')).waitFor();
    const dot = `getComputedStyle(document.querySelector('.pulse'), '::after').animationName`;
    expect(await page.evaluate(dot)).toBe('none');
    await choose('Motion', 'System');
    expect(await page.evaluate(dot)).toBe('pulse-ring');
    // The system decides again.
    await choose('Theme', 'System');
    await page.locator('html[data-theme=dark]').waitFor();
    await page.goto(`${service.url}/runs/${runId}`);
    await page.getByText('12.345').first().waitFor();
    await page.goto(`${service.url}/runs`);
    await row.waitFor();
    expect(await height()).toBe(28);
  });

  test('on a telephone nothing overlaps or is cut, not even with the spacing of texts that a reader may set', async () => {
    await using service = await serve();
    const page = await openPage();
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 2_400 });
      await page.goto(`${service.url}/settings`);
      const languages = page.getByRole('radiogroup', { name: 'Language of numbers' });
      await languages.waitFor();
      expect(await layoutFaults(page), `${width} px`).toEqual([]);
      // No choice is a stub next to an empty space.
      const rows = await languages.getByRole('radio').evaluateAll((all) => {
        const boxes = all.map((one) => one.getBoundingClientRect());
        const end = all[0]?.parentElement?.getBoundingClientRect().right ?? 0;
        return [...Map.groupBy(boxes, ({ top }) => top).values()].map((row) => end - (row.at(-1)?.right ?? 0));
      });
      for (const left of rows) expect(Math.abs(left), `${width} px`).toBeLessThan(3);
      await spaceTexts(page);
      expect(await layoutFaults(page), `${width} px, spaced`).toEqual([]);
      expect(await page.evaluate('document.getElementById("main").scrollWidth')).toBeLessThanOrEqual(width);
    }
  });

  test('a notification is raised for the chosen kinds of needs alone', async () => {
    await using on = await serveNeeds();
    const page = await openPage();
    await page.addInitScript(recordNotifications);
    await page.goto(`${on.service.url}/settings`);
    await page.getByText('Live', { exact: true }).waitFor();
    const kind = (name: string) => page.getByRole('checkbox', { name });
    expect(await kind('Agents waiting for you').isChecked()).toBe(true);
    await kind('Agents waiting for you').uncheck();
    await kind('Orphaned claims').check();
    await on.service.call('POST', '/api/plans/checkout/nodes/rounding/claim', {
      agent: 'opus-delta',
      session: on.busy.sessionId,
    });
    await on.busy.reportStatus('waiting', { waitingFor: 'permission prompt' });
    await page.getByRole('status', { name: 'News' }).filter({ hasText: 'stage-4 waits for you' }).waitFor();
    await on.busy.kill();
    await expect
      .poll(() => page.evaluate('window.shown'))
      .toEqual([expect.stringMatching(/^Orphaned claims: checkout\/rounding The session of opus-delta ended/)]);
  });
});
