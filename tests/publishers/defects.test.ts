import { describe, expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { start } from '../start.ts';
import { cucumber } from './frameworks/cucumber.ts';
import { vitest } from './frameworks/vitest.ts';
import { createProject } from './project.ts';
import { openConsole } from './recording-console.ts';

// Errors that publishers once made with real suites and that the common tests do not cover.

describe('the publishers', () => {
  test('a killed Vitest leaves a run with its expected tests, never shown as complete', async () => {
    await using service = await start({ clock: systemClock, settings: { OrphanSeconds: '3' } });
    await using project = await createProject(vitest.interrupted.files, vitest.packages);
    const { ended, killAll } = project.start(vitest.args(), { SIGNALBOX_URL: service.consoleUrl });
    const runs = async () => (await service.console('GET', '/api/runs')).body;
    await expect.poll(runs).toMatchObject([{ state: 'running', running: 1, passed: 1 }]);
    killAll();
    await ended;
    await expect
      .poll(runs)
      .toMatchObject([{ state: 'orphaned', green: false, totalScenarios: vitest.interrupted.due, passed: 1, lost: 2 }]);
  });

  test('all files of a type check share one lane, which is none of a worker', async () => {
    const checked = (name: string) =>
      `import { expectTypeOf, test } from 'vitest'; test('${name}', () => { expectTypeOf<string>().toBeString(); });`;
    await using console = await openConsole();
    await using project = await createProject(
      {
        'tsconfig.json': '{"compilerOptions":{"strict":true,"noEmit":true,"skipLibCheck":true}}',
        'vitest.config.js': `export default { test: { maxWorkers: 2, typecheck: { enabled: true, include: ['**/*.test-d.ts'] } } };`,
        ...Object.fromEntries(['a', 'b', 'c'].map((name) => [`${name}.test-d.ts`, checked(name)])),
        'd.test.js': `import { test } from 'vitest'; test('runs', () => {});`,
      },
      ['vitest', 'typescript'],
    );
    await project.run(vitest.args(), { SIGNALBOX_URL: console.url });
    expect(console.of('run_finished')).toMatchObject([{ passed: 4, failed: 0 }]);
    const uids = new Map<number, string[]>();
    for (const { lane, uids: some } of console.of('lane_started')) {
      uids.set(lane, [...(uids.get(lane) ?? []), ...some]);
    }
    const types = [...uids].filter(([, some]) => some.some((uid) => uid.includes('test-d.ts')));
    expect(types).toHaveLength(1);
    expect(types[0]?.[1].some((uid) => uid.startsWith('d.test.js'))).toBe(false);
  });

  test('a Vitest test that is reported again after its file has ended has one verdict', async () => {
    await using console = await openConsole();
    await using project = await createProject(
      {
        'cart.test.js': `import { expect, test } from 'vitest';
          let times = 0;
          test('flaky', { retry: 1 }, () => expect(++times).toBe(2));
          test('slow', () => new Promise((resolve) => setTimeout(resolve, 600)));`,
        // Delays Vitest's reports of the first tests until their file has ended, as a busy machine does.
        'busy.js': `const over = Promise.withResolvers();
          export default class { onTestCaseReady() { return over.promise; } onTestModuleEnd() { over.resolve(); } }`,
      },
      vitest.packages,
    );
    await project.run([...vitest.args(), '--reporter=./busy.js'], { SIGNALBOX_URL: console.url });
    const ends = (test: string) =>
      console
        .of('scenario_finished')
        .filter(({ uid }) => uid.endsWith(test))
        .map(({ outcome, attempts }) => [outcome, attempts]);
    expect(ends('flaky')).toEqual([
      ['Failed', 1],
      ['PassOnRetry', 2],
    ]);
    expect(ends('slow')).toEqual([['CleanPass', 1]]);
    expect(console.of('run_finished')).toMatchObject([{ passed: 1, failed: 0, passedOnRetry: 1 }]);
  });

  test('a Cucumber step includes its doc string, and each example has its line number', async () => {
    await using console = await openConsole();
    await using project = await createProject(cucumber.example.files, cucumber.packages);
    await project.run(cucumber.args(), { SIGNALBOX_URL: console.url });
    const quoted = console.of('step_started').find(({ uid }) => uid === 'Cart/quotes');
    expect(quoted?.text).toBe('a word\n"""\nfirst line\nsecond line\n"""');
    const lines = console
      .of('scenario_started')
      .flatMap(({ scenario, line }) => (/^twin/.test(scenario) ? [line] : []));
    expect(lines).toEqual([10, 11]);
  });

  test('Mocha before 12 requires its reporter and gets a constructor', async () => {
    await using project = await createProject({}, []);
    const script = `process.stdout.write(typeof require('signalbox-publisher/mocha').prototype.done)`;
    expect(await project.run(['--input-type=commonjs', '-e', script])).toMatchObject({ code: 0, stdout: 'function' });
  });

  test('a version that is too old is refused in one line, unless publishing is off', async () => {
    await using project = await createProject({}, []);
    const script = `const { default: Reporter } = await import('signalbox-publisher/vitest');
      const reporter = new Reporter(); reporter.onInit({ version: '0.34.6', config: { root: process.cwd() } });`;
    const run = (env: Record<string, string>) => project.run(['--input-type=module', '-e', script], env);
    const line = 'signalbox-publisher needs Vitest 1 or later, and this is 0.34.6; nothing is published.\n';
    expect(await run({})).toMatchObject({ code: 0, stdout: '', stderr: line });
    expect(await run({ SIGNALBOX: '0' })).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });
});
