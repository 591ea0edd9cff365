import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { patterns } from '../../packages/web/src/paths.ts';
import { layOutFixture } from '../agents/session-fixture.ts';
import { inBrowser, openPage, serve } from './browser.ts';
import { createCuttableConnection } from './cuttable-connection.ts';
import { finish, ingest, pushModel, runEvents, runId, seedPlans } from './seed.ts';

/** In the fixture this session was killed in the middle of a turn. */
const killed = '00000005-0000-4000-8000-000000000005';

/**
 * Each route, an element that shows that it was read, and the text that must appear by itself when the service is back;
 * if nothing changes meanwhile, the data that the page must read again.
 */
type Away = { path: string; ready: string } & ({ fresh: string } | { again: string });
const routes: Record<keyof typeof patterns, Away> = {
  start: { path: '/', ready: 'Needs you', fresh: '2 claimed' },
  today: { path: '/today', ready: 'Who held what', fresh: 'sonnet-moss' },
  plans: { path: '/plans', ready: 'Checkout 2.0', fresh: 'Added meanwhile' },
  plan: { path: '/plans/checkout?view=table', ready: 'Round like a bank', fresh: 'sonnet-moss' },
  ready: { path: '/ready', ready: 'Round like a bank', fresh: 'sonnet-moss' },
  agents: { path: '/agents', ready: 'Unlinked claims', fresh: 'sonnet-moss' },
  session: { path: `/agents/${killed}`, ready: 'killed mid turn', again: `/api/agents/${killed}` },
  changes: { path: '/changes', ready: 'No live working trees', again: '/api/changes' },
  repositories: { path: '/repositories', ready: 'acme/shop', fresh: 'acme/zoo' },
  repository: { path: '/repositories/acme/shop', ready: 'Plans that touch it', fresh: 'zoo' },
  runs: { path: '/runs', ready: 'shop.specs', fresh: 'late.specs' },
  run: { path: `/runs/${runId}`, ready: 'shop.specs', again: `/api/runs/${runId}` },
  test: { path: `/runs/${runId}/tests/Prices%2Fprice%200`, ready: 'Expected 7', again: `/api/runs/${runId}` },
  tests: { path: '/tests', ready: 'Results of tests over', again: '/api/suites' },
  eventModel: { path: '/event-model', ready: '2 slices', again: '/api/event-model' },
  tokens: { path: '/tokens', ready: 'No named tokens yet', fresh: 'nightly' },
  webhooks: { path: '/webhooks', ready: 'No webhooks', again: '/api/webhooks' },
  settings: { path: '/settings', ready: 'Language of numbers', again: '/api/needs' },
  audit: { path: '/audit', ready: 'create_plan', fresh: 'create_token' },
};

const banner = (page: Page) => page.getByRole('alert').filter({ hasText: 'Signalbox does not answer' });

inBrowser('the service goes away and comes back', () => {
  test('under every page: a banner, nothing can be done, then fresh data without a reload', async () => {
    await using wire = await createCuttableConnection();
    await using sessions = await layOutFixture();
    const settings = { AllowedOrigins: wire.url, SessionsPath: sessions.config };
    await using service = await serve({ settings });
    wire.to(service.url);
    await seedPlans(service);
    await ingest(service, [...runEvents(3), finish()]);
    await pushModel(service);
    const open: { route: Away; page: Page }[] = [];
    for (const route of Object.values(routes)) {
      const page = await openPage();
      await page.goto(wire.url + route.path);
      await page.getByText(route.ready).first().waitFor();
      await page.getByRole('navigation').getByText('Live', { exact: true }).waitFor();
      open.push({ page, route });
    }
    const unread = await openPage();
    await unread.goto(`${wire.url}/plans`);
    await unread.getByText('Checkout 2.0').waitFor();
    await unread.getByText('Live', { exact: true }).waitFor();

    wire.cut();
    for (const { page } of open) await banner(page).waitFor();
    // A page that was never read reports that, and has its own breadcrumb. The second attempt is delayed, so that the
    // state before it can be checked for as long as needed.
    const mended = Promise.withResolvers<void>();
    let tries = 0;
    await unread.route(/audit-page/, async (route) => {
      tries += 1;
      if (tries === 1) return await route.abort();
      await mended.promise;
      await route.continue();
    });
    await unread.getByRole('link', { name: 'Audit' }).click();
    await expect.poll(() => unread.getByRole('navigation', { name: 'Breadcrumb' }).textContent()).toBe('Audit');
    // This tests that its code cannot be loaded.
    await unread.getByText('the service does not answer').or(unread.getByText('No answer')).first().waitFor();
    // The time since the service was lost continues, although every other clock of the page is stopped.
    const age = unread.getByRole('navigation', { name: 'Main' }).getByRole('status');
    const first = await age.textContent();
    await expect.poll(() => age.textContent()).not.toBe(first);
    const ready = open.find(({ route }) => route === routes.ready)?.page;
    expect(await ready?.getByRole('button', { name: 'Claim next ready' }).isDisabled()).toBe(true);

    await service.stop();
    await using again = await serve({ home: service.home, settings });
    wire.to(again.url);
    await again.call('POST', '/api/plans/checkout/nodes/rounding/claim', { agent: 'sonnet-moss' });
    const zoo = {
      plan: 'zoo',
      title: 'Added meanwhile',
      repository: 'acme/zoo',
      nodes: [{ id: 'a', repository: 'acme/shop' }, { id: 'b' }],
    };
    await again.call('POST', '/api/plans', zoo);
    await again.call('POST', '/api/tokens', { name: 'nightly', scopes: ['publish'] });
    const late = runEvents(2, 'late').map((event) => ('suite' in event ? { ...event, suite: 'late.specs' } : event));
    await ingest(again, late);

    unread.complaints.length = 0;
    const read = open.map(({ page, route }) =>
      'again' in route
        ? page.waitForResponse((answer) => answer.ok() && answer.url().includes(route.again), { timeout: 0 })
        : undefined,
    );
    wire.mend();
    mended.resolve();
    for (const [at, { page, route }] of open.entries()) {
      await banner(page).waitFor({ state: 'detached' });
      if ('fresh' in route) await page.getByText(route.fresh).first().waitFor();
      await read[at];
    }
    await unread.getByRole('row', { name: /create_token/ }).waitFor();
    unread.complaints.length = 0;
    await expect.poll(() => unread.getByRole('navigation', { name: 'Breadcrumb' }).textContent()).toBe('Audit');
  });

  test('without closing its connection: after 40 s without a sign a new one continues where it ended', async () => {
    await using wire = await createCuttableConnection();
    await using service = await serve({ settings: { AllowedOrigins: wire.url } });
    wire.to(service.url);
    await seedPlans(service);
    const page = await openPage();
    await page.clock.install();
    await page.goto(`${wire.url}/plans`);
    await page.getByText('Checkout 2.0').waitFor();
    await page.getByRole('navigation').getByText('Live', { exact: true }).waitFor();
    wire.silenceStreams();
    await service.call('POST', '/api/plans', { plan: 'zoo', title: 'Added meanwhile', nodes: [{ id: 'a' }] });
    await page.clock.fastForward(45_000);
    await page.getByText('Added meanwhile').waitFor();
    await page.getByRole('navigation').getByText('Live', { exact: true }).waitFor();
  });
});
