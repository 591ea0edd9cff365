import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, relative } from 'node:path';
import { findOrFetchBrowser } from '../tests/browser/find-browser.ts';
import { changedFiles } from './changed-files.ts';
import { type LongPart, longParts } from './long-parts.ts';
import { type FailedTest, type Figure, type PartResult, withResults } from './long-report.ts';

// Measures speed and endurance: `npm run test:long` runs every part in full (hours) and writes its figures into
// docs/faults.md; `npm run test:long -- kills disk` runs only those; `--short` runs a short form and writes nothing; `--changed` picks the parts affected by this change.
const root = join(import.meta.dirname, '..');
const words = process.argv.slice(2);
const isShort = words.includes('--short');
const unknown = words.filter((word) => !['--short', '--changed'].includes(word) && !(word in longParts));
if (unknown.length > 0) {
  const list = Object.entries(longParts).map(([name, { shows }]) => `  ${name.padEnd(10)} ${shows}`);
  process.stderr.write(`Unknown part ${unknown.join(', ')}. The parts are:\n${list.join('\n')}\n`);
  process.exit(2);
}

function chosenParts(): string[] {
  const named = words.filter((word) => word in longParts);
  if (!words.includes('--changed')) return named.length > 0 ? named : Object.keys(longParts);
  const changed = changedFiles(root);
  const isTouched = ({ sources }: LongPart) =>
    sources.some((source) => changed?.some((file) => file === source || file.startsWith(`${source}/`)) ?? true);
  return Object.keys(longParts).filter((name) => isTouched(longParts[name] as LongPart));
}

const folder = mkdtempSync(join(tmpdir(), 'signalbox-long-'));
const figuresFile = join(folder, 'figures.ndjson');
const reportFile = join(folder, 'report.json');

const env: NodeJS.ProcessEnv = {
  ...process.env,
  PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
  ...(isShort ? { SIGNALBOX_LONG: 'short' } : { SIGNALBOX_LONG: 'whole', SIGNALBOX_FIGURES: figuresFile }),
};

function runPart(name: string, { run }: LongPart): PartResult {
  const began = performance.now();
  const { status } =
    'script' in run
      ? spawnSync('node', [run.script, ...(isShort ? run.short : run.whole)], { cwd: root, env, stdio: 'inherit' })
      : spawnSync(
          'vitest',
          ['run', ...run.vitest, '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`],
          { cwd: root, env, stdio: 'inherit' },
        );
  const { passed, failed } = 'script' in run ? { passed: null, failed: [] } : verdictsIn(reportFile);
  const seconds = Math.round((performance.now() - began) / 1000);
  return { name, isGreen: status === 0, passed, failed, seconds };
}

function verdictsIn(file: string): { passed: number; failed: FailedTest[] } {
  type Assertion = { title: string; status: string; failureMessages?: string[] };
  type TestFile = { name: string; status: string; message?: string; assertionResults: Assertion[] };
  type Report = { numPassedTests: number; testResults: TestFile[] };
  if (!existsSync(file)) return { passed: 0, failed: [{ title: 'the tests did not start', why: '' }] };
  const { numPassedTests, testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  rmSync(file);
  const failed = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const ofTests = assertionResults.filter((one) => one.status === 'failed');
    if (ofTests.length === 0 && status === 'failed') return [{ title: relative(root, name), why: messageIn(message) }];
    return ofTests.map(({ title, failureMessages }) => ({ title, why: messageIn(failureMessages?.[0]) }));
  });
  return { passed: numPassedTests, failed };
}

/** The message without the stack. */
const messageIn = (text = ''): string => text.split('\n    at ')[0]?.split('\n').slice(0, 8).join('\n          ') ?? '';

const figuresIn = (file: string): Figure[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Figure)
    : [];

const parts = chosenParts();
process.stdout.write(
  `${isShort ? 'Short form of' : 'Whole'}: ${parts.join(', ') || 'nothing that this change touches'}\n`,
);
if (parts.includes('load')) {
  const browser = findOrFetchBrowser(process.env);
  Object.assign(env, 'path' in browser ? { CHROMIUM: browser.path } : { SIGNALBOX_NO_BROWSER: browser.reason });
}
const results = parts.map((name) => runPart(name, longParts[name] as LongPart));
for (const { name, isGreen, failed, seconds } of results) {
  process.stdout.write(`${isGreen ? 'ok    ' : 'FAILED'}  ${name.padEnd(10)} ${seconds} s\n`);
  for (const { title, why } of failed) process.stdout.write(`        ${title}\n          ${why}\n`);
}
if (!isShort) {
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).stdout.trim();
  const page = join(root, 'docs/faults.md');
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync(
    page,
    withResults(readFileSync(page, 'utf8'), { commit, date, results, figures: figuresIn(figuresFile) }),
  );
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = results.every(({ isGreen }) => isGreen) ? 0 : 1;
