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

/** While colours change to the other theme, they belong to neither theme. */
const settled = `Promise.all(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))`;

/** A desktop screen, a small laptop and a telephone. */
const widths = [1440, 1024, 390];

/**
 * What axe finds on each page, by its address. `in turn`: one theme for each page, at one width, which finds nearly as
 * much as everything in a tenth of the time. `everything`: both themes at each width, and with forced colours.
 */
export async function violationsOnEveryPage(
  how: 'in turn' | 'everything',
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
    const lines = how === 'in turn' ? await inOneTheme(page, at % 2 === 1) : await inEveryWay(page);
    if (lines.length > 0) found[path] = lines;
  }
  return found;
}

async function otherTheme(page: Page): Promise<void> {
  await page.keyboard.press('d');
  await page.evaluate(settled);
}

async function inOneTheme(page: Page, isOther: boolean): Promise<string[]> {
  if (isOther) await otherTheme(page);
  return await violations(page);
}

async function inEveryWay(page: Page): Promise<string[]> {
  const lines: string[] = [];
  const note = async (way: string, what: Parameters<typeof violations>[1]) => {
    for (const line of await violations(page, what)) lines.push(`${way}: ${line}`);
  };
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await note(`${width} px`, 'everything');
    await otherTheme(page);
    await note(`${width} px, the other theme`, 'colours');
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ forcedColors: 'active' });
  await note('forced colours', 'all but colours');
  await page.emulateMedia({ forcedColors: 'none' });
  return lines;
}
