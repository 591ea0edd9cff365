import { expect, test } from 'vitest';
import { CodexSessions } from '../../packages/service/src/coordination/agents/io/codex-sessions.ts';
import { CopilotSessions } from '../../packages/service/src/coordination/agents/io/copilot-sessions.ts';
import { GeminiSessions } from '../../packages/service/src/coordination/agents/io/gemini-sessions.ts';
import { claude } from '../../packages/service/src/coordination/agents/tools/claude.ts';
import { codex } from '../../packages/service/src/coordination/agents/tools/codex.ts';
import { copilot } from '../../packages/service/src/coordination/agents/tools/copilot.ts';
import { gemini } from '../../packages/service/src/coordination/agents/tools/gemini.ts';
import {
  nothingCounted,
  type UsageFormat,
  usageOf,
} from '../../packages/service/src/coordination/agents/usage-count.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';
import { createAgentHome } from './agent-home.ts';
import { linesOf, readerScene } from './reader-scene.ts';

/** The scripted model reports 1,200 new, 5,000 cached and 42 output tokens for each of its four answers. */
const fourAnswers = { input: 4 * 1_200, cached: 4 * 5_000, output: 4 * 42 };
const counted = { model: 'scripted', tokens: fourAnswers, turns: 1 };

const processes = { list: async () => [], openFiles: async () => new Map(), startTimes: async () => new Map() };
const chat = 'tmp/shop/chats/session-2026-11-15T22-41-e732ce8c.jsonl';
const day = 'sessions/2026/11/15';
const id = '01a1e15f-5373-7642-8e67-f0d299475296';

async function usageIn(tool: string, path: string, open: Parameters<typeof readerScene>[1]) {
  const lines = await linesOf(tool);
  const home = await readerScene(Date.UTC(2026, 10, 15, 23), open);
  await home.put('tmp/shop/.project_root', '/fx/shop');
  await home.put(path, `${lines.slice(0, lines.length / 2).join('\n')}\n`);
  await home.poll();
  await home.put(path, `${lines.join('\n')}\n`);
  const { scan } = await home.poll(25_000);
  return [...scan.transcripts.values()][0]?.usage;
}

test('files of Codex, Gemini and Copilot give model, tokens and turns, and the context if they record its size', async () => {
  const options = { watches: false, processes };
  expect(
    await usageIn(
      'codex',
      `${day}/rollout-2026-11-15T22-41-23-${id}.jsonl`,
      (path, clock) => new CodexSessions({ path, clock, ...options }),
    ),
  ).toEqual({ ...counted, contextPercent: 2 });
  expect(await usageIn('gemini', chat, (path, clock) => new GeminiSessions({ path, clock, ...options }))).toEqual({
    ...counted,
    contextPercent: null,
  });
  expect(
    await usageIn(
      'copilot',
      `session-state/${id}/events.jsonl`,
      (path, clock) => new CopilotSessions({ path, clock, ...options }),
    ),
  ).toEqual({ ...counted, contextPercent: 5 });
});

test('a file of more than 16 MB is counted to its end although it does not change any more, and nothing of it twice', async () => {
  const lines = await linesOf('codex');
  const noise = `${JSON.stringify({ type: 'event_msg', payload: { type: 'noise', text: 'x'.repeat(100_000) } })}\n`;
  const path = `${day}/rollout-2026-11-15T22-41-23-${id}.jsonl`;
  const options = { watches: false, processes };
  const home = await readerScene(
    Date.UTC(2026, 10, 15, 23),
    (folder, clock) => new CodexSessions({ path: folder, clock, ...options }),
  );
  const begun = `${lines[0]}\n${noise.repeat(400)}`;
  const usageAfter = async (text: string) => {
    await home.put(path, text);
    await home.poll(25_000);
    await home.poll(1_000);
    const { scan } = await home.poll(1_000);
    return [...scan.transcripts.values()][0]?.usage;
  };
  // The first look at a large file does not count it.
  expect((await usageAfter(begun))?.tokens).toBeNull();
  const all = `${begun}${lines.slice(1).join('\n')}\n`;
  expect(await usageAfter(all)).toMatchObject(counted);
  expect(await usageAfter(all + noise)).toMatchObject(counted);
});

const foldOf = (format: UsageFormat, lines: readonly string[]) =>
  usageOf(
    lines
      .filter((line) => format.mayTell(line))
      .reduce((count, line) => format.add(count, JSON.parse(line)), nothingCounted),
  );

test('skipped lines have no effect', async () => {
  for (const [tool, format] of [
    ['claude-code', claude.sessions.format.usage],
    ['codex', codex.sessions.format.usage],
    ['gemini', gemini.sessions.format.usage],
    ['copilot', copilot.sessions.format.usage],
  ] as const) {
    const lines = await linesOf(tool);
    expect(foldOf({ ...format, mayTell: () => true }, lines), tool).toEqual(foldOf(format, lines));
  }
});

test('an answer of several records counts once, with the figures it was written with last', () => {
  const answer = (id: string, output: number) =>
    JSON.stringify({
      type: 'assistant',
      message: { id, model: 'm', usage: { input_tokens: 10, output_tokens: output } },
    });
  const lines = [answer('a', 1), answer('a', 30), answer('b', 5)];
  expect(foldOf(claude.sessions.format.usage, lines)).toMatchObject({
    model: 'm',
    tokens: { input: 20, cached: 0, output: 35 },
  });
});

test('an invalid token count is ignored, and a model must be a name', () => {
  const usage = { input_tokens: -5, output_tokens: '7', cache_read_input_tokens: 1e300 };
  const line = JSON.stringify({ type: 'assistant', message: { id: 'a', model: '<a text of its own>', usage } });
  expect(foldOf(claude.sessions.format.usage, [line])).toMatchObject({
    model: null,
    tokens: { input: 0, cached: 0, output: 0 },
  });
});

verifies(
  ['session:usage', 'claim:tokens'],
  'a session shows what its tool counted, and a release what was used since the claim',
  async () => {
    await using home = await createAgentHome();
    await using service = await start({ home: home.root, settings: { SessionsPath: home.config, HostName: 'box' } });
    const shop = await home.repository('shop', 'acme/shop');
    const session = await home.session(1, shop);
    const answers = async (id: string, input: number, output: number) => {
      const usage = { input_tokens: input, cache_read_input_tokens: 100, output_tokens: output };
      await session.appendRecord({
        message: { id, model: 'claude-opus-9', usage, stop_reason: 'tool_use', content: [] },
      });
    };
    const poll = async () => {
      // The next poll finds a change that no folder watch reported.
      service.clock.advance(3_000);
      await service.clock.tick();
    };
    const shown = async () => {
      await poll();
      return (await service.call('GET', `/api/agents/${session.sessionId}`)).body;
    };
    await session.appendRecord({ type: 'user', message: { role: 'user', content: 'Take the next node.' } });
    await answers('msg_1', 1_000, 50);
    await session.reportStatus('busy');
    await expect.poll(shown).toMatchObject({
      model: 'claude-opus-9',
      turns: 1,
      tokens: { input: 1_000, cached: 100, output: 50 },
      contextPercent: null,
    });

    await service.call('POST', '/api/plans', { plan: 'p', repository: 'acme/shop', nodes: [{ id: 'a' }] });
    const at = '/api/plans/p/nodes/a';
    await service.call('POST', `${at}/claim`, { agent: 'ada', session: session.sessionId });
    const history = async () => (await service.call('GET', '/api/plans/p/history')).body as { type: string }[];
    const health = async () => {
      await poll();
      return (await service.call('GET', at)).body.claim.health;
    };
    await expect.poll(health).toBe('held');
    await answers('msg_2', 2_000, 70);
    await answers('msg_2', 2_000, 90);
    await expect.poll(async () => (await shown()).tokens).toEqual({ input: 3_000, cached: 200, output: 140 });
    await service.call('POST', `${at}/release`, { agent: 'ada' });
    const used = { input: 2_000, cached: 100, output: 90 };
    expect((await service.call('GET', at)).body.lastClaim.tokens).toEqual(used);
    expect((await history()).find(({ type }) => type === 'claim_released')).toMatchObject({ data: { tokens: used } });
  },
);
