import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addPrograms, commandOf, typeIn } from '../guide-commands.ts';
import { start } from '../start.ts';
import { openConsole, publishedBy } from './recording-console.ts';
import { signalbox } from './signalbox.ts';

const python = join(import.meta.dirname, '../../packages/publisher/python');
const hasPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0;
if (!hasPytest) console.log('pytest is not installed here, so its plugin is not tried.');

const suite = `import pytest, sys

class TestCart:
    def test_adds(self):
        print("said aloud"); print("said aside", file=sys.stderr)

    @pytest.mark.parametrize("n", [1, 2])
    def test_twin(self, n):
        assert n == 1, "second twin"

@pytest.mark.skip(reason="no network")
def test_skips(): pass

@pytest.mark.xfail(reason="known bug")
def test_known(): assert False

@pytest.fixture
def orders(): raise ValueError("no orders")

def test_kept(orders): pass
`;

const withPlugin = ['-p', 'signalbox_pytest'];

async function runPytest(files: Record<string, string>, env: Record<string, string>, args: readonly string[] = []) {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-pytest-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const child = spawn('python3', ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', ...args], {
    cwd: folder,
    env: { ...process.env, PYTHONPATH: python, SIGNALBOX_PROBE_MS: '60000', ...env },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  const code = await new Promise((resolve) => child.on('close', resolve));
  await rm(folder, { recursive: true, force: true });
  return { code, said };
}

describe.skipIf(!hasPytest)('the pytest plugin', () => {
  test('reports every test once with location, output, all errors and reasons of skips', async () => {
    const of = await publishedBy(async (url) => {
      const { code } = await runPytest({ 'test_cart.py': suite }, { SIGNALBOX_URL: url }, withPlugin);
      expect(code).toBe(1);
    });
    const told = of('scenario_finished').map(({ uid, outcome }) => `${uid}: ${outcome}`);
    expect(told.sort()).toEqual([
      'test_cart.py/TestCart > test_adds: CleanPass',
      'test_cart.py/TestCart > test_twin[1]: CleanPass',
      'test_cart.py/TestCart > test_twin[2]: Failed',
      'test_cart.py/test_kept: Failed',
      'test_cart.py/test_known: Skipped',
      'test_cart.py/test_skips: Skipped',
    ]);
    const finished = (name: string) => of('scenario_finished').find(({ uid }) => uid.endsWith(name));
    expect(finished('test_adds')).toMatchObject({
      stdout: ['said aloud'],
      stderr: ['said aside'],
      file: 'test_cart.py',
      line: 4,
    });
    expect(finished('test_twin[2]')?.errors?.[0]).toMatchObject({
      message: expect.stringContaining('second twin'),
      name: 'AssertionError',
      place: { file: 'test_cart.py', line: 9 },
    });
    expect(finished('test_kept')?.errorMessage).toContain('setup: ValueError: no orders');
    expect(finished('test_skips')?.skipReason).toBe('no network');
    expect(finished('test_known')?.skipReason).toBe('expected to fail: known bug');
    expect(of('run_started').at(-1)?.totalScenarios).toBe(6);
    expect(of('run_finished')).toMatchObject([{ exitCode: 1, passed: 2, failed: 2, skipped: 2 }]);
  });

  test.each(['fails', 'hangs up', 'gateway'] as const)(
    'a console that is away for a while (%s) misses neither a test nor the end',
    async (behaviour) => {
      await using console = await openConsole();
      const folder = await mkdtemp(join(tmpdir(), 'signalbox-pytest-'));
      const waiting = `import os, time
def test_before(): pass
def test_during():
    while not os.path.exists(${JSON.stringify(join(folder, 'mended'))}): time.sleep(0.02)
def test_after(): pass
`;
      const ended = runPytest({ 'test_cart.py': waiting }, { SIGNALBOX_URL: console.url }, withPlugin);
      await expect.poll(() => console.posts).toBeGreaterThan(0);
      console.behaviour = behaviour;
      const before = console.posts;
      await expect.poll(() => console.posts).toBeGreaterThan(before + 3);
      console.behaviour = 'console';
      await writeFile(join(folder, 'mended'), '');
      expect(await ended).toMatchObject({ code: 0 });
      expect(console.of('run_finished')).toMatchObject([{ passed: 3 }]);
      expect(new Set(console.of('scenario_finished').map(({ uid }) => uid)).size).toBe(3);
      await rm(folder, { recursive: true });
    },
  );

  test('a batch that is too large for the console is sent in parts', async () => {
    await using console = await openConsole();
    console.mostEvents = 1;
    const files = { 'test_cart.py': 'def test_adds(): pass\ndef test_takes(): pass\n' };
    await runPytest(files, { SIGNALBOX_URL: console.url }, withPlugin);
    expect(console.of('run_finished')).toMatchObject([{ passed: 2 }]);
    expect(console.of('scenario_finished')).toHaveLength(2);
  });

  test('what the console rejects is named in one line after the summary', async () => {
    await using console = await openConsole();
    console.rejects = { types: ['scenario_finished'], message: 'the run is \u001b[31mfull' };
    const { said } = await runPytest({ 'test_cart.py': suite }, { SIGNALBOX_URL: console.url }, withPlugin);
    const line = 'signalbox: the run console rejected 6 events, so the run is incomplete: the run is ·[31mfull\n';
    expect(said.endsWith(line), said).toBe(true);
  });

  test('a console that stays away does not hold up the end', async () => {
    await using console = await openConsole('fails');
    const { code } = await runPytest({ 'test_cart.py': suite }, { SIGNALBOX_URL: console.url }, withPlugin);
    expect(code).toBe(1);
    expect(console.posts).toBeLessThan(10);
  });

  test('changes neither output nor exit code when no console is there', async () => {
    const env = { SIGNALBOX_URL: 'http://127.0.0.1:9' };
    const withoutTimes = (text: string) => text.replaceAll(/[\d.]+s|0x[0-9a-f]+/g, 'TIME');
    const plain = await runPytest({ 'test_cart.py': suite }, env);
    const told = await runPytest({ 'test_cart.py': suite }, env, ['-p', 'signalbox_pytest']);
    expect(told.code).toBe(plain.code);
    expect(withoutTimes(told.said)).toBe(withoutTimes(plain.said));
  });

  test('works as described in the guide', async () => {
    const home = await mkdtemp(join(tmpdir(), 'signalbox-pytest-'));
    await mkdir(join(home, 'node_modules/signalbox-publisher'), { recursive: true });
    await symlink(python, join(home, 'node_modules/signalbox-publisher/python'));
    await writeFile(join(home, 'test_cart.py'), 'def test_adds(): pass\n');
    addPrograms(home, { pytest: 'exec python3 -m pytest "$@"' });
    const guide = 'docs/guides/more-runners.md';
    const command = 'PYTHONPATH=node_modules/signalbox-publisher/python pytest -p signalbox_pytest';
    const of = await publishedBy(async (url) => {
      const env = { SIGNALBOX_URL: url, SIGNALBOX_PROBE_MS: '60000' };
      await using typed = typeIn(home, commandOf(guide, command), env);
      expect(await typed.ended, typed.output()).toBe(0);
    });
    expect(of('run_finished')).toMatchObject([{ exitCode: 0, passed: 1 }]);
    await rm(home, { recursive: true, force: true });
  });

  test('under signalbox run a test that takes the process with it is named, and those before it have their verdicts', async () => {
    await using service = await start();
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-pytest-'));
    const dying = `import os, signal
def test_before(): pass
def test_just_before(): pass
def test_dies(): os.kill(os.getpid(), signal.SIGSEGV)
def test_after(): pass
`;
    await writeFile(join(folder, 'test_cart.py'), dying);
    const command = ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-p', 'no:faulthandler'];
    const env = { SIGNALBOX_URL: service.consoleUrl, SIGNALBOX_PROBE_MS: '60000' };
    expect(await signalbox(folder, ['run', '--', ...command], env)).toMatchObject({ code: 139 });
    await rm(folder, { recursive: true, force: true });
    const [run] = (await service.console('GET', '/api/runs')).body;
    expect(run).toMatchObject({ state: 'finished', interrupted: 'SIGSEGV', passed: 2, lost: 2, green: false });
    const { scenarios } = (await service.console('GET', `/api/runs/${run.runId}`)).body;
    const rows = scenarios.map(
      (one: { scenario: string; outcome: string | null }) => `${one.scenario}: ${one.outcome}`,
    );
    expect(rows.sort()).toEqual(['test_before: CleanPass', 'test_dies: null', 'test_just_before: CleanPass']);
  });

  test('a file that cannot be collected stands for its tests', async () => {
    const files = { 'test_broken.py': 'import nothing_of_this_name' };
    const of = await publishedBy((url) => runPytest(files, { SIGNALBOX_URL: url }, ['-p', 'signalbox_pytest']));
    expect(of('scenario_finished')).toMatchObject([{ uid: 'test_broken.py/(file)', outcome: 'Failed' }]);
    expect(of('run_finished')).toMatchObject([{ exitCode: 1, failed: 1 }]);
  });
});
