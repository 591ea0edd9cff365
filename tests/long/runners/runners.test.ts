import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { createProject } from '../../publishers/project.ts';
import { signalbox } from '../../publishers/signalbox.ts';
import { start } from '../../start.ts';
import { countOfProve, isInstalled, programOf } from './runners.ts';
import { runners } from './small-projects.ts';

type Tried = {
  feature: string;
  scenario: string;
  outcome: string;
  file: string | null;
  line: number | null;
  errorMessage: string | null;
  durationMs: number | null;
};
type Ended = {
  code: number | null;
  stderr: string;
  run: Record<string, unknown>;
  scenarios: Tried[];
  elapsedMs: number;
};

/** Runs a command under `signalbox run`; returns what the console shows. */
async function tried(folder: string, command: readonly string[]): Promise<Ended> {
  await using service = await start();
  const env = { SIGNALBOX_URL: service.consoleUrl, SIGNALBOX_PROBE_MS: '60000' };
  const began = performance.now();
  const { code, stderr } = await signalbox(folder, ['run', '--', ...command], env);
  const elapsedMs = performance.now() - began;
  const [run] = (await service.console('GET', '/api/runs')).body;
  const { scenarios } = (await service.console('GET', `/api/runs/${run.runId}`)).body;
  return { code, stderr, run, scenarios, elapsedMs };
}

const rowsOf = (scenarios: readonly Tried[]) =>
  scenarios.map(({ scenario, outcome }) => `${scenario}: ${outcome}`).sort();
const plain = (row: string) => row.replace(/ #\d+:/, ':');

for (const runner of runners)
  if (!isInstalled(runner)) console.log(`${runner.name} is not installed here, so it is not tried.`);

describe('under signalbox run', () => {
  for (const runner of runners) {
    const { name, files, build, command, own, failures, slow } = runner;
    test.skipIf(!isInstalled(runner))(`${name} is shown as it reports itself, test by test`, async () => {
      await using project = await createProject(files, []);
      if (build) execFileSync(build[0] ?? '', build.slice(1), { cwd: project.folder, stdio: 'ignore' });
      const { code, run, scenarios, elapsedMs } = await tried(project.folder, command);
      expect(rowsOf(scenarios).map(plain).sort()).toEqual(own(project.folder).sort());
      expect(run).toMatchObject({ state: 'finished', lost: 0, green: false });
      expect(code).not.toBe(0);
      const took = scenarios.find(({ scenario }) => scenario === slow?.name)?.durationMs ?? null;
      if (slow === undefined) expect(scenarios.every(({ durationMs }) => durationMs === null)).toBe(true);
      // A sleeping test takes at least that long, and at most as long as the whole run.
      else expect(took).toSatisfy((ms: number) => ms >= slow.ms * 0.9 && ms <= elapsedMs);
      for (const [scenario, { message, file, line }] of Object.entries(failures)) {
        const found = scenarios.find((one) => one.scenario === scenario);
        expect(found).toMatchObject({ outcome: 'Failed', errorMessage: expect.stringContaining(message) });
        if (file !== undefined) expect(found?.file).toBe(file);
        if (line !== undefined) expect(found?.line).toBe(line);
      }
    });
  }

  test.skipIf(programOf('prove') === null)(
    'prove is as many tests as it counts, with the files that broke',
    async () => {
      const files = {
        't/a.t': `use Test::More; ok(1, 'loads'); is(1, 2, 'sums'); subtest 'inner' => sub { plan tests => 1; ok(0, 'in') }; done_testing;`,
        't/b.t': `use Test::More tests => 5; ok(1, 'loads'); die "gone\\n";`,
        't/c.t': `use Test::More; plan skip_all => 'not here';`,
        't/d.t': `use Test::More tests => 1; ok(1, 'loads');`,
      };
      await using project = await createProject(files, []);
      const { scenarios, run } = await tried(project.folder, ['prove', 't/']);
      const tests = scenarios.filter(({ scenario }) => scenario !== '(file)');
      expect(tests).toHaveLength(countOfProve(project.folder, 't/'));
      expect(run).toMatchObject({ green: false, lost: 0 });
      const of = (feature: string, scenario: string) =>
        scenarios.find((one) => one.feature === feature && one.scenario === scenario);
      expect(of('t/a.t', 'sums')).toMatchObject({ errorMessage: "got: '1', expected: '2'", file: 't/a.t', line: 1 });
      expect(of('t/b.t', '(file)')).toMatchObject({ errorMessage: '5 tests were planned, 1 ran.' });
      expect(of('t/c.t', '(file)')).toMatchObject({ outcome: 'Skipped' });
    },
  );

  test.skipIf(programOf('go') === null)('a slow test of Go is shown before it ends', async () => {
    await using service = await start();
    const slow =
      'package shop\n\nimport (\n\t"os"\n\t"testing"\n\t"time"\n)\n\nfunc TestSlow(t *testing.T) {\n\tfor {\n\t\tif _, err := os.Stat("seen"); err == nil {\n\t\t\treturn\n\t\t}\n\t\ttime.Sleep(20 * time.Millisecond)\n\t}\n}\n';
    await using project = await createProject({ 'go.mod': 'module shop\n', 'a_test.go': slow }, []);
    const ended = signalbox(project.folder, ['run', '--', 'go', 'test', '-json', '.'], {
      SIGNALBOX_URL: service.consoleUrl,
    });
    const list = async () => (await service.console('GET', '/api/runs')).body;
    await expect.poll(list).toMatchObject([{ state: 'running', scenarios: 1, running: 1 }]);
    execFileSync('touch', ['seen'], { cwd: project.folder });
    await ended;
    expect(await list()).toMatchObject([{ state: 'finished', passed: 1, green: true }]);
  });
});
