import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CodexSessions } from '../../packages/service/src/coordination/agents/io/codex-sessions.ts';
import { createSessionTracker } from '../../packages/service/src/coordination/agents/session-tracker.ts';
import { platform } from '../../packages/service/src/platform/platform.ts';
import type { RunningProcess } from '../../packages/service/src/platform/processes.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';

import { verifies } from '../verifies.ts';

const id = '00000001-0000-4000-8000-000000000000';
const start = Date.UTC(2026, 0, 1, 9);
const record = (type: string, payload: object, at = start) =>
  `${JSON.stringify({ timestamp: new Date(at).toISOString(), type, payload })}\n`;
const meta = record('session_meta', { id, cwd: '/r', git: { branch: 'main' }, instructions: 'i'.repeat(9000) });
const event = (type: string, more: object = {}, at = start) => record('event_msg', { type, ...more }, at);

async function codex(
  held: () => Map<number, string[]> | null = () => new Map(),
  running: () => RunningProcess[] = () => [],
) {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'codex-')));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  const day = join(path, 'sessions/2026/01/01');
  await mkdir(day, { recursive: true });
  const file = join(day, `rollout-2026-01-01T09-00-00-${id}.jsonl`);
  const clock = createSettableClock(start);
  const source = new CodexSessions({
    path,
    clock,
    processes: { openFiles: async () => held(), list: async () => running() },
    watches: false,
  });
  const roster = createSessionTracker();
  const notes = { starts: new Map(), ends: new Map() };
  const look = async (afterMs = 30_000) => {
    clock.advance(afterMs);
    const at = { wall: clock.wall(), monotonic: clock.monotonic() };
    roster.observe({
      host: 'h',
      scans: [await source.poll()],
      locations: new Map(),
      locationsChanged: false,
      hookReports: notes,
      at,
    });
    const { state, reason, cwd, branch, tool, pid } = roster.get(id) ?? {};
    return { state, reason, cwd, branch, tool, pid };
  };
  return { file, look, roster };
}

verifies('session:codex', 'a rollout that a process holds open is running in its turn, and idle after it', async () => {
  let held = new Map<number, string[]>();
  const { file, look } = await codex(() => held);
  await writeFile(
    file,
    meta + event('task_started') + record('response_item', { type: 'function_call', name: 'shell' }),
  );
  held = new Map([[42, [file]]]);
  const known = { cwd: '/r', branch: 'main', tool: 'codex', pid: 42 };
  expect(await look()).toEqual({ state: 'running', reason: 'tool:shell', ...known });
  await appendFile(file, event('task_complete') + event('token_count'));
  expect(await look()).toEqual({ state: 'idle', reason: 'end_turn', ...known });
});

test('a process that serves another session is not a session itself, so that no session contests a tree with itself', async () => {
  let held = new Map<number, string[]>();
  const { file, look, roster } = await codex(() => held);
  const served = [
    { parent_thread_id: id },
    { source: { subagent: 'review' } },
    { source: { subagent: { other: 'x' } } },
  ];
  const files = served.map((_, n) => file.replace('00000001', `0000000${n + 2}`));
  await writeFile(file, meta + event('task_started'));
  for (const [n, path] of files.entries()) {
    await writeFile(path, record('session_meta', { cwd: '/r', ...served[n] }) + event('task_started'));
  }
  held = new Map([[42, [file, ...files]]]);
  expect(await look(40 * 60_000)).toMatchObject({ pid: 42 });
  expect(roster.sessions().map(({ sessionId, live }) => [sessionId, live])).toEqual([[id, true]]);
});

test('an aborted turn records who aborted it', async () => {
  let held = new Map<number, string[]>();
  const { file, look } = await codex(() => held);
  held = new Map([[42, [file]]]);
  await writeFile(file, meta + event('task_started') + event('turn_aborted', { reason: 'interrupted' }));
  expect(await look()).toMatchObject({ state: 'idle', reason: 'user_interrupt' });
  await appendFile(file, event('task_started') + event('turn_aborted', { reason: 'budget_limited' }));
  expect(await look()).toMatchObject({ state: 'idle', reason: 'aborted:budget_limited' });
});

test('a rollout that nobody holds is unknown at first, then gone', async () => {
  const { file, look } = await codex();
  await writeFile(file, meta + event('task_started') + event('task_complete'));
  expect(await look(0)).toMatchObject({ state: 'unknown', reason: 'unregistered_recent_write' });
  await look(100_000);
  expect(await look(2_000)).toMatchObject({ state: 'gone', reason: 'exited:end_turn', pid: null });
});

test('of several rollouts that one process keeps open only the fresh ones live', async () => {
  let held = new Map<number, string[]>();
  const { file, look } = await codex(() => held);
  const other = file.replace(id, '00000002-0000-4000-8000-000000000000');
  const late = start + 3_600_000;
  await writeFile(file, meta + event('task_started') + event('task_complete'));
  await writeFile(other, meta + event('task_started', {}, late));
  held = new Map([[42, [file, other]]]);
  expect(await look(3_600_000)).toMatchObject({ state: 'gone' });
});

test('if the system does not report open files, their absence means nothing', async () => {
  const { file, look } = await codex(() => null);
  await writeFile(file, meta + event('task_complete'));
  expect(await look(100_000)).toMatchObject({ state: 'unknown', reason: 'registry_degraded' });
});

test.runIf(process.platform === 'linux')('a real process is found by the file that it holds open', async () => {
  const { file } = await codex();
  await writeFile(file, meta);
  const hold = 'const fd = require("fs").openSync(process.argv[2], "a"); console.log(fd); setTimeout(() => {}, 60_000)';
  const script = join(file, '../codex.js');
  await writeFile(script, hold);
  const child = spawn(process.execPath, [script, file], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  const held = await platform.toolProcesses('codex').openFiles();
  expect(held?.get(child.pid!)).toContain(file);
});
