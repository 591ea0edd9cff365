import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { start } from '../../start.ts';
import { tellsTheTruth } from '../frameworks/tells-the-truth.ts';
import { vitest } from '../frameworks/vitest.ts';
import { createProject, type Project } from '../project.ts';

tellsTheTruth(vitest);

const use = `import { expectTypeOf, test } from 'vitest';\n`;
/** Three files in two projects, and one file with types. */
const files = {
  'vitest.config.mjs': `const each = (name) => ({ test: { name, include: ['tests/**/*.test.ts'], typecheck: { enabled: name === 'dark', include: ['types/*.test-d.ts'] } } });
export default { test: { projects: [each('light'), each('dark')] } };`,
  'tests/a.test.ts': `${use} test('a1', () => {}); test('a2', () => {});`,
  'tests/b.test.ts': `${use} test('b1', () => {});`,
  'tests/c.test.ts': `${use} test('c1', () => {}); test.skip('c2', () => {});`,
  'types/t.test-d.ts': `${use} test('t1', () => { expectTypeOf<string>().toEqualTypeOf<string>(); });`,
  'tsconfig.json':
    '{"compilerOptions":{"strict":true,"module":"esnext","moduleResolution":"bundler","target":"es2022","noEmit":true,"skipLibCheck":true}}',
};

type Own = { testResults: { assertionResults: { title: string; status: string }[] }[] };

async function ownReport(project: Project, file: string): Promise<string[]> {
  const { testResults } = JSON.parse(await project.read(file)) as Own;
  const words: Record<string, string> = { passed: 'CleanPass', skipped: 'Skipped', pending: 'Skipped' };
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ title, status }) => `${title}: ${words[status] ?? status}`),
  );
}

type Published = { run: Record<string, unknown>; scenarios: { scenario: string; outcome: string }[] };
const verdicts = ({ scenarios }: Published) => scenarios.map(({ scenario, outcome }) => `${scenario}: ${outcome}`);

describe('Vitest tells', () => {
  const args = (index: number | string, ...more: readonly string[]) => [
    ...vitest.args(),
    '--reporter=json',
    `--outputFile=own-${index}.json`,
    ...more,
  ];

  test('modes: the expected tests are those of this shard, project, type check or change', async () => {
    await using service = await start();
    await using project = await createProject(files, ['vitest', 'typescript']);
    /** Repeated if the machine was too busy for the time that a publisher waits for its console. */
    const published = async (
      name: string,
      run: (env: Record<string, string>) => Promise<unknown>,
      times = 3,
    ): Promise<Published> => {
      const runId = `${name}-${times}`;
      await run({ SIGNALBOX_URL: service.consoleUrl, SIGNALBOX_RUN_ID: runId });
      const { body } = await service.console('GET', `/api/runs/${runId}`);
      return body.run?.state === 'finished' || times === 1 ? body : published(name, run, times - 1);
    };
    let whole: string[] = [];
    const sharded = await published('sharded', async (env) => {
      whole = [];
      for (const index of [1, 2, 3]) {
        const more = { ...env, SIGNALBOX_SHARD: `${index}/3` };
        const { code } = await project.run(args(index, `--shard=${index}/3`, '--passWithNoTests'), more);
        expect(code).toBe(0);
        whole.push(...(await ownReport(project, `own-${index}.json`)));
      }
    });
    expect(sharded.run).toMatchObject({ green: true, lost: 0, totalScenarios: whole.length, exitCode: 0 });
    expect(verdicts(sharded).sort()).toEqual(whole.sort());
    expect(whole).toHaveLength(11);

    const alone = await published('alone', (env) =>
      project.run(args('alone', '--shard=2/3', '--passWithNoTests'), env),
    );
    expect(alone.run).toMatchObject({ green: true, lost: 0 });
    expect(verdicts(alone).sort()).toEqual((await ownReport(project, 'own-alone.json')).sort());

    const git = (...words: string[]) =>
      execFileSync('git', ['-C', project.folder, '-c', 'user.name=a', '-c', 'user.email=a@b', ...words]);
    git('init', '-q');
    git('add', 'tests', 'types', ...Object.keys(files).filter((file) => !file.includes('/')), 'package.json');
    git('commit', '-qm', 'first');
    execFileSync('sh', ['-c', 'echo "// changed" >> tests/b.test.ts'], { cwd: project.folder });
    const changed = await published('changed', (env) =>
      project.run(args('changed', '--changed', '--project=light'), env),
    );
    expect(changed.run).toMatchObject({ green: true, lost: 0, totalScenarios: 1 });
    expect(verdicts(changed)).toEqual(await ownReport(project, 'own-changed.json'));
  });
});
