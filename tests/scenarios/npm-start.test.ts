import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandOf } from '../guide-commands.ts';

const repository = join(import.meta.dirname, '..', '..');

/** Started from a checkout as a person or a supervisor does, in its own process group as a terminal creates it. */
async function typed(command: string, more: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-npm-'));
  const env = { ...process.env, HOME: home, PORT: '0,0', npm_config_update_notifier: 'false', ...more };
  const [program = '', ...args] = commandOf('README.md', command).split(' ');
  const npm = spawn(program, args, { cwd: repository, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  const ended = new Promise<void>((resolve) => npm.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.on('data', (text) => {
        said += text;
        if (/reference\s+http|Open http/.test(said)) resolve();
      });
    }
    ended.then(() => reject(new Error(said)));
  });
  const folder = /data +(\S+)/.exec(said)?.[1] ?? home;
  const owner = globSync(`${folder}/**/owner.json`)[0] ?? '';
  const { pid } = JSON.parse(readFileSync(owner, 'utf8')) as { pid: number };
  return {
    npm: npm.pid as number,
    pid,
    owner,
    home,
    folder,
    said,
    ended,
    async [Symbol.asyncDispose]() {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.each([
  ['SIGTERM to npm, as a supervisor sends it', 'SIGTERM', 1],
  ['Ctrl-C, which npm passes on to who has it already', 'SIGINT', -1],
] as const)('%s ends the service that npm started, in order', async (_, signal, whom) => {
  await using service = await typed('npm start');
  expect(service.said).toContain(`"npm --prefix ${repository} run -s signalbox -- demo" plays a four-minute example`);
  process.kill(whom * service.npm, signal);
  await service.ended;
  expect([isAlive(service.pid), existsSync(service.owner)]).toEqual([false, false]);
});

test("the README's demo is a separate service: Ctrl-C removes it, and the home folder is unchanged", async () => {
  await using demo = await typed('npm run -s signalbox -- demo', { BROWSER: 'none' });
  expect(demo.said).toMatch(/Open http:\S+ in your browser \(BROWSER=none is set\)/);
  expect(demo.folder).not.toContain(demo.home);
  process.kill(-demo.npm, 'SIGINT');
  await demo.ended;
  expect([isAlive(demo.pid), existsSync(demo.folder)]).toEqual([false, false]);
  expect(existsSync(join(demo.home, '.signalbox'))).toBe(false);
});
