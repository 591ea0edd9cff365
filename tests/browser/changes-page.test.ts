import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collisionScene, numbered } from '../trees/collision-scene.ts';
import { inBrowser, openPage, serve, violations } from './browser.ts';

/** The folder for pictures, for a person who wants to look at them. */
const pictures = process.env.SIGNALBOX_PICTURES;
const price = 'src/price.ts';

async function scene() {
  const { ada, bob, open } = await collisionScene();
  const service = await open();
  const nodes = [{ id: 'lexer', touches: ['src/**'] }, { id: 'refund' }];
  await service.call('POST', '/api/plans', { plan: 'shop', repository: 'acme/shop', nodes });
  const hold = (node: string, agent: string, session: string) =>
    service.call('POST', `/api/plans/shop/nodes/${node}/claim`, { agent, session });
  await hold('lexer', 'ada', ada.session.sessionId);
  await hold('refund', 'bob', bob.session.sessionId);
  await ada.write(price, numbered(40, { 3: 'three', 4: 'four', 5: 'five', 20: 'twenty' }));
  await bob.write(price, numbered(40, { 4: 'vier', 5: 'fünf', 6: 'sechs' }));
  await ada.write('src/tokens.ts', numbered(60));
  await bob.write('src/rules.ts', numbered(12));
  await bob.write('src/cart.ts', numbered(40, { 30: 'thirty' }));
  return { ada, bob, service };
}

inBrowser('the page Changes', () => {
  test('shows who changes what, what will collide on top, and follows what happens', async () => {
    const { ada, bob, service } = await scene();
    await using _ = service;
    const page = await openPage({ colorScheme: 'dark' });
    await page.goto(`${service.url}/changes`);
    const grid = page.getByRole('grid', { name: 'Changed files of acme/shop' });
    const row = (file: string, overlap = '') =>
      grid.getByRole('row').filter({ hasText: file }).filter({ hasText: overlap });
    await row('/price.ts', 'same lines').waitFor();
    await row('/rules.ts').waitFor();
    await row('/tokens.ts').waitFor();
    expect(await grid.getByRole('columnheader').allInnerTexts()).toEqual([
      'Path',
      'Overlap',
      expect.stringMatching(/shop\/lexer\s+ada/),
      expect.stringMatching(/shop\/refund\s+bob/),
    ]);
    expect(await grid.getByRole('row').nth(1).innerText()).toContain('price.ts');
    // Another file is shared while the page is open.
    await ada.write('src/cart.ts', numbered(40, { 2: 'two' }));
    await row('/cart.ts', 'same file').waitFor();
    await page.getByRole('radio', { name: 'Overlaps 2' }).click();
    expect(new URL(page.url()).searchParams.get('show')).toBe('overlaps');
    await expect.poll(() => grid.getByRole('row').count()).toBe(3);
    // With keys only: to the first row, and into its panel.
    await page.keyboard.press('j');
    const panel = page.getByRole('complementary', { name: 'File' });
    await panel.getByText('they meet in lines 4 to 5').waitFor();
    await panel.getByRole('link', { name: 'Open shop/refund' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('radio', { name: /^All/ }).click();
    await page.getByRole('button', { name: 'Rehearse the merge' }).click();
    const rehearsal = page.getByRole('region', { name: 'Merge rehearsal' });
    await rehearsal.getByText('The commits of shop/lexer and shop/refund merge without a conflict.').waitFor();
    await rehearsal.getByText('Not committed, so left out').waitFor();
    expect(await violations(page)).toEqual([]);
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, 'rehearsal.png') });
    await page.getByRole('button', { name: 'Close the rehearsal' }).click();
    if (pictures !== undefined) await takePictures(page, service.url);
    await bob.write(price, numbered(40));
    await expect.poll(() => row('/price.ts', 'same lines').count()).toBe(0);
  });

  test('is one click away from a tree of the board and from a node', async () => {
    const { service } = await scene();
    await using _ = service;
    const page = await openPage();
    await page.goto(`${service.url}/agents`);
    await page
      .getByRole('link', { name: /1 overlap, \d changed/ })
      .first()
      .click();
    await page.getByRole('grid', { name: 'Changed files of acme/shop' }).waitFor();
    await page.goto(`${service.url}/plans/shop?node=lexer`);
    await page.getByRole('link', { name: '1 overlap', exact: true }).click();
    await page.getByRole('grid', { name: 'Changed files of acme/shop' }).waitFor();
    expect(new URL(page.url()).searchParams.get('repository')).toBe('acme/shop');
  });

  test('explains why it is empty, for all repositories and for one', async () => {
    await using service = await serve();
    const page = await openPage();
    await page.goto(`${service.url}/changes`);
    await page.getByRole('heading', { name: 'No live working trees' }).waitFor();
    await page.goto(`${service.url}/changes?repository=acme%2Fshop`);
    await page.getByRole('heading', { name: 'No live tree in acme/shop' }).waitFor();
  });
});

async function takePictures(page: Awaited<ReturnType<typeof openPage>>, url: string): Promise<void> {
  const folder = pictures ?? '';
  mkdirSync(folder, { recursive: true });
  for (const [width, height] of [
    [1440, 900],
    [1024, 768],
    [390, 844],
  ] as const)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await page.goto(`${url}/changes${width > 400 ? `?path=${encodeURIComponent(price)}` : ''}`);
      await page.getByText('same lines').first().waitFor();
      await page.screenshot({ path: join(folder, `changes-${width}-${colorScheme}.png`) });
    }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${url}/agents`);
  await page.getByText('overlap').first().waitFor();
  await page.screenshot({ path: join(folder, 'agents.png') });
  await page.goto(`${url}/plans/shop?node=lexer`);
  await page.getByText('Files and resources').first().waitFor();
  await page.screenshot({ path: join(folder, 'node.png') });
  await page.goto(`${url}/changes`);
}
