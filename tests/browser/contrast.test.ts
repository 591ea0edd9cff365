import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inBrowser, openPage, serve } from './browser.ts';
import { createPixelReader, type Picture } from './pixels.ts';
import { finish, ingest, runEvents, runId, seedPlans } from './seed.ts';

/** The contrast that WCAG 1.4.11 requires of everything except text. */
const least = 3;

/** How far around the element its surroundings are examined, in pixels. */
const margin = 6;

inBrowser('contrast, in the pixels of screenshots', () => {
  test('borders of fields, marks of states, bars, edges, blocked cards and the ring of the focus are 3:1 in both themes', async () => {
    await using service = await serve();
    await seedPlans(service);
    await ingest(service, [...runEvents(40), finish()]);
    const page = await openPage();
    const pixels = await createPixelReader(page.context());
    const measured: Record<string, number> = {};
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      const note = (what: string, contrast: number) => {
        measured[`${theme}: ${what}`] = Math.round(contrast * 10) / 10;
      };
      const around = async (element: Locator): Promise<Picture> => {
        await element.scrollIntoViewIfNeeded();
        const box = await element.boundingBox();
        if (!box) throw new Error('nothing to look at');
        const [x, y] = [Math.floor(box.x) - margin, Math.floor(box.y) - margin];
        const clip = { x, y, width: Math.ceil(box.width) + 2 * margin, height: Math.ceil(box.height) + 2 * margin };
        return await pixels.read(await page.screenshot({ clip }));
      };
      const border = async (what: string, element: Locator) => note(what, (await around(element)).border(margin));
      const mark = async (what: string, element: Locator) => note(what, (await around(element)).mark());

      await page.goto(`${service.url}/ready`);
      await page.getByRole('row', { name: /Round like a bank/ }).waitFor();
      await border('filter', page.getByLabel('Filter by node, label, agent').locator('..'));
      await border('choice of a list', page.getByLabel('Plan', { exact: true }));
      await border('search', page.getByRole('button', { name: /^Jump to/ }));
      for (const state of ['Ready', 'Claimed'])
        await mark(`mark of ${state}`, page.getByRole('gridcell', { name: state }).first().locator('svg').first());
      await mark(
        'bar of a lease',
        page
          .getByRole('img', { name: /of the lease left/ })
          .first()
          .locator('i'),
      );
      const claim = page.getByRole('button', { name: 'Claim next ready' });
      await claim.focus();
      await page.keyboard.press('Shift');
      note('ring of the focus', (await around(claim)).outside(margin));
      await claim.click();
      await border('field of a dialog', page.getByLabel('Session'));
      await page.keyboard.press('Escape');

      await page.goto(`${service.url}/plans/checkout`);
      const card = page.getByRole('listbox', { name: 'Plan graph' }).getByRole('option', { name: /Totals/ });
      await card.waitFor();
      await border('blocked card', card);
      for (const [at, contrast] of (await edges(page, pixels)).entries()) note(`edge ${at + 1}`, contrast);
      const bars = page.getByRole('img', { name: /done.*blocked/ }).first();
      await mark('bar of states', bars);

      await page.goto(`${service.url}/runs/${runId}`);
      const lanes = page.getByRole('application', { name: /row/ });
      await lanes.waitFor();
      await page.getByRole('row', { name: /price 0/ }).waitFor();
      const isGreen = ([red = 0, green = 0]: readonly number[]) => green > red + 25;
      const isRed = ([red = 0, green = 0]: readonly number[]) => red > green + 60;
      const verdicts = await around(page.getByRole('img', { name: /passed.*1 failed/ }).first());
      note('passed part of a bar', verdicts.strongest(isGreen));
      note('failed part of a bar', verdicts.strongest(isRed));
      expect(verdicts.between(isGreen, isRed), `${theme}: passed beside failed`).toBeGreaterThan(1.5);
      const lane = await around(lanes);
      note('bars of passed tests', lane.strongest(isGreen));
      note('bars of failed tests', lane.strongest(isRed));
      await mark(
        'mark of a failed test',
        page
          .getByRole('row', { name: /price 0/ })
          .locator('svg')
          .first(),
      );
    }
    const tooWeak = Object.entries(measured).filter(([, contrast]) => contrast < least);
    expect(Object.fromEntries(tooWeak)).toEqual({});
    expect(Object.keys(measured).length).toBeGreaterThan(30);
  });
});

/** Each line between two cards, at its middle. */
async function edges(page: Page, pixels: Awaited<ReturnType<typeof createPixelReader>>): Promise<number[]> {
  const middles: { x: number; y: number }[] =
    await page.evaluate(`[...document.querySelectorAll('path.stroke-edge')].map((path) => {
    const { x, y } = path.getPointAtLength(path.getTotalLength() / 2).matrixTransform(path.getScreenCTM());
    return { x: Math.round(x), y: Math.round(y) };
  })`);
  expect(middles.length).toBeGreaterThan(0);
  const found = [];
  for (const { x, y } of middles) {
    const picture = await pixels.read(await page.screenshot({ clip: { x: x - 6, y: y - 6, width: 12, height: 12 } }));
    found.push(picture.mark());
  }
  return found;
}
