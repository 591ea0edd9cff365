import type { Page } from 'playwright-core';
import { layOutFixture } from '../agents/session-fixture.ts';
import { openPage, serve, violations } from './browser.ts';
import { finish, ingest, pushModel, runEvents, runId, seedPlans } from './seed.ts';

/** In the fixture this session was killed in the middle of a turn. */
const killed = '00000005-0000-4000-8000-000000000005';

const pages: readonly (readonly [path: string, ready: string])[] = [
  ['/', 'Needs you'],
  ['/today', 'Tomorrow first'],
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
  ['/changes', 'No live working trees'],
  ['/repositories', 'Repositories'],
  ['/repositories/acme/shop', 'Plans that touch it'],
  ['/runs', 'shop.specs'],
  [`/runs/${runId}?scenario=Prices%2Fprice%200`, 'Expected 7'],
  [`/runs/${runId}/tests/Prices%2Fprice%200`, 'Expected 7'],
  ['/tests', 'Results of tests over'],
  ['/event-model?slice=PlaceOrder', 'Made of'],
  ['/agents?by=session', 'Unlinked claims'],
  ['/tokens', 'No named tokens yet'],
  ['/webhooks', 'No webhooks'],
  ['/audit', 'create_plan'],
  ['/settings', 'Language of numbers'],
  ['/nowhere', 'Page not found'],
];

/** Colours that are still on their way to the other theme are neither the one nor the other. */
const settled = `Promise.all(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))`;

/**
 * What axe finds on each page, by its address. Another theme differs in colours alone, so that one of them for each page,
 * in turn, is nearly as good as both, in half of the time.
 */
export async function violationsOnEveryPage(
  themes: 'in turn' | 'both',
  look: (path: string, page: Page) => Promise<void> = async () => undefined,
): Promise<Record<string, string[]>> {
  await using sessions = await layOutFixture();
  await using service = await serve({ settings: { SessionsPath: sessions.config } });
  await seedPlans(service);
  await ingest(service, [...runEvents(6), finish()]);
  await pushModel(service);
  const page = await openPage({ colorScheme: 'dark' });
  const found: Record<string, string[]> = {};
  for (const [at, [path, ready]] of pages.entries()) {
    await page.goto(service.url + path);
    await page.locator('h1').first().waitFor();
    await page.getByText(ready).last().waitFor();
    await look(path, page);
    const otherTheme = async () => {
      await page.keyboard.press('d');
      await page.evaluate(settled);
    };
    if (themes === 'in turn' && at % 2 === 1) await otherTheme();
    const lines = await violations(page);
    if (themes === 'both') {
      await otherTheme();
      lines.push(...(await violations(page, 'colours')));
    }
    if (lines.length > 0) found[path] = lines;
  }
  return found;
}
