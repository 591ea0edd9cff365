import { expect, test } from 'vitest';
import { layOutFixture } from '../agents/session-fixture.ts';
import { inBrowser, openPage, serve, violations } from './browser.ts';
import { finish, ingest, pushModel, runEvents, runId, seedPlans } from './seed.ts';

/** In the fixture this session was killed in the middle of a turn. */
const killed = '00000005-0000-4000-8000-000000000005';

const pages: readonly (readonly [path: string, ready: string])[] = [
  ['/', 'Needs you'],
  ['/plans', 'Checkout 2.0'],
  ['/plans?view=graph', '1 of 5 done'],
  ['/plans/checkout?node=parser', 'Impact'],
  ['/plans/checkout?at=1&outline=1', 'Back to now'],
  ['/plans/nowhere', 'Not here'],
  ['/plans/checkout?view=table&node=totals', 'Impact'],
  ['/plans/checkout?view=history', 'opus-delta'],
  ['/ready?node=checkout/rounding', 'Impact'],
  ['/agents', 'Unlinked claims'],
  [`/agents/${killed}`, 'killed mid turn'],
  ['/repositories', 'Repositories'],
  ['/repositories/acme/shop', 'Plans that touch it'],
  ['/runs', 'shop.specs'],
  [`/runs/${runId}?scenario=Prices%2Fprice%200`, 'Expected 7'],
  [`/runs/${runId}/tests/Prices%2Fprice%200`, 'Expected 7'],
  ['/tests', 'Results of tests over'],
  ['/event-model?slice=PlaceOrder', 'Made of'],
  ['/agents?by=session', 'Unlinked claims'],
  ['/tokens', 'No named tokens yet'],
  ['/audit', 'create_plan'],
  ['/nowhere', 'Page not found'],
];

/** Colours that are still on their way to the other theme are neither the one nor the other. */
const settled = `Promise.all(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))`;

inBrowser('accessibility', () => {
  test('axe finds nothing on any page, dark or light', async () => {
    await using sessions = await layOutFixture();
    await using service = await serve({ settings: { SessionsPath: sessions.config } });
    await seedPlans(service);
    await ingest(service, [...runEvents(6), finish()]);
    await pushModel(service);
    const page = await openPage({ colorScheme: 'dark' });
    const found: Record<string, string[]> = {};
    for (const [path, ready] of pages) {
      await page.goto(service.url + path);
      await page.locator('h1').first().waitFor();
      await page.getByText(ready).last().waitFor();
      const here = await violations(page);
      await page.keyboard.press('d');
      await page.evaluate(settled);
      const there = await violations(page, 'colours');
      if (here.length + there.length > 0) found[path] = [...here, ...there];
    }
    expect(found).toEqual({});
  });

  test('axe finds nothing where the page asks for the token, and where there is no licence', async () => {
    await using closed = await serve({ settings: { Token: 'open-sesame-open-sesame' } });
    const page = await openPage();
    await page.goto(closed.url);
    await page.getByLabel('Token').waitFor();
    expect(await violations(page)).toEqual([]);
    await using unlicensed = await serve({ settings: { Licence: 'none' } });
    await page.goto(`${unlicensed.url}/ready`);
    await page.getByRole('heading', { name: 'The work loop needs a licence' }).waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test('axe finds nothing in dialogs, the palette, and on an empty page', async () => {
    await using service = await serve();
    const page = await openPage();
    await page.goto(`${service.url}/plans`);
    await page.getByRole('heading', { name: 'No plans yet' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('button', { name: 'New plan' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('combobox').waitFor({ state: 'detached' });
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
    expect(await violations(page)).toEqual([]);
  });
});
