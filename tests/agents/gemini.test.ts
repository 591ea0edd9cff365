import { expect, test } from 'vitest';
import { GeminiSessions } from '../../packages/service/src/coordination/agents/io/gemini-sessions.ts';
import { linesOf, process, readerScene } from './reader-scene.ts';

const lines = await linesOf('gemini');
const { sessionId, startTime } = JSON.parse(lines[0] ?? '{}');
const startAt = Date.parse(startTime);
const gemini = (pid: number, startedAt = startAt - 1_500) =>
  process(pid, startedAt, ['node', '/usr/bin/gemini', '-p', 'x']);
const chat = 'tmp/shop/chats/session-2026-11-15T22-41-e732ce8c.jsonl';

const scene = () =>
  readerScene(startAt, (path, clock, running) => {
    const processes = { list: async () => running(), openFiles: async () => new Map() };
    return new GeminiSessions({ path, clock, processes, watches: false });
  });

test('a chat is running while its tools run, idle after its answer, and gone with its process', async () => {
  const home = await scene();
  await home.put('tmp/shop/.project_root', '/fx/shop');
  await home.put(chat, `${lines.slice(0, 6).join('\n')}\n`);
  home.runs(gemini(42));
  const known = { sessionId, cwd: '/fx/shop', pid: 42 };
  expect((await home.poll()).sessions).toEqual([{ ...known, state: 'running', reason: 'tool:other' }]);
  await home.put(chat, `${lines.join('\n')}\n`);
  expect((await home.poll()).sessions).toEqual([{ ...known, state: 'idle', reason: 'end_turn' }]);
  home.runs();
  expect((await home.poll()).sessions).toMatchObject([{ state: 'gone', pid: null }]);
});

test('a process that begins another chat has left the one before', async () => {
  const home = await scene();
  await home.put('tmp/shop/.project_root', '/fx/shop');
  await home.put(chat, `${lines.join('\n')}\n`);
  home.runs(gemini(42));
  await home.poll();
  const [header = '', ...rest] = lines;
  const later = (line: string) => line.replaceAll(/2026-11-15T22:\d\d/g, '2026-11-15T23:59');
  const next = [header.replace(sessionId, sessionId.replace(/^./, 'f')), ...rest].map(later);
  await home.put(chat.replace('e732', 'f732'), `${next.join('\n')}\n`);
  const { sessions } = await home.poll();
  expect(sessions.find((one) => one.sessionId === sessionId)).toMatchObject({
    state: 'gone',
    reason: 'replaced:/clear',
  });
  expect(sessions.find((one) => one.sessionId !== sessionId)).toMatchObject({ state: 'idle', pid: 42 });
});

test('a process that was just started does not serve the chat before it', async () => {
  const home = await scene();
  await home.put('tmp/shop/.project_root', '/fx/shop');
  await home.put(chat, `${lines.join('\n')}\n`);
  home.runs(gemini(43, startAt + 60_000));
  expect((await home.poll(62_000)).sessions).toMatchObject([{ pid: null }]);
});

test('a script in a folder of that name is not the program', async () => {
  const home = await scene();
  await home.put('tmp/shop/.project_root', '/fx/shop');
  await home.put(chat, `${lines.join('\n')}\n`);
  home.runs(process(42, startAt - 1_500, ['node', '/home/ada/gemini/server.js']));
  expect((await home.poll()).sessions).toMatchObject([{ pid: null }]);
});

test('an unknown format is reported, and nothing is guessed', async () => {
  const home = await scene();
  await home.put('tmp/shop/chats/session-x.jsonl', '{"messages":[]}\n{}\n');
  const { scan, sessions } = await home.poll();
  expect(scan).toMatchObject({ ok: false, detail: 'session-x.jsonl has an unknown format' });
  expect(sessions).toEqual([]);
});
