import { expect, test } from 'vitest';
import { inBrowser, openPage, serve, violations } from './browser.ts';
import { violationsOnEveryPage } from './every-page.ts';

inBrowser('accessibility', () => {
  test('axe finds nothing on any page, in the dark or the light theme in turn', async () => {
    expect(await violationsOnEveryPage('in turn')).toEqual({});
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
