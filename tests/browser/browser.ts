import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { type Started, type StartOptions, start } from '../start.ts';
import { advice, executablePath, launch } from './chromium.ts';

if (!executablePath && process.env.CI !== 'true') process.stderr.write(`browser tests are skipped: ${advice}\n`);

/** Without a browser these are skipped with a line on a person's machine, and fail where everything must be proven. */
const describeInBrowser = executablePath || process.env.CI === 'true' ? describe : describe.skip;
/**
 * A state that is waited for comes, however busy the machine is: the limits are for what never comes. A real browser beside
 * other tests is not always in time all the same: each test gets a second try, and the reporter names what needed it.
 */
export const inBrowser = (name: string, tests: () => void): void => void describeInBrowser(name, { retry: 1 }, tests);

let opened: Promise<Browser> | undefined;

/** One browser for all test files of a process. It ends with the process, which ends when it is asked to. */
function browser(): Promise<Browser> {
  if (opened) return opened;
  process.once('SIGTERM', () => process.exit());
  opened = launch({ handleSIGTERM: false });
  // One that crashed fails the tests that were using it, not those after them.
  opened
    .then((launched) => launched.once('disconnected', () => (opened = undefined)))
    .catch(() => (opened = undefined));
  return opened;
}

/** A page on a started service; anything the page complains of fails the test. */
export async function openPage(options: BrowserContextOptions = {}): Promise<Page & { complaints: string[] }> {
  const context = await (await browser()).newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A status that the page shows to its reader is logged by the browser too; it is no complaint.
    if (message.type() === 'error' && !/Failed to load resource|ERR_/.test(message.text()))
      complaints.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  return Object.assign(page, { complaints });
}

/** The real service with the real clock: what a page shows moves with time. */
export const serve = (options: StartOptions = {}): Promise<Started> => start({ clock: systemClock, ...options });

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const colours = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/**
 * Every violation of WCAG 2.2 AA that axe can see, as one line each; another theme differs in colours alone. Where colours
 * are forced, axe compares those of the page with the background of the system: they are left out.
 */
export async function violations(
  page: Page,
  what: 'everything' | 'colours' | 'all but colours' = 'everything',
): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  const runOnly = JSON.stringify(what === 'colours' ? colours : everything);
  const off = what === 'all but colours' ? colours.values : [];
  const rules = JSON.stringify(Object.fromEntries(off.map((rule) => [rule, { enabled: false }])));
  // Only the lines leave the page: what axe found in order is megabytes on a large page.
  return await page.evaluate(`axe.run(document, { runOnly: ${runOnly}, rules: ${rules}, resultTypes: ['violations'] }).then((found) =>
    found.violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => id + ': ' + node.html.slice(0, 200) + ' ' + node.failureSummary)))`);
}
