import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MonitorEvent } from '../../../packages/publisher/src/events.ts';
import { buildPublisher } from '../build.ts';
import { openConsole, type RecordingConsole } from '../recording-console.ts';
import type { OwnTest } from './own-report.ts';
import { installPublisher, type ProjectRunner, runnerOf } from './runners.ts';
import { spawnAsync } from './spawn-async.ts';

export type Counts = { passed: number; failed: number; skipped: number };
export type Difference = { test: string; what: string; own: string; told: string };
export type Comparison = { runner: string; own: Counts; told: Counts; differences: Difference[] };

/** Runs the suite of a checkout once, with the runner's own report next to ours, and compares the two test by test. */
export async function compareProject(folder: string): Promise<Comparison | null> {
  const runner = runnerOf(folder);
  if (!runner) return null;
  await buildPublisher();
  installPublisher(folder);
  const console = await openConsole();
  const out = mkdtempSync(join(tmpdir(), 'signalbox-own-'));
  try {
    const { command, env } = runner.told(join(out, 'own.json'));
    const { code } = await spawnAsync(command, folder, {
      ...env,
      SIGNALBOX_URL: console.url,
      SIGNALBOX_PROBE_MS: '60000',
    });
    const own = ownTests(runner, folder, join(out, 'own.json'));
    const told = toldTests(console);
    const differences = [...differencesOf(own, told, runner), ...runDifferences(console, code)];
    return { runner: runner.name, own: count(own), told: count(told), differences };
  } finally {
    await console[Symbol.asyncDispose]();
    rmSync(out, { recursive: true, force: true });
  }
}

function ownTests(runner: ProjectRunner, folder: string, report: string): OwnTest[] {
  const root = spawnSync('git', ['rev-parse', '--show-toplevel'], { cwd: folder, encoding: 'utf8' }).stdout.trim();
  return existsSync(report) ? runner.own(readFileSync(report, 'utf8'), root || folder) : [];
}

/** An expected test that was never reported makes a run red although every test passed. */
function runDifferences({ of }: RecordingConsole, code: number | null): Difference[] {
  const due = Math.max(0, ...of('run_started').map(({ totalScenarios }) => totalScenarios ?? 0));
  const lost = Math.max(0, due - new Set(of('scenario_finished').map(({ uid }) => uid)).size);
  const isGreen = of('run_finished').at(-1)?.exitCode === 0;
  return [
    ...(lost === 0 ? [] : [{ test: 'the run', what: 'the count of lost tests', own: '0', told: `${lost}` }]),
    ...(isGreen === (code === 0) ? [] : [{ test: 'the run', what: 'green', own: `${code === 0}`, told: `${isGreen}` }]),
  ];
}

type Finished = Extract<MonitorEvent, { type: 'scenario_finished' }>;

/** Every reported test, by its last verdict; hooks, and files that stand for themselves, are not tests of the runner. */
function toldTests({ of }: RecordingConsole): OwnTest[] {
  const last = new Map<string, Finished>(of('scenario_finished').map((event) => [event.uid, event]));
  const started = new Map(of('scenario_started').map((event) => [event.uid, event]));
  return [...started.values()].flatMap(({ uid, file, path = [], line = null }) => {
    const title = path?.at(-1) ?? '';
    if (/^\((file|hooks)\)$|^(before|after)(Each)? hook$|^"\w+ \w+" hook/.test(title)) return [];
    const outcome = last.get(uid)?.outcome;
    const state = outcome === 'Skipped' ? 'skipped' : /Pass/.test(outcome ?? '') ? 'passed' : 'failed';
    return [{ file: file ?? '', path: path ?? [], state, line, retried: outcome === 'PassOnRetry' } as OwnTest];
  });
}

function count(tests: readonly OwnTest[]): Counts {
  const of = (state: OwnTest['state']) => tests.filter((test) => test.state === state).length;
  return { passed: of('passed'), failed: of('failed'), skipped: of('skipped') };
}

/** Tests with the same name are compared in order. */
function differencesOf(own: readonly OwnTest[], told: readonly OwnTest[], runner: ProjectRunner): Difference[] {
  const keyOf = ({ file, path }: OwnTest) => `${file} > ${path.join(runner.joined ? ' ' : ' > ')}`;
  const waiting = Map.groupBy(told, keyOf);
  const differences: Difference[] = [];
  for (const test of own) {
    const name = keyOf(test);
    const same = waiting.get(name) ?? [];
    const at = Math.max(
      0,
      same.findIndex(({ state }) => state === test.state),
    );
    const [found] = same.splice(at, 1);
    if (!found) differences.push({ test: name, what: 'the test', own: test.state, told: 'unknown' });
    else {
      if (found.state !== test.state)
        differences.push({ test: name, what: 'the verdict', own: test.state, told: found.state });
      if (test.line !== null && found.line !== test.line) {
        differences.push({ test: name, what: 'the line', own: `${test.line}`, told: `${found.line}` });
      }
      if (test.retried !== null && found.retried !== test.retried) {
        differences.push({ test: name, what: 'a retry', own: `${test.retried}`, told: `${found.retried}` });
      }
    }
  }
  for (const [name, left] of waiting) {
    for (const { state } of left) differences.push({ test: name, what: 'the test', own: 'unknown', told: state });
  }
  return differences;
}
