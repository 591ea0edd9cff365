import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { livenessOf } from '../../packages/service/src/coordination/agents/session-observation.ts';
import { platform, platformOf } from '../../packages/service/src/platform/platform.ts';
import { openFilesOf } from '../../packages/service/src/platform/proc-processes.ts';

test('a live process is identified by pid and start time, a dead one by neither', async () => {
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const pid = child.pid!;
  const table = platform.processes;
  const living = await table.startTimes([pid]);
  const own = table.startFormat;
  const start = living.get(pid)!;
  expect(livenessOf(pid, start, { living, own })).toBe('live');
  expect(livenessOf(pid, `${start}9`, { living, own })).toBe('reused');
  expect(livenessOf(pid, null, { living, own })).toBe('live');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(livenessOf(pid, start, { living: await table.startTimes([pid]), own })).toBe('dead');
});

test.runIf(process.platform === 'linux')('the start is field 22 of its stat, whatever its name holds', async () => {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const expected = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  expect((await platform.processes.startTimes([process.pid])).get(process.pid)).toBe(expected);
});

test.runIf(process.platform === 'linux')('a zombie is dead', async () => {
  const parent = spawn('sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [text] = await once(parent.stdout, 'data');
  const pid = Number(String(text));
  const state = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0];
  await expect.poll(state).toBe('Z');
  expect((await platform.processes.startTimes([pid])).has(pid)).toBe(false);
});

test('a process whose start cannot be read counts as living', async () => {
  const living = await platformOf('win32').processes.startTimes([process.pid]);
  expect(livenessOf(process.pid, '133', { living, own: platformOf('win32').processes.startFormat })).toBe('live');
});

test.runIf(process.platform === 'linux')('a process that ends during a look hides nothing of the others', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  expect([...(openFilesOf([child.pid!, process.pid])?.keys() ?? [])]).toEqual([process.pid]);
});

test.runIf(process.platform === 'linux')(
  'ps is asked in UTC and English, so that a living process is found in every zone and language',
  async () => {
    const before = { TZ: process.env.TZ, LC_ALL: process.env.LC_ALL };
    onTestFinished(() => {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    });
    const table = platformOf('darwin').processes;
    const starts: (string | null | undefined)[] = [];
    for (const zone of ['UTC', 'Asia/Kolkata', 'America/Los_Angeles']) {
      process.env.TZ = zone;
      process.env.LC_ALL = 'de_DE.UTF-8';
      starts.push((await table.startTimes([process.pid])).get(process.pid));
    }
    const startedAt = Date.now() - process.uptime() * 1_000;
    // In another time zone the result would be wrong by at least half an hour.
    for (const start of starts) expect(Math.abs(Date.parse(`${start} UTC`) - startedAt)).toBeLessThan(10 * 60_000);
  },
);
