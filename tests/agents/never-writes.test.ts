import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../verifies.ts';
import { createAgentHome, finalAnswer, toolUse } from './agent-home.ts';
import { gitRepository, gitWorktree } from './git-repository.ts';

const main = join(import.meta.dirname, '../../packages/service/dist/cli/bin.js');
const traced = spawnSync('strace', ['-V']).status === 0;

/** Everything that a write, a rename, a removal or a changed mode would change; reading changes only the access time. */
async function snapshot(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const lines = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const { ino, size, mtimeMs, ctimeMs, mode, nlink } = await lstat(path);
    return [path, ino, size, mtimeMs, ctimeMs, mode, nlink].join(' ');
  });
  return (await Promise.all(lines)).sort();
}

/** Matches the path that a call reads or writes, not a path that one of our own links leads to. */
const namesBelow = (call: string, folder: string) => call.includes(folder) && !/\bsymlink(at)?\("/.test(call);

verifies(
  ['observe:never-writes-or-kills', 'overlap:never-writes'],
  'the directory of an agent and the trees it works in are only read, and no process is sent a signal',
  async () => {
    await using scene = await createAgentHome();
    const home = join(scene.root, 'home');
    await mkdir(home);
    const shop = await scene.repository('shop', 'acme/shop');
    const session = await scene.session(1, shop);
    await session.appendRecord(finalAnswer);
    await session.appendRecord(toolUse('Bash'));
    await session.reportStatus('busy');
    const dead = await scene.session(2, await scene.worktree('shop', 'fern'));
    await dead.reportStatus('busy');
    await dead.kill();
    await symlink('/etc/hostname', join(scene.config, 'projects/link.jsonl'));
    await writeFile(join(scene.config, 'sessions/999999.json'), '{"half');

    const lived = join(scene.root, 'lived');
    gitRepository(lived, 'acme/lived');
    const tree = gitWorktree(lived, 'moss');
    for (const [number, root] of [lived, tree].entries()) {
      await writeFile(join(root, 'shared.ts'), `${number}\n`);
      await (await scene.session(3 + number, root)).reportStatus('busy');
    }
    const trace = join(scene.root, 'trace');
    const guard = `const kill = process.kill; process.kill = (pid, signal) => { if (signal !== 0) { process.stdout.write('SIGNALLED'); } return kill.call(process, pid, signal); };`;
    await writeFile(join(scene.root, 'guard.mjs'), guard);
    const strace = [
      'strace',
      '-f',
      '-qq',
      '-s',
      '4096',
      '-o',
      trace,
      '-e',
      'trace=%file,kill,tkill,tgkill,pidfd_send_signal',
    ];
    const node = [process.execPath, '--import', join(scene.root, 'guard.mjs'), main, 'start'];
    const [command = '', ...args] = traced ? [...strace, ...node] : node;
    const env = { PATH: process.env.PATH, HOME: home, PORT: '0,0', Service__SessionsPath: scene.config };
    const watched = [scene.config, shop, lived];
    const before = await Promise.all(watched.map(snapshot));
    const child = spawn(command, args, { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
    await expect.poll(() => output).toMatch(/http:\/\//);
    await pause(traced ? 6_000 : 4_000);
    const url = /http:\/\/localhost:\d+/.exec(output)?.[0];
    expect(url).toBeDefined();
    const seen = async () => (await (await fetch(`${url}/api/overlaps`)).json()) as { items: unknown[] };
    await expect.poll(async () => (await seen()).items).toMatchObject([{ path: 'shared.ts' }]);
    const pid = traced ? Number((await readFile(trace, 'utf8')).split(' ', 1)[0]) : child.pid;
    process.kill(pid!, 'SIGTERM');
    await once(child, 'exit');

    expect(await Promise.all(watched.map(snapshot))).toEqual(before);
    expect(output).not.toContain('SIGNALLED');
    if (!traced) return;
    const calls = (await readFile(trace, 'utf8')).split('\n');
    const onAgent = calls.filter((call) => watched.some((folder) => namesBelow(call, folder)));
    expect(onAgent.length).toBeGreaterThan(10);
    const changing =
      /\b(O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND)\b|^\d+\s+(creat|rename|unlink|mkdir|rmdir|link|symlink|chmod|chown|truncate|utime|mknod|setxattr)/;
    expect(onAgent.filter((call) => changing.test(call))).toEqual([]);
    const signals = calls.filter((call) => /^\d+\s+(kill|tkill|tgkill|pidfd_send_signal)\(/.test(call));
    expect(signals.length).toBeGreaterThan(0);
    expect(signals.filter((call) => !/, 0\)\s+=|, 0 <unfinished|resumed/.test(call))).toEqual([]);
    await rm(trace);
  },
);
