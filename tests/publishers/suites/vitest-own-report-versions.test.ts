import { describe, expect, test } from 'vitest';
import { vitest } from '../frameworks/vitest.ts';
import { createProject, type Project } from '../project.ts';
import { openConsole, type RecordingConsole } from '../recording-console.ts';

const words: Record<string, string> = {
  passed: 'pass',
  failed: 'fail',
  skipped: 'skip',
  pending: 'skip',
  todo: 'skip',
};
const published: Record<string, string> = {
  CleanPass: 'pass',
  PassOnRetry: 'pass',
  Failed: 'fail',
  Aborted: 'fail',
  Skipped: 'skip',
};

type Own = { testResults: { assertionResults: { fullName: string; status: string }[] }[] };

async function ownVerdicts(project: Project, file: string): Promise<string[]> {
  const { testResults } = JSON.parse(await project.read(file)) as Own;
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ fullName, status }) => `${fullName.trim()}: ${words[status] ?? status}`),
  );
}

const nameOf = (uid: string): string => uid.replace(/^.*\.test\.js\//, '');

/** Verdicts by the runner's names: failures outside tests are not tests there, and equal names are not numbered. */
function verdictsOf(console: RecordingConsole): string[] {
  const last = new Map(console.of('scenario_finished').map(({ uid, outcome }) => [uid, outcome]));
  return [...last]
    .filter(([uid]) => !/\((hooks|file)\)$/.test(uid))
    .map(([uid, outcome]) => {
      const name = nameOf(uid)
        .replace(/ #\d+$/, '')
        .replaceAll(' > ', ' ');
      return `${name}: ${published[outcome ?? ''] ?? outcome}`;
    });
}

describe('Vitest, old and new', () => {
  const run = async (project: Project, console: RecordingConsole, ...more: string[]) => {
    const args = [...vitest.args(), '--reporter=json', '--outputFile=own.json', ...more];
    await project.run(args, { SIGNALBOX_URL: console.url, SIGNALBOX_PROBE_MS: '60000' });
    return ownVerdicts(project, 'own.json');
  };

  test('counts: every test has the verdict of the own report, and none is lost', async () => {
    await using console = await openConsole();
    await using project = await createProject(vitest.example.files, vitest.packages);
    const own = await run(project, console);
    expect(verdictsOf(console).sort()).toEqual(own.sort());
    expect(own.length).toBeGreaterThan(9);
    expect(console.of('run_finished')).toMatchObject([{ exitCode: 1 }]);
    const retried = console.of('scenario_finished').filter(({ outcome }) => outcome === 'PassOnRetry');
    expect(retried.map(({ uid }) => nameOf(uid))).toEqual(['cart > flaky']);
  });

  test('shards: each of three by itself has what its own report has, and is green where all passed', async () => {
    const passing = Object.fromEntries(
      ['a', 'b', 'c', 'd'].map((name) => [
        `${name}.test.js`,
        `import { test } from 'vitest'; test('${name}1', () => {}); test('${name}2', () => {});`,
      ]),
    );
    await using project = await createProject(passing, vitest.packages);
    const all: string[] = [];
    for (const index of [1, 2, 3]) {
      await using console = await openConsole();
      const own = await run(project, console, `--shard=${index}/3`);
      expect(verdictsOf(console).sort()).toEqual(own.sort());
      expect(console.of('run_finished')).toMatchObject([{ exitCode: 0, failed: 0, passed: own.length }]);
      all.push(...own);
    }
    expect(all).toHaveLength(8);
  });
});
