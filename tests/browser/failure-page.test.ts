import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { binOf, createProject, type Project } from '../publishers/project.ts';
import { smallRun } from '../recorded-run.ts';
import { inBrowser, openPage, serve, violations } from './browser.ts';
import { vitestProject } from './failing-projects.ts';
import { ingest } from './seed.ts';

/** While colours change to the other theme, they belong to neither theme. */
const settled = `Promise.all(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished))`;

/** Replaces desktop notifications, which a browser without a screen does not have. */
const recordNotifications = `
  globalThis.told = [];
  globalThis.Notification = class {
    static permission = 'default';
    static requestPermission = async () => 'granted';
    constructor(title, options) { told.push({ title, ...options }); }
  };
`;

let service: Awaited<ReturnType<typeof serve>>;
let project: Project;
let runId: string;

/** A real run of Vitest with a failure of each kind, published by the reporter, and a picture for one of them. */
async function seed() {
  service = await serve();
  project = await createProject(vitestProject, ['vitest']);
  await project.run([binOf('vitest/vitest.mjs'), 'run'], { SIGNALBOX_URL: service.consoleUrl, CI: 'true' });
  runId = (await service.console('GET', '/api/runs')).body[0].runId;
  await ingest(service, [
    pictureOf('adds up', 'the cart'),
    pictureOf('prints a receipt', 'receipt-expected.png'),
    pictureOf('prints a receipt', 'receipt-actual.png'),
    pictureOf('prints a receipt', 'receipt-diff.png'),
  ]);
}

/** A one-pixel picture that a test of the run attached. */
function pictureOf(title: string, name: string) {
  const picture = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const sha256 = createHash('sha256').update(picture).digest('hex');
  return {
    ...{ type: 'attachment', runId, uid: `tests/cart.test.js/cart > ${title}`, attempt: 1, name },
    ...{ mediaType: 'image/png', size: picture.length, sha256, data: picture.toString('base64') },
  };
}

inBrowser('why a test failed', () => {
  beforeAll(seed);
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await project[Symbol.asyncDispose]();
  });

  test('from a red run to the line of code and the rerun command by two keys, with everything that went wrong', async () => {
    const page = await openPage({ colorScheme: 'dark' });
    await page.goto(`${service.url}/runs/${runId}`);
    await page.getByRole('grid', { name: 'Scenarios' }).waitFor();
    await page.keyboard.press('n');
    const panel = page.getByRole('complementary', { name: /^Scenario / });
    const diff = panel.getByRole('group', { name: 'Difference' });
    await diff.getByText('"total": 7').waitFor();
    await diff.getByText('"total": 8').waitFor();
    await panel.getByText('failing line 9:').waitFor({ state: 'attached' });
    await panel.getByText("npx vitest run tests/cart.test.js -t 'cart adds up'").waitFor();
    await panel.getByRole('img', { name: 'the cart' }).waitFor();
    await panel.getByText('failed in its only run').waitFor();
    expect(await violations(page)).toEqual([]);

    await panel.getByRole('radio', { name: 'This file' }).click();
    await panel.getByText('npx vitest run tests/cart.test.js', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'tests/cart.test.js:9' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Open in which editor?' });
    expect(await dialog.getByRole('link', { name: 'VS Code' }).getAttribute('href')).toBe(
      `vscode://file${realpathSync(project.folder)}/tests/cart.test.js:9:18`,
    );
    await page.keyboard.press('Escape');

    const width = async () => (await panel.boundingBox())?.width ?? 0;
    const before = await width();
    await page.getByRole('separator', { name: 'Width of the panel' }).focus();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(width).toBe(before + 24);

    await panel.getByRole('link', { name: 'Open on a page of its own' }).click();
    await page.getByRole('heading', { level: 1, name: 'cart > adds up' }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/runs/${runId}/tests/tests%2Fcart.test.js%2Fcart%20%3E%20adds%20up`);
    await page.keyboard.press('n');
    await page.getByRole('heading', { level: 1, name: 'cart > is charged' }).waitFor();
    await page.getByText('Caused by').waitFor();
    await page.getByRole('list', { name: 'Output' }).getByText('charging 7 EUR').waitFor();
    await page.getByRole('link', { name: /^the receipt/ }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('region', { name: 'Failure 3' }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('d');
    await page.evaluate(settled);
    expect(await violations(page, 'colours')).toEqual([]);
  });

  test('from the list of runs to the failing line and the rerun command in two clicks, or in three keys', async () => {
    const page = await openPage();
    const row = page.locator(`[data-run="${runId}"]`);
    const scenarios = page.getByRole('grid', { name: 'Scenarios' });
    const panel = page.getByRole('complementary', { name: /^Scenario / });
    const shown = async () => {
      await panel.getByText("npx vitest run tests/cart.test.js -t 'cart adds up'").waitFor();
      await panel.getByText('failing line 9:').waitFor({ state: 'attached' });
      for (const name of ['tests/cart.test.js:9', 'Copy command'])
        expect((await panel.getByRole('button', { name }).first().boundingBox())?.y, name).toBeLessThan(600);
    };
    await page.goto(`${service.url}/runs`);
    await row.getByRole('link').click();
    await scenarios.getByRole('row', { name: /adds up/ }).click();
    await shown();

    await page.goto(`${service.url}/runs`);
    await row.waitFor();
    await page.keyboard.press('j');
    await row.locator('a:focus').waitFor();
    await page.keyboard.press('Enter');
    await scenarios.waitFor();
    await page.keyboard.press('n');
    await shown();
  });

  test('a visual comparison has a slider, and a failure becomes a node that its suite proves', async () => {
    await service.call('POST', '/api/plans', { plan: 'repairs', title: 'Repairs' });
    const page = await openPage();
    await page.goto(
      `${service.url}/runs/${runId}?scenario=${encodeURIComponent('tests/cart.test.js/cart > prints a receipt')}`,
    );
    const actual = page.getByRole('img', { name: 'receipt, actual' });
    await page.getByRole('slider', { name: 'receipt: expected to actual' }).press('End');
    await expect.poll(() => actual.getAttribute('style')).toContain('inset(0px 0px 0px 100%)');
    await page.getByRole('button', { name: 'difference' }).click();
    await page.getByRole('img', { name: 'receipt, difference' }).waitFor();
    await actual.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Make a node' }).click();
    const dialog = page.getByRole('dialog', { name: 'Make a node of this failure' });
    await dialog.getByRole('combobox', { name: 'Plan' }).selectOption({ label: 'Repairs' });
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Add node' }).click();
    await page.waitForURL(/\/plans\/repairs\?node=fix-cart-prints-a-receipt/);
    await dialog.waitFor({ state: 'detached' });
    const { body } = await service.call('GET', '/api/plans/repairs/nodes/fix-cart-prints-a-receipt');
    expect(body).toMatchObject({ binding: { kind: 'suite', suite: 'shop:vitest' }, labels: ['failing test'] });
    expect(body.description).toContain('npx vitest run tests/cart.test.js');
  });

  test('the export is one file that shows the same page from disk without any request', async () => {
    const { text, headers } = await service.call('GET', `/api/runs/${runId}/export?format=html`);
    expect(headers.get('content-disposition')).toContain('.html"');
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\//);
    const path = join(project.folder, 'run.html');
    await writeFile(path, text);
    const page = await openPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(pathToFileURL(path).href);
    await page.getByRole('heading', { level: 1, name: 'shop:vitest' }).waitFor();
    await page.getByRole('row', { name: /prints a receipt/ }).click();
    await page.getByText('77 equal lines').waitFor();
    await page.getByText('failed in its only run').waitFor();
    await page.getByRole('radio', { name: /^Failures/ }).click();
    await page.getByRole('region', { name: 'Failures by signature' }).waitFor();
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([pathToFileURL(path).href]);
    expect(await violations(page)).toEqual([]);
  });

  test('a running run is shown in the tab title, announces its first failure, and notifies on the desktop when it ends', async () => {
    const at = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();
    const of = (type: string, more: object) => ({ type, runId: 'live-1', ...more });
    await ingest(service, [
      of('run_started', { suite: 'live', repository: '/src/shop', startedAt: at(0), totalScenarios: 4 }),
      of('scenario_started', { uid: 'a.test.ts/adds', file: 'a.test.ts', tags: ['@smoke'], attempt: 1, at: at(0) }),
      of('scenario_finished', { uid: 'a.test.ts/adds', outcome: 'CleanPass', attempts: 1, durationMs: 9, at: at(1) }),
    ]);
    const page = await openPage();
    await page.addInitScript(recordNotifications);
    await page.goto(`${service.url}/runs/live-1`);
    await expect.poll(() => page.title()).toMatch(/^(\(\d+\) )?live ▶ 25 %/);
    const watch = page.getByRole('button', { name: 'Notify me when it ends' });
    await watch.click();
    await expect.poll(() => watch.getAttribute('aria-pressed')).toBe('true');
    await ingest(service, [
      of('scenario_started', { uid: 'b.test.ts/pays', file: 'b.test.ts', attempt: 1, at: at(1) }),
      of('scenario_finished', {
        ...{ uid: 'b.test.ts/pays', outcome: 'Failed', attempts: 1, durationMs: 7_000, at: at(2) },
        errors: [{ message: 'declined', expected: 'paid', actual: 'declined' }],
      }),
    ]);
    await page.getByText('First failure: pays. Press N to open it.').waitFor();
    await expect.poll(() => page.title()).toMatch(/^(\(\d+\) )?live ✗ 50 % 1 failed/);
    await page.keyboard.press('n');
    await page.getByRole('group', { name: 'Difference' }).getByText('paid').waitFor();
    expect(await page.evaluate('told')).toEqual([]);
    await ingest(service, [of('run_finished', { exitCode: 1, passed: 1, failed: 1, finishedAt: at(3) })]);
    await expect
      .poll(() => page.evaluate('told'))
      .toEqual([{ title: 'live ✗ 1 failed', silent: true, tag: 'live-1', body: '1 passed, 1 failed' }]);
  });

  test('tests are found by their results: flaky ones first, with their verdicts', async () => {
    for (const [n, outcome] of ['CleanPass', 'Failed', 'CleanPass', 'PassOnRetry', 'Failed'].entries())
      await ingest(service, smallRun(`unit-${n}`, { outcomes: [outcome, 'CleanPass'], suite: 'unit' }));
    const page = await openPage();
    await page.goto(`${service.url}/tests`);
    const row = page.getByRole('row', { name: /Cart, unit/ }).filter({ hasText: '1 of 5' });
    await row.waitFor();
    await row.getByRole('img', { name: /2 failed/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('radio', { name: 'Newly failing' }).click();
    await page.getByRole('link', { name: /cart > adds up/ }).waitFor();
    await page.getByRole('combobox', { name: 'Suite' }).selectOption({ label: 'unit in shop' });
    await page.getByRole('link', { name: /cart > adds up/ }).waitFor({ state: 'detached' });
    await row.click();
    await page.getByRole('heading', { level: 1, name: '0' }).waitFor();
    await page.getByRole('list', { name: 'Last 5 verdicts' }).waitFor();
  });
});
