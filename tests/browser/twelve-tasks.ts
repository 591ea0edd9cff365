import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

type Count = { clicks: number; keys: number; steps: number };

/** The keystroke-level model: 0.28 s a key, 1.3 s to point and click, 1.35 s to think before each step. */
const pace = { keyMs: 280, clickMs: 1_300, thinkMs: 1_350 };

/**
 * Acts on a page and counts: a chord is one key, a text as many keys as it has letters, a paste one. `isPaced` moves as
 * slowly as a person.
 */
export function handOn(page: Page, isPaced: boolean) {
  const count: Count = { clicks: 0, keys: 0, steps: 0 };
  const take = (ms: number) => (isPaced ? page.waitForTimeout(ms) : undefined);
  return {
    count,
    async click(what: Locator) {
      count.clicks += 1;
      count.steps += 1;
      await take(pace.thinkMs + pace.clickMs);
      await what.click();
    },
    async press(key: string) {
      count.keys += 1;
      count.steps += 1;
      await take(pace.thinkMs + pace.keyMs);
      await page.keyboard.press(key);
    },
    async type(text: string) {
      count.keys += text.length;
      count.steps += 1;
      await take(pace.thinkMs);
      await page.keyboard.type(text, isPaced ? { delay: pace.keyMs } : {});
    },
    /** One click opens the choices, one selects the choice. */
    async choose(field: Locator, value: string) {
      count.clicks += 2;
      count.steps += 1;
      await take(pace.thinkMs + 2 * pace.clickMs);
      await field.selectOption(value);
    },
    async paste(field: Locator, text: string) {
      count.keys += 1;
      count.steps += 1;
      await take(pace.thinkMs + pace.keyMs);
      await field.fill(text);
    },
  };
}

const secondsOf = ({ clicks, keys, steps }: Count): number =>
  Math.round((keys * pace.keyMs + clicks * pace.clickMs + steps * pace.thinkMs) / 100) / 10;

const many = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;
export const textOf = (count: Count): string =>
  `${many(count.clicks, 'click')}, ${many(count.keys, 'key')}, ${secondsOf(count)} s`;

type Hand = ReturnType<typeof handOn>;
type Task = readonly [name: string, walk: (page: Page, hand: Hand) => Promise<void>];

/** Types a text into the palette, and Enter selects the first answer. */
async function ask(page: Page, hand: Hand, text: string, answer: RegExp): Promise<Locator> {
  await hand.press('Control+k');
  await page.getByRole('combobox').waitFor();
  await hand.type(text);
  const option = page.getByRole('option').first();
  await option.filter({ hasText: answer }).waitFor();
  return option;
}

/** Keys go to the focused element, so this waits until a dialog has taken the focus. */
const isFocused = (page: Page, label: string) => page.getByLabel(label).and(page.locator(':focus')).waitFor();

const dialogGone = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' });

export const tasks: readonly Task[] = [
  ['see whether an agent waits for me', async (page) => expect(await page.title()).toMatch(/^\(\d+\) /)],
  [
    'open the agent that waits',
    async (page, hand) => {
      await hand.click(page.getByRole('link', { name: 'stage-1' }));
      await page.getByRole('heading', { name: 'stage-1' }).waitFor();
    },
  ],
  [
    'take over an orphaned claim',
    (page, hand) => hand.click(page.getByRole('button', { name: 'Copy resume command' })),
  ],
  [
    'find who holds a node',
    async (page, hand) => {
      await ask(page, hand, 'price parser', /haiku-fjord/);
      await page.keyboard.press('Escape');
      await page.getByRole('combobox').waitFor({ state: 'detached' });
    },
  ],
  [
    'see why a node is blocked and open what blocks it',
    async (page, hand) => {
      await ask(page, hand, 'totals', /Totals/);
      await hand.press('Enter');
      await hand.click(page.getByRole('link', { name: 'Waits for Round like a bank' }));
      await page.getByRole('heading', { name: 'Round like a bank' }).waitFor();
    },
  ],
  [
    'write a plan of ten nodes from a list',
    async (page, hand) => {
      await ask(page, hand, 'new plan', /New plan/);
      await hand.press('Enter');
      await isFocused(page, 'Title');
      await hand.type('Payments');
      await hand.press('Enter');
      await page.getByRole('heading', { name: 'No nodes yet' }).waitFor();
      await hand.click(page.getByRole('button', { name: 'Paste a list' }));
      const lines = Array.from({ length: 10 }, (_, at) => `- Step ${at + 1}`).join('\n');
      await hand.paste(page.getByLabel('One node per line'), lines);
      await hand.click(page.getByRole('button', { name: 'Add 10 nodes' }));
      await dialogGone(page);
    },
  ],
  [
    'draw a dependency between two nodes',
    async (page, hand) => {
      await ask(page, hand, 'prices', /Prices/);
      await hand.press('Enter');
      const graph = page.getByRole('listbox', { name: 'Plan graph' });
      await hand.click(graph.getByRole('option', { name: /Currency table/ }));
      await hand.press('l');
      await page.getByRole('status').filter({ hasText: 'What waits for' }).waitFor();
      await hand.click(graph.getByRole('option', { name: /All prices are right/ }));
      await page.getByRole('heading', { name: 'All prices are right' }).waitFor();
      await graph.focus();
      await hand.press('Enter');
      await page.getByText('All prices are right waits for Currency table').waitFor();
    },
  ],
  [
    'claim the best ready node',
    async (page, hand) => {
      await ask(page, hand, 'claim', /Claim/);
      await hand.press('Enter');
      await isFocused(page, 'Acting as');
      await hand.type('ada');
      await hand.press('Enter');
      await dialogGone(page);
    },
  ],
  [
    'from failed evidence to the failing run',
    async (page, hand) => {
      await hand.click(page.getByRole('link', { name: 'Open failing run' }));
      await page.getByText('shop.specs').first().waitFor();
    },
  ],
  [
    'remove an unused worktree without losing work',
    async (page, hand) => {
      await hand.click(page.getByRole('link', { name: 'Check and clean up' }));
      await page.getByText('1 file not committed').waitFor();
      await hand.click(page.getByRole('button', { name: 'Copy command' }));
    },
  ],
  [
    'see which sessions are live',
    async (page, hand) => {
      await hand.click(page.getByRole('link', { name: '3 live sessions' }));
      await page.getByRole('button', { name: 'Only live' }).waitFor();
    },
  ],
  [
    'make a token for CI',
    async (page, hand) => {
      await ask(page, hand, 'tokens', /Tokens/);
      await hand.press('Enter');
      await hand.click(page.getByRole('button', { name: 'New token' }));
      await isFocused(page, 'Name');
      await hand.type('ci');
      await hand.choose(page.getByLabel('May'), 'publish');
      await hand.click(page.getByRole('button', { name: 'Create token' }));
      await page.getByText('Shown once.').waitFor();
    },
  ],
];
