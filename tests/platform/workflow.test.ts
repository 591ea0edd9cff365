import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';

const root = join(import.meta.dirname, '../..');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const workflow = parseDocument(textOf('.github/workflows/test.yml'), { strict: true, uniqueKeys: true });

test('the workflow is read without a fault, runs on Linux and macOS, and in a zone that is not UTC', () => {
  expect([...workflow.errors, ...workflow.warnings]).toEqual([]);
  const { strategy, env } = workflow.toJS().jobs.test;
  expect(strategy.matrix).toEqual({ os: ['ubuntu-latest', 'macos-latest'], node: ['22.13', '24'] });
  expect(env).toMatchObject({ TZ: 'Asia/Kolkata', SIGNALBOX_NO_OTHER_SKIPS: '1' });
});

test('every script that the workflow runs is one of the project', () => {
  const { scripts } = JSON.parse(textOf('package.json'));
  const steps: { run?: string }[] = workflow.toJS().jobs.test.steps;
  const named = steps.flatMap(({ run = '' }) => /^npm run (\S+)/.exec(run)?.[1] ?? []);
  expect(named).toEqual(['signalbox', 'test:package', 'test:console']);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('every file that may skip tests is there', () => {
  const allowed: Record<string, string[]> = JSON.parse(textOf('tests/allowed-skips.json'));
  const files = new Set(globSync('tests/**/*.test.ts', { cwd: root }));
  expect(
    Object.values(allowed)
      .flat()
      .filter((file) => !files.has(file)),
  ).toEqual([]);
});

// Without it the shell that npm starts stays between a supervisor and the service, and does not pass SIGTERM on.
const shellOfStart = 'exec node packages/service/dist/cli/bin.js start';

test('the scripts of the project use no words of one shell, but for the one that hands signals on', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  expect(Object.entries(scripts).filter(([, text]) => /^exec |&&|\$|[|;><`]|^\w+=/.test(text))).toEqual([
    ['start', shellOfStart],
  ]);
});
