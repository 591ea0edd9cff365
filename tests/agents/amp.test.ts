import { expect, test } from 'vitest';
import { DocumentSessions } from '../../packages/service/src/coordination/agents/io/document-sessions.ts';
import { amp } from '../../packages/service/src/coordination/agents/tools/amp.ts';
import { process, readerScene } from './reader-scene.ts';

const startAt = Date.now() - 60_000;
const file = 'threads/T-5928a90d-d53b-488f-a829-4e36442142ee.json';
const known = { sessionId: 'T-5928a90d-d53b-488f-a829-4e36442142ee', cwd: '/fx/shop', pid: 42 };
const running = process(42, startAt - 1_500, ['node', '/usr/bin/amp']);

const scene = () =>
  readerScene(startAt, (path, clock, listed) => {
    const processes = { list: async () => listed(), openFiles: async () => new Map() };
    return new DocumentSessions(amp, { path, clock, processes, watches: false });
  });

const prompt = { role: 'user', content: [{ type: 'text', text: 'x' }] };
const result = { role: 'user', content: [{ type: 'tool_result', toolUseID: 't', run: { status: 'done' } }] };
const usage = {
  model: 'scripted',
  inputTokens: 100,
  outputTokens: 40,
  cacheCreationInputTokens: 20,
  cacheReadInputTokens: 5_000,
};
const call = {
  role: 'assistant',
  content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }],
  state: { type: 'complete', stopReason: 'tool_use' },
  usage,
};
const answer = {
  role: 'assistant',
  content: [{ type: 'text', text: 'x' }],
  state: { type: 'complete', stopReason: 'end_turn' },
  usage,
};
const thread = (...messages: object[]) =>
  JSON.stringify({
    v: messages.length,
    id: known.sessionId,
    created: startAt,
    title: 'x',
    messages,
    env: {
      initial: {
        trees: [{ displayName: 'shop', uri: 'file:///fx/shop', repository: { type: 'git', ref: 'refs/heads/work' } }],
      },
    },
  });

test('a thread of Amp is running while a tool runs, idle after its answer, and gone with its process', async () => {
  const home = await scene();
  home.runs(running);
  await home.put(file, thread(prompt, call));
  expect((await home.poll()).sessions).toEqual([{ ...known, state: 'running', reason: 'tool:Bash' }]);
  await home.put(file, thread(prompt, call, result, answer));
  expect((await home.poll()).sessions).toEqual([{ ...known, state: 'idle', reason: 'end_turn' }]);
  home.runs();
  expect((await home.poll()).sessions).toMatchObject([{ state: 'gone', pid: null }]);
});

test('a thread of Amp has its branch, model, tokens and turns, and nothing that was said in it', async () => {
  const home = await scene();
  await home.put(file, thread(prompt, call, result, answer).replaceAll('"x"', '"secret words"'));
  const { scan } = await home.poll();
  expect(scan.transcripts.get(known.sessionId)).toMatchObject({
    branch: 'work',
    firstAt: startAt,
    usage: { model: 'scripted', tokens: { input: 240, cached: 10_000, output: 80 }, turns: 1, contextPercent: null },
  });
  expect(JSON.stringify([...scan.transcripts.values()])).not.toContain('secret');
});

test('a thread that is cut short keeps its last state, and other files are ignored', async () => {
  const home = await scene();
  home.runs(running);
  await home.put(file, thread(prompt, call));
  await home.put('threads/T-5928a90d-d53b-488f-a829-4e36442142ee.json.amptmp', '{');
  await home.put('threads/notes.json', '{}');
  await home.poll();
  await home.put(file, thread(prompt, call, result, answer).slice(0, -40));
  expect((await home.poll()).sessions).toEqual([{ ...known, state: 'running', reason: 'tool:Bash' }]);
});

test('a document that is not a thread is shown with an unknown state, not hidden', async () => {
  const home = await scene();
  await home.put(file, '{"messages":"elsewhere"}');
  const { scan } = await home.poll();
  expect(scan.transcripts.get(known.sessionId)?.turn).toMatchObject({ state: 'unclear', detail: 'unreadable' });
});
