import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../packages/service/src/app/config.ts';
import { createLog } from '../../packages/service/src/app/log.ts';
import { startConsole } from '../../packages/service/src/app/standalone.ts';
import { layOutFixture } from '../agents/session-fixture.ts';
import { caller } from '../start.ts';
import { verifies } from '../verifies.ts';
import { inBrowser, openPage, serve } from './browser.ts';
import { createCuttableConnection } from './cuttable-connection.ts';
import { finish, ingest, pushModel, runEvents, runId, seedPlans } from './seed.ts';

inBrowser('the shell', () => {
  verifies('login:web-asks-once', 'with a token set the page asks for it once', async () => {
    await using service = await serve({ settings: { Token: 'open-sesame-open-sesame' } });
    const page = await openPage();
    await page.goto(`${service.url}/plans`);
    await page.getByLabel('Token').fill('wrong');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Token').fill('open-sesame-open-sesame');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { name: 'No plans yet' }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'No plans yet' }).waitFor();
  });

  verifies('standalone:web-polls', 'the console alone serves runs in the same web, by asking again', async () => {
    const home = await mkdtemp(join(tmpdir(), 'console-'));
    const { config } = readConfig({ env: { CONSOLE_PORT: '0', HOME: home }, args: [], cwd: home, home }, true);
    const alone = await startConsole(config, { log: createLog(new PassThrough().resume()) });
    onTestFinished(async () => {
      await alone.stop();
      await rm(home, { recursive: true, force: true });
    });
    const page = await openPage();
    await page.goto(alone.console.url);
    await page.getByRole('heading', { name: 'No test run yet' }).waitFor();
    expect(await page.getByRole('link', { name: 'Plans' }).count()).toBe(0);
    const answer = await caller(alone.console.url)('POST', '/api/ingest', { events: runEvents(3) });
    expect(answer.status).toBe(202);
    await page.getByRole('link', { name: /shop\.specs/ }).click();
    await page.getByRole('row', { name: /price 0/ }).waitFor();
    await alone.stop();
    await page.getByText('Reconnecting').waitFor();
    expect(await page.getByRole('row', { name: /price 0/ }).count()).toBe(1);
  });

  test('the tab and the heading of a page begin with the name of what it shows', async () => {
    await using service = await serve();
    await seedPlans(service);
    await ingest(service, [...runEvents(3), finish()]);
    await pushModel(service);
    const page = await openPage();
    for (const [path, name] of [
      ['/plans/checkout', 'Checkout 2.0'],
      [`/runs/${runId}`, 'shop.specs'],
      [`/runs/${runId}/tests/Prices%2Fprice%200`, 'price 0'],
      ['/event-model', 'Shop'],
      ['/repositories/acme/shop', 'acme/shop'],
    ] as const) {
      await page.goto(service.url + path);
      await page.getByRole('heading', { level: 1, name: new RegExp(`^${name}`) }).waitFor();
      // The number of needs comes before every title.
      await expect.poll(() => page.title()).toMatch(new RegExp(`^(\\(\\d+\\) )?${name}`));
    }
  });

  verifies('agents:web-seven-days', 'sessions of the last seven days are shown, older ones are not', async () => {
    await using sessions = await layOutFixture();
    await using service = await serve({ settings: { SessionsPath: sessions.config } });
    expect((await service.call('GET', '/api/agents')).body.sessions.length).toBeGreaterThan(5);
    const recent = (await service.call('GET', '/api/agents?since=7d')).body.sessions.length;
    const page = await openPage();
    await page.goto(`${service.url}/agents`);
    await page.getByText(`of ${recent} sessions`).waitFor();
  });

  test('after 500 missed messages the page equals a fresh load', async () => {
    await using wire = await createCuttableConnection();
    await using service = await serve({ settings: { AllowedOrigins: wire.url } });
    wire.to(service.url);
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${wire.url}/plans/checkout?view=table`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('row', { name: /Round like a bank/ }).waitFor();
    wire.cut();
    await page.getByText('Reconnecting').waitFor();
    for (let index = 0; index < 250; index += 1) {
      await service.call('POST', '/api/plans/checkout/nodes/rounding/claim', { agent: `a${index}` });
      await service.call('POST', '/api/plans/checkout/nodes/rounding/release', { agent: `a${index}` });
    }
    await service.call('POST', '/api/plans/checkout/nodes', { id: 'late', title: 'Added meanwhile' });
    wire.mend();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('row', { name: /Added meanwhile/ }).waitFor();
    const rows = () => page.getByRole('grid').innerText();
    const clocks = (text: string) => text.replace(/\d\d:\d\d/g, '');
    const before = clocks(await rows());
    await page.reload();
    await page.getByRole('row', { name: /Added meanwhile/ }).waitFor();
    expect(clocks(await rows())).toBe(before);
  });

  test('losing the service is announced, and the screen stays as it is', async () => {
    const service = await serve();
    await seedPlans(service);
    const page = await openPage();
    await page.goto(`${service.url}/plans/checkout?view=table`);
    await page.getByText('Live', { exact: true }).waitFor();
    const row = page.getByRole('row', { name: /Round like a bank/ });
    await row.waitFor();
    await service.stop();
    await page.getByText('Reconnecting').waitFor();
    expect(await row.count()).toBe(1);
    await service[Symbol.asyncDispose]();
  });

  test('a token that is wanted all of a sudden is asked for, and nothing typed is lost', async () => {
    await using wire = await createCuttableConnection();
    const settings = { AllowedOrigins: wire.url };
    const home = await mkdtemp(join(tmpdir(), 'signalbox-'));
    onTestFinished(() => rm(home, { recursive: true, force: true }));
    const before = await serve({ home, settings });
    wire.to(before.url);
    await seedPlans(before);
    const page = await openPage();
    await page.goto(`${wire.url}/plans/checkout?view=table&node=rounding`);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Description').fill('half an hour of work');
    await before.stop();
    await using after = await serve({ home, settings: { ...settings, Token: 'open-sesame-open-sesame' } });
    wire.to(after.url);
    await page.getByLabel('Token', { exact: true }).fill('open-sesame-open-sesame');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('half an hour of work').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
  });

  test('the theme follows the system until a person chooses, and then stays', async () => {
    await using service = await serve();
    const page = await openPage({ colorScheme: 'light' });
    await page.goto(service.url);
    const theme = () => page.evaluate('document.documentElement.dataset.theme');
    await page.getByRole('heading', { name: 'No plans yet' }).waitFor();
    expect(await theme()).toBe('light');
    const becomes = (wanted: string) => page.locator(`html[data-theme="${wanted}"]`).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await becomes('dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await becomes('light');
    await page.keyboard.press('d');
    expect(await theme()).toBe('dark');
    await page.reload();
    expect(await theme()).toBe('dark');
    await page.getByRole('heading', { name: 'No plans yet' }).waitFor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await theme()).toBe('dark');
  });

  test('an unknown address shows a message', async () => {
    await using service = await serve();
    const page = await openPage();
    await page.goto(`${service.url}/plans/nowhere`);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('Unknown plan nowhere.All plans');
    await service.call('POST', '/api/plans', { plan: 'p', title: 'P', nodes: [{ id: 'a', title: 'A' }] });
    await page.goto(`${service.url}/plans/p?node=gone`);
    await page.getByRole('heading', { name: 'No such node' }).waitFor();
    await page.goto(`${service.url}/no/such/page`);
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  });
});
