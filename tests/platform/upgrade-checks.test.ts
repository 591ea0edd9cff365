import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../packages/service/src/app/config.ts';
import { checkUpgrade } from '../../packages/service/src/app/upgrade-checks.ts';
import { stepsOf } from '../../packages/service/src/cli/upgrade-command.ts';

const changes = readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8');

/** The start of each line of "What you must do", and the check of `upgrade --check` that covers it; `steps` are its numbered ones. */
const covered: Record<string, string> = {
  'Numbers of the configuration are whole and have bounds': 'settings',
  'Upgrade `signalbox-client` with the service': 'your clients',
  '`signalbox console` listens on': 'your scripts',
  'A run that was ejected by hand no longer reopens its nodes': 'your own calls',
  'A `signalbox.json` in the working directory may set': 'settings',
  'The tests that `signalbox run` starts find a token': 'your tests',
  'Bindings and repositories named': 'your own calls',
  '`signalbox upgrade --check` lists the steps': 'steps',
  '`Service:Token` has at least 16 characters': 'settings',
  '`sign_off_node` names who signs': 'your own calls',
  'What decides over trust': 'settings',
  '`previous` of a claim is gone': 'your own calls',
  'Run ids and sources that Windows reserves': 'run ids',
  'A suite proves a node only by a counted pass': 'suite proof',
  '`signalbox` alone says how things stand': 'your scripts',
  '`signalbox demo` plays a story': 'your scripts',
};

const linesOf = (text: string): string[] =>
  [...text.matchAll(/^### What you must do\n([\s\S]*?)^###? /gm)].flatMap(([, section = '']) =>
    section.split(/^- /m).slice(1),
  );

test('every line of "What you must do" since 0.1.0 is covered by upgrade --check', async () => {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-upgrade-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const { config } = readConfig({ env: { HOME: home }, args: [], cwd: home, home });
  const checks = await checkUpgrade(config, null);
  const abouts = checks.map(({ about }) => about);
  const lines = linesOf(changes);
  const begins = Object.keys(covered);
  expect(lines.filter((line) => !begins.some((begin) => line.startsWith(begin)))).toEqual([]);
  expect(begins.filter((begin) => !lines.some((line) => line.startsWith(begin)))).toEqual([]);
  expect(abouts).toEqual(expect.arrayContaining(Object.values(covered).filter((about) => about !== 'steps')));
  const store = { found: 1, newest: 3 };
  const found = { program: '0.3.0', service: null, running: null, dataPath: home, database: null, store, checks };
  expect(stepsOf(found).join('\n')).toMatch(/signalbox backup[\s\S]*"What you must do"[\s\S]*Stop the service/);
});
