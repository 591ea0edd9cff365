import { existsSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { vitest } from '../frameworks/vitest.ts';
import { binOf, createProject, type Project } from '../project.ts';
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

type Own = { testResults: { assertionResults: { title: string; status: string }[] }[] };

/** The runner's own verdict of each test. */
async function ownVerdicts(project: Project): Promise<string[]> {
  const { testResults } = JSON.parse(await project.read('own.json')) as Own;
  return testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ title, status }) => `${title}: ${words[status] ?? status}`),
  );
}

/** The published verdicts: the last part of each title, without its project. */
function verdictsOf(console: RecordingConsole): string[] {
  const last = new Map(console.of('scenario_finished').map(({ uid, outcome }) => [uid, outcome ?? '']));
  return [...last].map(([uid, outcome]) => `${uid.split(/\/|> /).at(-1)}: ${published[outcome] ?? outcome}`);
}

const use = `import { expectTypeOf, test } from 'vitest';\n`;
const each = `const each = (name) => ({ test: { name, include: ['tests/**/*.test.ts'], typecheck: { enabled: name === 'dark', include: ['types/*.test-d.ts'] } } });`;

const browserPackage = ['@vitest/browser-playwright', '@vitest/browser'].find((name) => existsSync(binOf(name)));
const chromium = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';
const launch = `{ executablePath: ${JSON.stringify(chromium)}, args: ['--no-sandbox'] }`;
/** Versions configure the browser differently, and ignore unknown settings. */
const browserConfig =
  browserPackage === '@vitest/browser-playwright'
    ? `import { playwright } from '@vitest/browser-playwright';
const browser = { provider: playwright({ launchOptions: ${launch} }), instances: [{ browser: 'chromium' }] };`
    : `const browser = { provider: 'playwright', name: 'chromium', providerOptions: { launch: ${launch} } };
if (process.env.VITEST_MAJOR === '3') { delete browser.name; delete browser.providerOptions; browser.instances = [{ browser: 'chromium', launch: ${launch} }]; }`;

/** Ways of running Vitest that change what reporters receive; nothing may be lost in any of them. */
describe('Vitest tells', () => {
  const args = [...vitest.args(), '--reporter=json', '--outputFile=own.json'];

  test('modes: projects and type checks are what their own report says, and nothing is lost', async () => {
    const files = {
      // Up to version 3, and since then.
      'vitest.workspace.mjs': `${each} export default [each('light'), each('dark')];`,
      'vitest.config.mjs': `${each} export default { test: { projects: [each('light'), each('dark')] } };`,
      'tests/a.test.ts': `${use} test('a1', () => {}); test('a2', () => {});`,
      'tests/c.test.ts': `${use} test('c1', () => {}); test.skip('c2', () => {});`,
      'types/t.test-d.ts': `${use} test('t1', () => { expectTypeOf<string>().toEqualTypeOf<string>(); });`,
      'tsconfig.json':
        '{"compilerOptions":{"strict":true,"module":"esnext","moduleResolution":"bundler","target":"es2022","noEmit":true,"skipLibCheck":true}}',
    };
    await using console = await openConsole();
    await using project = await createProject(files, ['vitest', 'typescript']);
    const { code, stderr } = await project.run(args, { SIGNALBOX_URL: console.url, SIGNALBOX_PROBE_MS: '60000' });
    expect(code, stderr).toBe(0);
    const own = await ownVerdicts(project);
    expect(verdictsOf(console).sort()).toEqual(own.sort());
    expect(own).toHaveLength(9);
    expect(console.of('run_finished')).toMatchObject([{ exitCode: 0, passed: 7, skipped: 2 }]);
    expect(console.of('run_started').at(-1)?.totalScenarios).toBe(9);
  });

  test('watch: each rerun is a run of its own, and none of them lacks a test', async () => {
    const files = {
      'a.test.js': `${use} test('a1', () => {}); test('a2', () => {});\n`,
      'b.test.js': `${use} test('b1', () => {});`,
    };
    await using console = await openConsole();
    await using project = await createProject(files, vitest.packages);
    const [program = '', , ...rest] = vitest.args();
    const { killAll, ended } = project.start([program, 'watch', ...rest], {
      SIGNALBOX_URL: console.url,
      SIGNALBOX_PROBE_MS: '60000',
    });
    const runs = () => console.of('run_finished');
    await expect.poll(() => runs().length).toBe(1);
    const changed = async () => {
      await appendFile(join(project.folder, 'a.test.js'), '// changed\n');
      return runs().length;
    };
    // The watcher may not be active yet when the first run ends, so the file is changed until the watcher notices.
    await expect.poll(changed, { interval: 3_000 }).toBeGreaterThan(1);
    killAll();
    await ended;
    const [first, ...again] = runs();
    expect(first).toMatchObject({ exitCode: 0, passed: 3 });
    for (const run of again) expect(run).toMatchObject({ exitCode: 0, passed: 2, failed: 0, skipped: 0 });
    expect(new Set(runs().map(({ runId }) => runId)).size).toBe(runs().length);
  });

  // Installed with the versions that `npm run test:suites` tests.
  if (browserPackage !== undefined && existsSync(chromium))
    test('browser: what runs in Chromium is what the own report says', async () => {
      const version = JSON.parse(await readFile(binOf('vitest/package.json'), 'utf8')).version as string;
      const files = {
        'vitest.config.mjs': `${browserConfig}
export default { server: { fs: { strict: false } }, test: { testTimeout: 120_000, browser: { enabled: true, headless: true, screenshotFailures: false, ...browser } } };`,
        'page.test.js': `import { expect, test } from 'vitest';
test('draws', () => { document.body.innerHTML = '<b>x</b>'; expect(document.querySelector('b')).not.toBe(null); });
test('breaks', () => { expect(document.title).toBe('something'); });
test.skip('skips', () => {});
let times = 0;
test('flaky', { retry: 1 }, () => { if (++times < 2) throw new Error('not yet'); });`,
        'more.test.js': `import { test } from 'vitest'; test('more', () => {});`,
      };
      await using console = await openConsole();
      await using project = await createProject(files, ['vitest', browserPackage, 'playwright']);
      const env = { SIGNALBOX_URL: console.url, SIGNALBOX_PROBE_MS: '60000', VITEST_MAJOR: version.slice(0, 1) };
      const { code, stderr } = await project.run(args, env);
      expect(code, stderr).toBe(1);
      const own = await ownVerdicts(project);
      expect(verdictsOf(console).sort(), stderr).toEqual(own.sort());
      expect(own).toHaveLength(5);
      expect(console.of('run_finished')).toMatchObject([
        { exitCode: 1, passed: 2, failed: 1, passedOnRetry: 1, skipped: 1 },
      ]);
    });
});
