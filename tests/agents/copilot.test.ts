import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CopilotSessions } from '../../packages/service/src/coordination/agents/io/copilot-sessions.ts';
import { linesOf, process, readerScene } from './reader-scene.ts';

const lines = await linesOf('copilot');
const first = JSON.parse(lines[0] ?? '{}');
const sessionId: string = first.data.sessionId;
const startAt = Date.parse(first.timestamp);
const folder = `session-state/${sessionId}`;
const upTo = (type: string) => {
  const at = lines.findIndex((line) => JSON.parse(line).type === type);
  return `${lines.slice(0, at + 1).join('\n')}\n`;
};

const scene = (startOf: (pid: number) => number | null = () => null) =>
  readerScene(startAt, (path, clock, running) => {
    const startTimes = async (pids: readonly number[]) =>
      new Map(running().flatMap(({ pid }) => (pids.includes(pid) ? [[pid, '1'] as const] : [])));
    return new CopilotSessions({
      path,
      clock,
      processes: { startTimes },
      startOf: async (pid) => startOf(pid),
      watches: false,
    });
  });

test('a session that a process locked is running in its turn; killed, its lock stays and names a dead one', async () => {
  const home = await scene();
  await home.put(`${folder}/events.jsonl`, upTo('tool.execution_start'));
  await home.put(`${folder}/inuse.42.lock`, '42');
  home.runs(process(42, startAt, []));
  const [session] = (await home.poll()).sessions;
  expect(session).toEqual({
    sessionId,
    cwd: '/fx/shop',
    pid: 42,
    state: 'running',
    reason: 'tool:signalbox-claim_node',
  });
  home.runs();
  expect((await home.poll()).sessions).toMatchObject([{ state: 'gone', reason: 'killed_mid_turn', pid: null }]);
});

test('a session that ended took its lock along', async () => {
  const home = await scene();
  await home.put(`${folder}/events.jsonl`, `${lines.slice(0, -1).join('\n')}\n`);
  await home.put(`${folder}/inuse.42.lock`, '42');
  home.runs(process(42, startAt, []));
  expect((await home.poll()).sessions).toMatchObject([{ state: 'idle', reason: 'end_turn' }]);
  await home.put(`${folder}/events.jsonl`, `${lines.join('\n')}\n`);
  await rm(join(home.path, folder, 'inuse.42.lock'));
  home.runs();
  expect((await home.poll()).sessions).toMatchObject([{ state: 'gone' }]);
});

test('a pid that another process got since does not keep a session alive', async () => {
  const home = await scene(() => Date.now() + 60_000);
  await home.put(`${folder}/events.jsonl`, upTo('tool.execution_start'));
  await home.put(`${folder}/inuse.42.lock`, '42');
  home.runs(process(42, startAt, []));
  await home.poll();
  expect((await home.poll()).sessions).toMatchObject([{ state: 'gone', pid: null }]);
});
