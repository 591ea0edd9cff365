import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { inBrowser, openPage } from './browser.ts';
import { serveNeeds } from './needs.ts';
import { finish, ingest } from './seed.ts';

const mostKeys = 12;

/** A person without a pointer. Typed texts do not count as keys; after each key the focus must be on an element. */
function keyboardOn(page: Page) {
  let keys = 0;
  const focus = page.locator(':focus');
  const settled = () => expect.poll(() => page.evaluate('document.activeElement?.tagName')).not.toBe('BODY');
  const reaches = async (text: string | RegExp) => {
    await focus.filter({ hasText: text }).waitFor();
    await settled();
  };
  return {
    focus,
    reaches,
    async press(...pressed: string[]) {
      for (const key of pressed) {
        keys += 1;
        await page.keyboard.press(key);
        await settled();
      }
    },
    /** Moves down a list to the row that has the text. */
    async walkTo(text: RegExp, atMost = 5) {
      for (let row = 0; row < atMost; row += 1) {
        await this.press('j');
        if (text.test((await focus.textContent()) ?? '')) return;
      }
      throw new Error(`no row of the first ${atMost} has ${text}`);
    },
    type: (text: string) => page.keyboard.type(text),
    field: (label: string) => page.getByLabel(label, { exact: true }).and(focus).waitFor(),
    async ask(words: string, answer: RegExp) {
      await this.press('Control+k');
      await page.getByRole('combobox', { name: 'Jump to or do anything' }).waitFor();
      await this.type(words);
      await page
        .getByRole('listbox', { name: 'Results' })
        .getByRole('option')
        .first()
        .filter({ hasText: answer })
        .waitFor();
      await this.press('Enter');
    },
    /** The number of keys of the task; the next task begins at the start page. */
    async done(): Promise<number> {
      const taken = keys;
      await this.press('g', 'n');
      await reaches('Needs you');
      keys = 0;
      return taken;
    },
  };
}

/** A run whose failures name their own rerun command. */
function failedRun(runId: string, suite: string, minutesAgo: number): object[] {
  const at = (seconds: number) => new Date(Date.now() - minutesAgo * 60_000 + seconds * 1_000).toISOString();
  const scenarios = ['adds', 'subtracts', 'divides'].flatMap((name, index) => {
    const failed = index !== 1;
    return [
      { type: 'scenario_started', runId, uid: `Sums/${name}`, attempt: 1, at: at(index) },
      {
        type: 'scenario_finished',
        runId,
        uid: `Sums/${name}`,
        outcome: failed ? 'Failed' : 'CleanPass',
        attempts: 1,
        durationMs: 20,
        errorMessage: failed ? `${name}: expected 7 but was 19` : null,
        rerun: failed ? `npx vitest run sums.test.ts -t ${name}` : null,
        at: at(index + 1),
      },
    ];
  });
  const counts = { exitCode: 1, passed: 1, failed: 2, passedOnRetry: 0, indeterminate: 0 };
  return [
    { type: 'run_started', runId, suite, repository: '/code/sums', branch: 'main', startedAt: at(0) },
    ...scenarios,
    { type: 'run_finished', runId, ...counts, finishedAt: at(9) },
  ];
}

inBrowser('a person without a pointer', () => {
  test('does six tasks with few keys, and the focus is never on nothing', async () => {
    await using on = await serveNeeds();
    await ingest(on.service, failedRun('b1c2e1d0-0000-4000-8000-000000000001', 'sums', 9));
    await ingest(on.service, failedRun('b1c2e1d0-0000-4000-8000-000000000002', 'sums', 3));
    const page = await openPage();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const clipboard = () => page.evaluate('navigator.clipboard.readText()');
    await page.goto(on.service.url);
    await page.getByRole('region', { name: 'Worktrees to clean up' }).waitFor();
    const hand = keyboardOn(page);
    const taken: Record<string, number> = {};

    await hand.press('j');
    await hand.reaches('stage-1');
    await hand.press('Enter');
    await hand.reaches('stage-1');
    expect(await hand.focus.evaluate(({ tagName }) => tagName)).toBe('H1');
    await page.getByText('Waits for a permission.').waitFor();
    await hand.press('y');
    await expect.poll(clipboard).toMatch(/^tmux switch-client -t .*ps -o tty= -p \d+/);
    // Back leads to the row that was left.
    await page.goBack();
    await page.getByRole('link', { name: 'stage-1' }).and(hand.focus).waitFor();
    taken['find what needs me, and the way to answer it'] = await hand.done();

    await hand.press('g', 'w');
    await hand.reaches('Ready work');
    await page.getByRole('row', { name: /Round like a bank/ }).waitFor();
    await hand.press('j', 'Enter');
    await hand.field('Acting as');
    await hand.type('ada');
    await hand.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText(/You hold/).waitFor();
    expect(await hand.focus.getAttribute('role')).toBe('grid');
    taken['claim the best ready node'] = await hand.done();

    await hand.press('g', 'r');
    await hand.reaches('Runs');
    await page.getByText('sums').first().waitFor();
    await hand.walkTo(/sums/);
    await hand.press('Enter');
    await hand.reaches('sums');
    await page.getByRole('row', { name: /adds/ }).waitFor();
    await hand.press('n');
    await hand.reaches('adds');
    await page.getByText('expected 7 but was 19').first().waitFor();
    await hand.press('n');
    await hand.reaches('divides');
    await hand.press('y');
    await expect.poll(clipboard).toBe('npx vitest run sums.test.ts -t divides');
    // The panel gives the focus back.
    await hand.press('Escape');
    taken['see why it failed, and copy the rerun command'] = await hand.done();

    await hand.press('g', 'r');
    await hand.reaches('Runs');
    await page.getByText('sums').first().waitFor();
    await hand.walkTo(/sums/);
    await hand.press('x', 'j', 'x');
    await page
      .getByRole('status', { name: 'News' })
      .filter({ hasText: 'Two runs are chosen. C compares them' })
      .waitFor();
    await hand.press('c');
    await page.getByRole('radio', { name: 'Compare' }).and(page.locator('[aria-checked=true]')).waitFor();
    taken['compare two runs'] = await hand.done();

    await hand.ask('new plan', /New plan/);
    await hand.field('Title');
    await hand.type('Kitchen');
    await hand.press('Enter');
    await hand.reaches('Kitchen');
    await page.getByRole('heading', { name: 'No nodes yet' }).waitFor();
    await hand.ask('paste', /Paste a list/);
    await hand.field('One node per line');
    await hand.type('Third\n  First\nSecond\n');
    await hand.press('Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByText('3 nodes added').waitFor();
    const kitchen = async () => (await on.service.call('GET', '/api/plans/kitchen')).body.nodes;
    expect(await kitchen()).toMatchObject([{ id: 'third', dependsOn: [{}] }, { id: 'first' }, { id: 'second' }]);
    taken['write a plan of three nodes and a dependency'] = await hand.done();

    await hand.ask('kitchen first', /First/);
    await page.getByRole('complementary', { name: 'Node First' }).waitFor();
    await hand.ask('remove first', /Remove First/);
    await page.getByRole('button', { name: 'Remove', exact: true }).and(hand.focus).waitFor();
    await hand.press('Enter');
    // Another node needs it: the refusal leaves the focus on the button, which now forces.
    await page.getByRole('button', { name: 'Remove anyway' }).and(hand.focus).waitFor();
    await hand.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(async () => (await kitchen()).length).toBe(2);
    await hand.press('Control+z');
    await page.getByText('Undone: First removed').waitFor();
    expect(await kitchen()).toHaveLength(3);
    await hand.press('z');
    await page.getByRole('button', { name: 'Undo: 3 nodes added' }).waitFor();
    await hand.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    taken['undo a delete'] = await hand.done();

    for (const [task, keys] of Object.entries(taken)) expect(keys, task).toBeLessThanOrEqual(mostKeys);
    expect(Object.keys(taken)).toHaveLength(6);
  });

  test('hears of every new need on any page, and of every failing test of the run that is open', async () => {
    await using on = await serveNeeds();
    const page = await openPage();
    const heard = (text: string | RegExp) =>
      page.getByRole('status', { name: 'News' }).filter({ hasText: text }).waitFor();
    await page.goto(`${on.service.url}/plans`);
    await page.getByText('Live', { exact: true }).waitFor();
    await on.busy.reportStatus('waiting', { waitingFor: 'permission prompt' });
    await heard('stage-4 waits for you: Waits for a permission.');

    const runId = 'a9c2e1d0-0000-4000-8000-000000000005';
    await page.goto(`${on.service.url}/runs/${runId}`);
    await page.getByRole('row', { name: /price 0/ }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    const failing = ['one', 'two', 'three', 'four'].flatMap((name) => [
      { type: 'scenario_started', runId, uid: `Late/${name}`, attempt: 1 },
      { type: 'scenario_finished', runId, uid: `Late/${name}`, outcome: 'Failed', attempts: 1, errorMessage: 'no' },
    ]);
    await ingest(on.service, failing);
    await heard(/failed\. [123] more failed\./);
    await page.getByRole('link', { name: 'Repositories' }).click();
    await ingest(on.service, [{ ...finish(runId), failed: 5 }]);
    await heard('Run of e2e failed: 5 failures.');
  });
});
