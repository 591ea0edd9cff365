import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pageAddress } from '../../packages/service/src/cli/page-address.ts';
import { paths } from '../../packages/web/src/paths.ts';
import { cli, signalbox } from '../spawn.ts';
import { start } from '../start.ts';

const plan = `plan: checkout
title: Checkout
nodes:
  - { id: lexer, title: Split prices, binding: { kind: suite } }
  - { id: parser, title: Parse prices, dependsOn: [lexer], binding: { kind: signOff, who: eve } }
`;

/** Runs to its end and returns what a person saw. */
async function said(args: readonly string[], env: Record<string, string>) {
  await using spawned = signalbox(args, env);
  const code = await spawned.ended;
  return { code, out: spawned.out(), err: spawned.err() };
}

/** Like an installation: `signalbox` is on the PATH. */
async function prepared() {
  const service = await start();
  await service.call('PUT', '/api/plans/checkout', plan, { 'content-type': 'application/yaml' });
  const PATH = mkdtempSync(join(tmpdir(), 'signalbox-path-'));
  symlinkSync(cli, join(PATH, 'signalbox'));
  const env = { PATH, SIGNALBOX_SERVICE_URL: service.url, SIGNALBOX_URL: service.consoleUrl };
  return {
    service,
    env,
    async [Symbol.asyncDispose]() {
      rmSync(PATH, { recursive: true });
      await service[Symbol.asyncDispose]();
    },
  };
}

test('a person works through a plan by short commands, each of which suggests the next one', async () => {
  await using scene = await prepared();
  const ada = { ...scene.env, SIGNALBOX_AGENT: 'ada' };
  const ready = await said(['ready'], ada);
  expect(ready.out).toMatch(/^NODE +TITLE +REPOSITORY +UNBLOCKS\ncheckout\/lexer +Split prices +1\n\nNext: /);
  await scene.service.call('PUT', '/api/plans/checkout/nodes/lexer', { priority: 'high' });
  const ordered = await said(['ready'], ada);
  expect(ordered.out).toMatch(/^NODE +TITLE +REPOSITORY +PRIORITY +UNBLOCKS\ncheckout\/lexer +Split prices +high +1\n/);
  const claimed = await said(['claim', 'checkout/lexer', '--minutes', '45'], ada);
  expect([claimed.code, claimed.out]).toEqual([
    0,
    expect.stringMatching(/^Claimed checkout\/lexer as ada until .* UTC \(/),
  ]);
  expect(claimed.out).toContain('signalbox run --node checkout/lexer -- <test command>');
  const lost = await said(['claim', 'checkout/lexer', '--as', 'bob'], ada);
  expect([lost.code, lost.out]).toEqual([
    1,
    expect.stringMatching(/^ada holds checkout\/lexer until .*Choose another node: "signalbox ready"\.\n$/),
  ]);
  const reported = await said(['report', 'checkout/lexer', 'half', 'way'], ada);
  expect(reported.out).toMatch(/^Reported\. You hold checkout\/lexer until /);
  const why = await said(['why', 'checkout/parser'], ada);
  expect(why.out).toMatch(
    /checkout\/parser +blocked +Parse prices\n[\s\S]*needs +checkout\/lexer \(claimed\)[\s\S]*Next: "signalbox why checkout\/lexer"/,
  );
  const released = await said(['release', 'checkout/lexer', '--note', 'tokens done'], ada);
  expect(released.out).toMatch(/^Released checkout\/lexer/);
  const next = await said(['next', '--plan', 'checkout'], scene.env);
  expect(next.out).toContain(`Claimed checkout/lexer as ${userInfo().username} until`);
  expect(next.out).toContain('last note   ada: tokens done');
});

test('a node is signed off by done, and only by the named person', async () => {
  await using scene = await prepared();
  const refused = await said(['done', 'checkout/parser', '--as', 'mallory'], scene.env);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('eve')]);
  const done = await said(['done', 'checkout/parser', '--as', 'eve', '--note', 'read it'], scene.env);
  expect([done.code, done.out]).toEqual([0, 'Signed off checkout/parser as eve.\nNext: "signalbox ready".\n']);
  const plans = await said(['plans'], scene.env);
  expect(plans.out).toMatch(/checkout +1\/2 +1 +0 +0 +Checkout/);
  expect((await said(['claim', 'checkout'], scene.env)).err).toContain('Write it as plan/node');
  expect((await said(['open', 'checkout/parser', '--print'], scene.env)).out).toBe(
    `${scene.service.url}/plans/checkout?node=parser\n`,
  );
});

test('the failures of a run are printed as text, as Markdown, and as annotations with a step summary', async () => {
  await using scene = await prepared();
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-summary-'));
  const report = join(folder, 'ctrf.json');
  const summaryFile = join(folder, 'summary.md');
  writeFileSync(
    report,
    JSON.stringify({
      results: {
        tool: { name: 'jest' },
        summary: {},
        tests: [
          { name: 'adds', status: 'passed', duration: 1, suite: ['cart'] },
          {
            name: 'totals',
            status: 'failed',
            duration: 5,
            message: 'expected 3, got 4\n```js```',
            suite: ['cart'],
            filePath: 'cart.test.ts',
            line: 7,
          },
        ],
      },
    }),
  );
  await said(['import', report], scene.env);
  const runs = await said(['runs'], scene.env);
  expect(runs.out).toMatch(/jest +- +failed +2\/2 +1 passed, 1 failed/);
  const text = await said(['summary'], scene.env);
  expect(text.out).toMatch(
    /^jest failed: 1 passed, 1 failed\n[\s\S]*1\. cart > totals\n {3}cart\.test\.ts:7\n {3}expected 3, got 4\n/,
  );
  const markdown = await said(['summary', '--format', 'markdown'], scene.env);
  expect(markdown.out).toContain('````\nexpected 3, got 4\n```js```\n````');
  const github = await said(['summary', '--format', 'github'], { ...scene.env, GITHUB_STEP_SUMMARY: summaryFile });
  expect(github.out).toBe('::error file=cart.test.ts,line=7,title=cart > totals::expected 3, got 4%0A```js```\n');
  expect(readFileSync(summaryFile, 'utf8')).toBe(`${markdown.out}\n`);
  rmSync(folder, { recursive: true });
});

test('signalbox alone prints the current state and the next command', async () => {
  await using scene = await prepared();
  const { code, out } = await said([], scene.env);
  expect([code, out]).toEqual([
    0,
    `Nothing needs you. ${scene.service.url}\nsessions 0   claimed 0   ready 1   live runs 0\nNext: signalbox ready, or signalbox next to claim the first\n`,
  ]);
  const unreachable = await said([], { SIGNALBOX_SERVICE_URL: 'http://127.0.0.1:1' });
  expect([unreachable.code, unreachable.err]).toEqual([3, expect.stringContaining('signalbox start')]);
});

test('where no signalbox is on the PATH, the next command is shown as it is typed in this checkout', async () => {
  await using scene = await prepared();
  const env = { ...scene.env, SIGNALBOX_AGENT: 'ada', PATH: '/nowhere' };
  const here = `npm --prefix ${join(import.meta.dirname, '../..')} run -s signalbox --`;
  const lastLine = async (...args: string[]) => (await said(args, env)).out.trimEnd().split('\n').at(-1);
  expect(await lastLine()).toBe(`Next: ${here} ready, or ${here} next to claim the first`);
  expect(await lastLine('ready')).toBe(
    `Next: "${here} next" claims the first of them, "${here} claim PLAN/NODE" the one you choose.`,
  );
  expect(await lastLine('why', 'checkout/parser')).toBe(`Next: "${here} why checkout/lexer".`);
  expect(await lastLine('claim', 'checkout/lexer')).toContain(`"${here} submit checkout/lexer" submits it`);
  expect(await lastLine('release', 'checkout/lexer')).toBe(`Next: "${here} ready".`);
});

test('open leads to the addresses of the page', () => {
  expect([pageAddress.start, pageAddress.plan('a b'), pageAddress.node('p', 'n/1'), pageAddress.run('r1')]).toEqual([
    paths.start,
    paths.plan('a b'),
    paths.node('p', 'n/1'),
    paths.run('r1'),
  ]);
});

test('simulate prints when a plan ends, its critical path and what to split first, for a service and for a file', async () => {
  await using scene = await prepared();
  const file = join(mkdtempSync(join(tmpdir(), 'simulate-')), 'checkout.yaml');
  writeFileSync(file, plan);
  const served = await said(['simulate', 'checkout', '--agents', '8', '--minutes', '30'], scene.env);
  expect(served.out).toMatch(
    /^checkout: 2 open nodes, 1 h 0 min of work, 8 agents\.\nEnds about .* UTC \(in 1 h 0 min\)\.\n/,
  );
  expect(served.out).toMatch(/checkout\/lexer +Split prices .*\ncheckout\/parser +Parse prices /);
  expect(served.out).toMatch(
    /Split first: checkout\/(lexer|parser) \(30 min\)\. Splitting it in two lets the plan end 15 min sooner\./,
  );
  const read = await said(['simulate', file, '--minutes', '30', '--failing', '10%', '--seed', '3', '--json'], {});
  expect(JSON.parse(read.out)).toMatchObject({ plan: 'checkout', agents: 4, openNodes: 2, likely: { plays: 101 } });
  const wrong = await said(['simulate', 'nowhere'], scene.env);
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('Unknown plan nowhere.')]);
  rmSync(join(file, '..'), { recursive: true });
});
