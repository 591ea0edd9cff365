import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, onTestFinished } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { type Started, type StartOptions, start } from '../start.ts';
import { advice, executablePath, launch } from './chromium.ts';

if (!executablePath && process.env.CI !== 'true') process.stderr.write(`browser tests are skipped: ${advice}\n`);

/** Without a browser these tests are skipped with a line on a person's machine; they fail where everything must be proven. */
const describeInBrowser = executablePath || process.env.CI === 'true' ? describe : describe.skip;
/**
 * A state that a test waits for arrives eventually, however busy the machine is: the limits only catch states that
 * never arrive. A real browser next to other tests is still sometimes late, so each test gets a second attempt, and the
 * reporter lists the tests that needed it.
 */
export const inBrowser = (name: string, tests: () => void): void => void describeInBrowser(name, { retry: 1 }, tests);

let opened: Promise<Browser> | undefined;

/** One browser for all test files of a process. It ends with the process. */
function browser(): Promise<Browser> {
  if (opened) return opened;
  process.once('SIGTERM', () => process.exit());
  opened = launch({ handleSIGTERM: false });
  // A crashed browser fails the tests that were using it, not the later ones.
  opened
    .then((launched) => launched.once('disconnected', () => (opened = undefined)))
    .catch(() => (opened = undefined));
  return opened;
}

/** A page on a started service; any error that the page logs fails the test. */
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
    // The browser also logs a status that the page shows to its reader; that is not an error.
    if (message.type() === 'error' && !/Failed to load resource|ERR_/.test(message.text()))
      complaints.push(message.text());
  });
  onTestFinished(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });
  return Object.assign(page, { complaints });
}

/** The real service with the real clock: the page changes with time. */
export const serve = (options: StartOptions = {}): Promise<Started> => start({ clock: systemClock, ...options });

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const everything = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const colours = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/**
 * Every violation of WCAG 2.2 AA that axe finds, one line each; another theme only changes colours. With forced
 * colours, axe compares the page's colours with the system's background, so contrast is left out then.
 */
export async function violations(
  page: Page,
  what: 'everything' | 'colours' | 'all but colours' = 'everything',
): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe);
  const runOnly = JSON.stringify(what === 'colours' ? colours : everything);
  const off = what === 'all but colours' ? colours.values : [];
  const rules = JSON.stringify(Object.fromEntries(off.map((rule) => [rule, { enabled: false }])));
  // Only the lines leave the page: the complete result of axe is megabytes on a large page.
  return await page.evaluate(`axe.run(document, { runOnly: ${runOnly}, rules: ${rules}, resultTypes: ['violations'] }).then((found) =>
    found.violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => id + ': ' + node.html.slice(0, 200) + ' ' + node.failureSummary)))`);
}
