import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { start } from '../start.ts';
import { createProject } from './project.ts';
import { signalbox } from './signalbox.ts';

const cache = process.env.SIGNALBOX_SUITES_CACHE ?? join(homedir(), '.cache/signalbox-suites');

/** Where a program is: on the path, or where `npm run test:suites` installs it. */
function programOf(name: string): string | null {
  if (spawnSync(name, ['--version']).status === 0) return name;
  const installed = join(cache, name, 'node_modules/.bin', name);
  return existsSync(installed) ? installed : null;
}

type Tried = {
  scenario: string;
  outcome: string;
  file: string | null;
  line: number | null;
  errorMessage: string | null;
};

async function tried(files: Record<string, string>, command: readonly string[], options: readonly string[] = []) {
  await using service = await start();
  await using project = await createProject(files, []);
  const env = { SIGNALBOX_URL: service.consoleUrl };
  const { code } = await signalbox(project.folder, ['run', ...options, '--', ...command], env);
  const [run] = (await service.console('GET', '/api/runs')).body;
  const { scenarios } = (await service.console('GET', `/api/runs/${run.runId}`)).body as { scenarios: Tried[] };
  return { code, run, scenarios, of: (name: string) => scenarios.find(({ scenario }) => scenario === name) };
}

const bun = programOf('bun');
const deno = programOf('deno');
const prove = programOf('prove');
for (const [name, found] of Object.entries({ bun, deno, prove })) {
  if (!found) console.log(`${name} is not installed here, so its tests are not tried.`);
}

describe('under signalbox run', () => {
  test.skipIf(!bun)('the tests of Bun are shown one by one, twins and all', async () => {
    const suite = `import { describe, expect, test } from 'bun:test';
describe('cart', () => {
  test('adds', () => {});
  test('twin', () => {});
  test('twin', () => { throw new Error('second twin'); });
  test.skip('skips', () => {});
});`;
    const args = ['test', '--reporter=junit', '--reporter-outfile=results.xml'];
    const { code, run, scenarios } = await tried({ 'cart.test.ts': suite }, [bun ?? '', ...args]);
    expect(code).toBe(1);
    expect(run).toMatchObject({ exitCode: 1, passed: 2, failed: 1, skipped: 1, green: false });
    const failed = scenarios.find(({ outcome }) => outcome === 'Failed');
    expect(failed).toMatchObject({ file: 'cart.test.ts', line: 5, errorMessage: 'second twin' });
  });

  test.skipIf(!deno)('the tests and steps of Deno are shown one by one', async () => {
    const suite = `Deno.test('adds', () => {});
Deno.test('breaks', () => { throw new Error('broken'); });
Deno.test('walks', async (t) => { await t.step('first', () => {}); });
Deno.test({ name: 'skips', ignore: true, fn() {} });`;
    const { code, run, of } = await tried({ 'cart_test.ts': suite }, [deno ?? '', 'test', '--junit-path=results.xml']);
    expect(code).toBe(1);
    expect(run).toMatchObject({ exitCode: 1, passed: 3, failed: 1, skipped: 1, green: false });
    expect(of('breaks')).toMatchObject({ outcome: 'Failed', line: 2, errorMessage: expect.stringContaining('broken') });
  });

  test.skipIf(!prove)('what prove prints as TAP is shown test by test', async () => {
    const script = `print "1..3\\nok 1 - adds\\nnot ok 2 - breaks\\nok 3 - later # SKIP no network\\n"; exit 1;`;
    const { run, of } = await tried({ 't/cart.t': script }, [prove ?? '', '-v', 't/'], ['--report', '-']);
    expect(run).toMatchObject({ exitCode: 1, passed: 1, failed: 1, skipped: 1, green: false });
    expect(of('breaks')).toMatchObject({ outcome: 'Failed' });
  });
});
