import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CodexSessions } from '../../packages/service/src/coordination/agents/io/codex-sessions.ts';
import { polledOnly } from '../../packages/service/src/coordination/agents/io/source-problem.ts';
import { createSessionTracker } from '../../packages/service/src/coordination/agents/session-tracker.ts';
import { lsofToolProcesses } from '../../packages/service/src/platform/lsof.ts';
import { listProcesses } from '../../packages/service/src/platform/ps.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { withPrograms } from './fake-programs.ts';

const id = '00000001-0000-4000-8000-000000000000';

/** A Codex session whose process holds its transcript open, read as on a Mac. No other process has its name. */
async function liveCodex({ folderName = 'home', timeoutMs = 120_000 } = {}) {
  const parent = await realpath(await mkdtemp(join(tmpdir(), 'codex-')));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const path = join(parent, folderName);
  const day = join(path, 'sessions/2026/01/01');
  await mkdir(day, { recursive: true });
  const file = join(day, `rollout-2026-01-01T09-00-00-${id}.jsonl`);
  const at = (type: string, payload: object) =>
    `${JSON.stringify({ timestamp: '2026-01-01T09:00:00.000Z', type, payload })}\n`;
  await writeFile(file, at('session_meta', { id, cwd: path }) + at('event_msg', { type: 'task_started' }));
  const tool = `codex-${randomUUID()}`;
  const script = `require('fs').openSync(process.argv[1], 'a'); console.log('open'); setTimeout(() => {}, 60_000)`;
  const child = spawn(process.execPath, ['-e', script, file], { argv0: tool, cwd: path });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const clock = createSettableClock(Date.UTC(2026, 0, 1, 9));
  const processes = lsofToolProcesses(tool, listProcesses, { timeoutMs, now: () => clock.monotonic() });
  const reader = new CodexSessions({ path, clock, processes, watches: false });
  const tracker = createSessionTracker();
  return {
    path,
    pid: child.pid!,
    processes,
    async poll() {
      clock.advance(30_000);
      const times = { wall: clock.wall(), monotonic: clock.monotonic() };
      const hookReports = { starts: new Map(), ends: new Map() };
      const scans = [await reader.poll()];
      tracker.observe({ host: 'h', scans, locations: new Map(), locationsChanged: false, hookReports, at: times });
      const { state, pid = null } = tracker.get(id) ?? {};
      const [source] = reader.sources();
      return { state, pid, detail: source?.detail };
    },
  };
}

const noLsof = /lsof is not installed.*install lsof/;
const stopped = /lsof timed out/;

test('the session of a process is found by the file that it holds open, in a folder of any name', async () => {
  for (const name of ['home', 'Größe mit Leerzeichen', 'tab\tand\\backslash']) {
    const { poll, pid, processes, path } = await liveCodex({ folderName: name });
    expect(await poll()).toEqual({ state: 'running', pid, detail: polledOnly });
    expect((await processes.list()).find((one) => one.pid === pid)?.cwd).toBe(path);
  }
});

test('without lsof a living session is never taken for gone, and the source says what is missing', async () => {
  const { poll } = await liveCodex();
  await withPrograms({ ps: `exec ${pathOf('ps')} "$@"` }, { alone: true });
  expect(await poll()).toEqual({ state: 'unknown', pid: null, detail: expect.stringMatching(noLsof) });
});

test('a session that was seen running stays what it was while lsof hangs, and is read again when it answers', async () => {
  const lsof = pathOf('lsof');
  const { poll, pid } = await liveCodex({ timeoutMs: 10_000 });
  expect(await poll()).toMatchObject({ state: 'running', pid });
  await withPrograms({ lsof: 'exec sleep 600' });
  expect(await poll()).toMatchObject({ state: 'running', detail: expect.stringMatching(stopped) });
  await withPrograms({ lsof: `exec ${lsof} "$@"` });
  expect(await poll()).toEqual({ state: 'running', pid, detail: polledOnly });
});

test('what lsof printed before it was ended is not believed', async () => {
  const { poll, pid } = await liveCodex();
  expect(await poll()).toMatchObject({ state: 'running', pid });
  await withPrograms({ lsof: `echo p${pid}; kill -9 $$` });
  expect(await poll()).toMatchObject({ state: 'running', detail: expect.stringMatching(stopped) });
});

test('if ps does not answer either, no session counts as dead', async () => {
  const { poll, pid } = await liveCodex();
  expect(await poll()).toMatchObject({ state: 'running', pid });
  await withPrograms({ ps: 'exit 1' });
  expect(await poll()).toMatchObject({ state: 'running', detail: expect.stringMatching(/ps did not answer/) });
});

test('lsof is not asked where no process of the tool runs, and not again at once for the same ones', async () => {
  const asked = join(await mkdtemp(join(tmpdir(), 'asked-')), 'log');
  const lsof = pathOf('lsof');
  await withPrograms({ lsof: `echo asked >> ${asked}; exec ${lsof} "$@"` });
  const count = async () => (await readFile(asked, 'utf8').catch(() => '')).split('\n').length - 1;
  const none = lsofToolProcesses('no-such-tool-here', listProcesses);
  expect(await none.openFiles()).toEqual(new Map());
  expect(await count()).toBe(0);
  const { processes } = await liveCodex();
  await processes.openFiles();
  await processes.list();
  expect(await count()).toBe(1);
});

function pathOf(program: string): string {
  return execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
}
