import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inBrowser, openPage, serve, violations } from './browser.ts';
import { serveNeeds } from './needs.ts';
import { recordNotifications } from './record-notifications.ts';
import { seedPlans } from './seed.ts';

const pictures = process.env.SIGNALBOX_PICTURES;
const groups = [
  'Agents waiting for you',
  'Orphaned claims',
  'Stalled claims',
  'Contested working trees',
  'Failed evidence',
  'Live runs with failures',
  'Worktrees to clean up',
];

const picture = async (page: Page, name: string) => {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` });
};

inBrowser('what needs a person', () => {
  test('every kind of need is on the start page, the most urgent first, each with its one action, and is counted', async () => {
    await using on = await serveNeeds();
    const page = await openPage({ colorScheme: 'dark' });
    await page.addInitScript(recordNotifications);
    await page.goto(on.service.url);
    for (const group of groups) await page.getByRole('region', { name: group }).waitFor();
    expect(
      await page.getByRole('region').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label'))),
    ).toEqual(groups);
    const { needs, counts } = (await on.service.call('GET', '/api/needs')).body;
    expect(counts).toMatchObject({ sessions: 3, waiting: 1, troubledClaims: 2, ready: 1, liveRuns: 1 });
    await expect.poll(() => page.title()).toBe(`(${needs.length}) Needs you · Signalbox`);
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toContain(`%3E${needs.length}%3C`);
    await page.getByRole('link', { name: `Needs you ${needs.length} !` }).waitFor();
    await page.getByRole('link', { name: 'Ready work 1', exact: true }).waitFor();
    const orphan = page.getByRole('region', { name: 'Orphaned claims' });
    expect(await orphan.getByRole('button', { name: 'Copy resume command' }).getAttribute('title')).toMatch(
      /^cd \S+shop && claude --resume 00000002-/,
    );
    await picture(page, 'home-dark');
    expect(await violations(page)).toEqual([]);

    // A second agent begins to wait: it is in the list, in the title and in a notification.
    const waiting = page.getByRole('region', { name: groups[0] as string }).getByRole('link', { name: 'stage-4' });
    await page.evaluate('window.shown.length = 0');
    await on.busy.reportStatus('waiting', { waitingFor: 'permission prompt' });
    await waiting.waitFor();
    await expect.poll(() => page.title()).toBe(`(${needs.length + 1}) Needs you · Signalbox`);
    await expect.poll(() => page.evaluate('window.shown')).toEqual(['stage-4 waits for you Waits for a permission.']);

    // With keys only: find what needs me, open it, go back, act on the next one in the list, continue.
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const focused = page.locator(':focus');
    const press = async (key: string, text: string | RegExp) => {
      await page.keyboard.press(key);
      await focused.filter({ hasText: text }).waitFor();
    };
    const home = async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('n');
      await page.getByRole('region', { name: groups[6] as string }).waitFor();
    };
    await press('j', 'stage-1');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'stage-1' }).waitFor();
    await page.getByText('Waiting for you').first().waitFor();
    await home();
    await press('j', 'stage-1');
    await press('j', 'stage-4');
    await press('j', 'checkout/lexer');
    await press('Tab', 'Copy resume command');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/claude --resume 00000002-/);
    await press('j', 'checkout/parser');
    await press('k', 'checkout/lexer');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Rewrite the lexer' }).waitFor();
    await page.getByRole('button', { name: 'Copy resume command' }).waitFor();
    expect(await page.getByRole('button', { name: 'Claim', exact: true }).count()).toBe(0);
    await home();
    // What is unsaved in a worktree is shown before the command that removes it.
    for (const _ of needs) await page.keyboard.press('j');
    await press('j', /lease-table/);
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: '1 file not committed' }).getByText('leases.sql').waitFor();
    await page.getByRole('list', { name: '1 commit not pushed' }).getByText('Keep leases in a table').waitFor();
    await page.getByRole('list', { name: '1 file ignored by git, 16 B' }).getByText('.env').waitFor();
    await page.getByText('The branch worktree-lease-table keeps these commits').waitFor();
    await page.getByText(`worktree remove ${on.worktree}`).waitFor();
    await picture(page, 'clean-up');
    expect(await violations(page)).toEqual([]);

    await page.goto(`${on.service.url}/agents`);
    await page.getByRole('link', { name: /2 waiting for you to answer/ }).click();
    await page.getByRole('button', { name: 'Only waiting' }).waitFor();
    expect(await page.getByRole('row').count()).toBe(3);
    await picture(page, 'agents-waiting');
  });

  test('if nothing needs a person, the start page shows it with the current counts, and each count opens its list', async () => {
    await using service = await serve();
    await seedPlans(service);
    const page = await openPage({ colorScheme: 'light' });
    await page.goto(service.url);
    await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor();
    expect(await page.title()).toBe('Needs you · Signalbox');
    await picture(page, 'home-empty-light');
    await page.getByRole('link', { name: '2 ready' }).click();
    await page.getByRole('button', { name: '2 ready', pressed: true }).waitFor();
    expect(await page.getByRole('row').count()).toBe(3);
    await page.getByRole('link', { name: 'Plans 2' }).click();
    await page.getByRole('link', { name: /2 ready can be claimed now/ }).waitFor();
    await page.getByRole('link', { name: '1 Claimed', exact: true }).click();
    await page.getByRole('button', { name: 'Only claimed' }).waitFor();
    await page.getByRole('row', { name: /Rewrite the price parser/ }).waitFor();
    expect(await page.getByRole('row').count()).toBeLessThan(10);
  });
});
