import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { executablePath, launch } from '../../browser/chromium.ts';
import { viaEvents } from '../../hub/clients.ts';
import { measured } from './measured.ts';
import { claimIn, playing, type Script, type Seen } from './model/script.ts';
import { programOf } from './programs.ts';
import { gate, git, isInstalled, openRig, type Rig } from './rig.ts';

const claude = programOf('claude-code');
const price = 'price.ts';
/** Trees are read whole this often without a hint: a change seen sooner was seen by the watches. */
const wholeLookMs = 30_000;
const lines = Array.from({ length: 40 }, (_, at) => `line ${at + 1}\n`).join('');

describe.runIf(isInstalled('claude-code'))('Two Claude Codes in two worktrees', () => {
  let rig: Rig;
  beforeAll(async () => {
    rig = await openRig(['--hooks']);
    await writeFile(join(rig.place.project, price), lines);
    git(rig.place.project, 'add', '-A');
    git(rig.place.project, 'commit', '-q', '-m', 'Prices');
    await rig.newPlan('shop', ['lexer', 'refund']);
  });
  afterAll(() => rig?.[Symbol.asyncDispose]());

  /** An agent in its own worktree that holds a node: it edits, edits again, reports, and restores the file. */
  function agent(name: string, node: string) {
    const tree = join(rig.place.project, `.claude/worktrees/${name}`);
    git(rig.place.project, 'worktree', 'add', '-q', '-b', `work-${name}`, tree);
    const file = join(tree, price);
    const may = { edit: gate(), editAgain: gate(), report: gate(), revert: gate(), end: gate() };
    const told = { beside: '', report: '' };
    const note = `${name} changes line 3 of ${price}`;
    const edit = (from: string, to: string) => ({
      tool: 'Edit',
      input: { file_path: file, old_string: `${from}\n`, new_string: `${to}\n` },
    });
    const script: Script = [
      { signalbox: 'claim_node', input: { plan: 'shop', node, agent: name } },
      { tool: 'Read', input: { file_path: file } },
      { ...edit('line 3', `three of ${name}`), after: may.edit.opened },
      { ...edit('line 4', `four of ${name}`), after: may.editAgain.opened },
      {
        signalbox: 'report_node',
        after: may.report.opened,
        input: (seen: Seen, words: string) => {
          told.beside = words;
          return { ...claimIn(seen), agent: name, note };
        },
      },
      {
        shell: (seen: Seen) => {
          told.report = seen.at(-1) ?? '';
          return `git checkout -q -- ${price}`;
        },
        after: may.revert.opened,
      },
      { say: 'Done.', after: may.end.opened },
    ];
    rig.model.plays(name, script);
    const running = rig.start(claude, [...claude.headless(playing(name)), '--permission-mode', 'acceptEdits'], tree);
    const reads = (text: string) => async () => (await readFile(file, 'utf8')).includes(text);
    return {
      may,
      told,
      running,
      holds: () => rig.until(() => claimed(node), `${name} holds ${node}: ${running.output()}`),
      reported: () => rig.until(async () => (await noteOf(node)) === note, `a report of ${name}: ${running.output()}`),
      wrote: (text: string) => rig.until(reads(text), `${name} wrote "${text}": ${running.output()}`),
      /** By the file system, which records when it was written. */
      wroteAt: async () => (await stat(file)).mtimeMs,
    };
  }
  const claimed = async (node: string) =>
    (await rig.sessions(claude.id)).find(({ claims }) => claims.some((one) => one.node === node));
  const noteOf = async (node: string) => (await rig.call('GET', `/api/plans/shop/nodes/${node}`)).body.claim?.note;
  const overlaps = async (): Promise<{ path: string; kind: string }[]> =>
    (await rig.call('GET', '/api/overlaps')).body.items;
  const changesOf = async () => (await rig.call('GET', '/api/changes')).body.items[0]?.trees ?? [];

  /** The page of changes, if there is a browser: settles when the row appears, and when it is gone. */
  async function openChanges(): Promise<{ shown(): Promise<unknown>; gone(): Promise<unknown> } | null> {
    if (!executablePath) return null;
    const browser = await launch();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(`${rig.url}/changes`);
    const grid = page.getByRole('grid', { name: 'Changed files of acme/shop' });
    await grid.waitFor();
    const row = grid.getByRole('row').filter({ hasText: price }).filter({ hasText: 'same lines' });
    return { shown: () => row.waitFor(), gone: () => row.waitFor({ state: 'detached' }) };
  }

  /** When each of them settled, in milliseconds since the file was written. */
  async function measuredAll(what: string, wroteAt: () => Promise<number>, seen: Record<string, Promise<unknown>>) {
    const at = Object.entries(seen).map(async ([name, one]) => [name, await one.then(() => Date.now())] as const);
    const all = await Promise.all(at);
    const since = await wroteAt();
    const took = all.map(([name, when]) => [name, Math.round(when - since)] as const);
    for (const [name, ms] of took) measured(`two Claude Codes, ${what} by ${name}`, ms, wholeLookMs);
  }

  test('that change one file are both told at once, and it is over when one puts the file back', async () => {
    const ada = agent('ada', 'lexer');
    const bob = agent('bob', 'refund');
    await Promise.all([ada.holds(), bob.holds()]);
    ada.may.edit.open();
    await ada.wrote('three of ada');
    await rig.until(async () => (await changesOf()).some(({ files }: { files: object[] }) => files.length > 0), 'ada');
    expect(await overlaps()).toEqual([]);

    await using began = await viaEvents(rig, '?types=overlap_changed');
    const page = await openChanges();
    const isShared = async () => (await overlaps()).some(({ path, kind }) => path === price && kind === 'same_lines');
    const isHeard = ({ data }: { data: { paths: readonly string[] } }) => data.paths.includes(price);
    const shared = {
      'GET /api/overlaps': rig.until(isShared, 'an overlap'),
      overlap_changed: began.untilOne(isHeard),
      ...(page && { 'the page': page.shown() }),
    };
    bob.may.edit.open();
    await bob.wrote('three of bob');
    await measuredAll('the second write is seen', bob.wroteAt, shared);

    for (const { may } of [ada, bob]) {
      may.editAgain.open();
      may.report.open();
    }
    await Promise.all([ada.reported(), bob.reported()]);

    await using ended = await viaEvents(rig, '?types=overlap_changed');
    const over = {
      'GET /api/overlaps': rig.until(async () => (await overlaps()).length === 0, 'no overlap'),
      overlap_changed: ended.untilOne(isHeard),
      ...(page && { 'the page': page.gone() }),
    };
    bob.may.revert.open();
    await bob.wrote('line 3\nline 4\n');
    await measuredAll('a revert is seen', bob.wroteAt, over);
    ada.may.revert.open();
    for (const { may } of [ada, bob]) may.end.open();
    await Promise.all([ada.running.ended, bob.running.ended]);

    const others = { ada: 'shop/refund', bob: 'shop/lexer' };
    for (const [name, { told }] of Object.entries({ ada, bob })) {
      const other = others[name as keyof typeof others];
      expect.soft(told.beside, `the hook told ${name}`).toContain(`${other} also changes ${price}`);
      expect.soft(told.report, `the report told ${name}`).toMatch(/"kind":\s*"same_lines"/);
      expect.soft(told.report).toContain(`"with":"${other}"`);
    }
  });
});
