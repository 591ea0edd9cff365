import { expect, test } from 'vitest';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { playDay } from '../coordination/team-day.ts';
import { inBrowser, openPage, serve } from './browser.ts';

const eightHours = 8 * 60 * 60_000;

inBrowser('the page Today', () => {
  test('shows who held what, the figures, the feed and what is first next, by agent or person', async () => {
    await using service = await serve({ clock: createSettableClock(Date.now() - eightHours) });
    const { since, done, claims } = await playDay(service, { agents: 6, rounds: 3 });
    const page = await openPage();
    await page.goto(`${service.url}/today?since=${since}`);
    const chart = page.getByRole('group', { name: `6 lanes with ${claims} claims` });
    await chart.waitFor();
    await page.getByText(`${done.size} signed off`).waitFor();
    expect(await page.getByRole('region', { name: 'By agent' }).getByRole('row').count()).toBe(8);
    await page.getByRole('radio', { name: 'Person' }).click();
    await page.getByRole('region', { name: 'By person' }).getByText('ada', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('by')).toBe('person');
    await page.getByRole('region', { name: 'Tomorrow first' }).getByRole('link').first().waitFor();
    await page.getByRole('region', { name: 'Taken back' }).getByText('lease ran out').first().waitFor();
    await page.getByRole('region', { name: 'Feed' }).getByText('eve signed off').first().waitFor();
    await page.evaluate(
      `window.copied = ''; navigator.clipboard.writeText = async (text) => { window.copied = text; }`,
    );
    await page.getByRole('button', { name: 'Copy' }).click();
    expect(await page.evaluate('window.copied')).toContain('| Person | Done | Submitted |');
    expect(await page.evaluate('window.copied')).toMatch(/^# .* to .* \(\w[\w/+-]+\)\n/);
  });

  test('asks for the feed while the report is still under way', async () => {
    await using service = await serve({});
    const page = await openPage();
    const asked = Promise.withResolvers<void>();
    await page.route('**/api/report?*', async (route) => {
      await asked.promise;
      await route.continue();
    });
    page.on('request', (request) => request.url().includes('/api/activity?') && asked.resolve());
    await page.goto(`${service.url}/today`);
    await page.getByText('Nothing happened yet').waitFor();
  });

  test('shows that nothing happened, or why the service refuses', async () => {
    await using service = await serve({});
    const page = await openPage();
    await page.goto(`${service.url}/today`);
    await page.getByText('Nothing happened yet').waitFor();
    await page.goto(`${service.url}/today?since=2026-99-99`);
    await page.getByText('must be today, 24h, 7d').waitFor();
  });

  test('a title that reverses its letters does not reverse what is said of its node', async () => {
    await using service = await serve();
    const nodes = [{ id: 'turned', title: '\u202eesrever' }];
    await service.call('POST', '/api/plans?by=ada', { plan: 'shop', nodes });
    const page = await openPage();
    await page.goto(`${service.url}/today`);
    const item = page.getByRole('region', { name: 'Tomorrow first' }).getByRole('listitem');
    await item.getByText('nothing waits for it').waitFor();
    const [first = 0, last = 0]: number[] = await page.evaluate(`{
      const walker = document.createTreeWalker(document.getElementById('main'), NodeFilter.SHOW_TEXT);
      let text = walker.nextNode();
      while (!text.textContent.includes('nothing waits')) text = walker.nextNode();
      const at = text.textContent.indexOf('nothing');
      [at, at + 7].map((from) => {
        const range = document.createRange();
        range.setStart(text, from);
        range.setEnd(text, from + 1);
        return range.getBoundingClientRect().left;
      });
    }`);
    expect(last).toBeGreaterThan(first);
  });
});
