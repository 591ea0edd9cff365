import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inBrowser, openPage, serve, violations } from './browser.ts';
import { violationsOnEveryPage } from './every-page.ts';

/** What a screen reader user hears when moving along landmarks, headings, tables and groups, by the address of the page. */
type Outlines = Record<string, string[]>;
const outlinesFile = join(import.meta.dirname, 'outlines.json');
/** `SIGNALBOX_OUTLINES=write` writes the file; review the changes before you commit it. */
const isWriting = process.env.SIGNALBOX_OUTLINES === 'write';

const heard =
  /^( *)- (heading|region|complementary|navigation|table|grid|listbox|treegrid|radiogroup|group|application|form|search) (".*?"|\/.*?\/)( \[level=\d\])?/;

/** Numbers, times and folders change from one test run to the next. */
async function outlineOf(page: Page): Promise<string[]> {
  const lines = (await page.locator('#main').ariaSnapshot()).split('\n');
  return lines.flatMap((line) => {
    const [, , role, name, level = ''] = heard.exec(line) ?? [];
    return role ? [`${role} ${name?.replaceAll(/(?:\/[\w.-]+){3,}/g, 'PATH').replaceAll(/\d+/g, '#')}${level}`] : [];
  });
}

async function settledOutline(page: Page): Promise<string[]> {
  await expect.poll(async () => (await outlineOf(page)).length).toBeGreaterThan(0);
  await page.waitForTimeout(3_000);
  return await outlineOf(page);
}

inBrowser('accessibility', () => {
  test('axe finds nothing on any page, in the dark or the light theme in turn, and each has the outline that was judged', async () => {
    const outlines: Outlines = isWriting ? {} : JSON.parse(readFileSync(outlinesFile, 'utf8'));
    const seen = new Set<string>();
    const found = await violationsOnEveryPage('in turn', async (path, page) => {
      seen.add(path);
      if (isWriting) outlines[path] = await settledOutline(page);
      else await expect.poll(() => outlineOf(page), { message: path }).toEqual(outlines[path]);
    });
    expect(found).toEqual({});
    expect(Object.keys(outlines)).toEqual([...seen]);
    if (isWriting) writeFileSync(outlinesFile, `${JSON.stringify(outlines, null, 2)}\n`);
  });

  test('axe finds no problem on the token page and without a licence', async () => {
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
