import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createAgentHome, toolUse } from '../agents/agent-home.ts';
import { start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';

const plan = { plan: 'shop', repository: 'acme/shop', nodes: ['a', 'b', 'c', 'd'].map((id) => ({ id })) };

/** A service on the system's own clock, with two live sessions in one repository: the repository alone does not identify a session. */
async function twoSessions() {
  const scene = await createAgentHome();
  const shop = await scene.repository('shop', 'acme/shop');
  const [one, two] = [await scene.session(1, shop), await scene.session(2, shop)];
  for (const session of [one, two]) {
    await session.appendRecord(toolUse('Bash'));
    await session.reportStatus('busy');
  }
  const service = await start({ home: scene.root, settings: { SessionsPath: scene.config } });
  await service.call('POST', '/api/plans', plan);
  const client = await newMcpClient(service.url);
  const node = async (id: string) =>
    (await service.call('GET', '/api/plans/shop/status')).body.nodes.find((one: { id: string }) => one.id === id);
  return {
    one,
    two,
    service,
    claim: (id: string, _meta: Record<string, unknown>) =>
      client.callTool({ name: 'claim_node', arguments: { plan: 'shop', node: id, agent: 'ada' }, _meta }),
    link: async (id: string) => {
      const { sessionId, correlation, linkedBy } = (await node(id)).claim;
      return { sessionId, correlation, linkedBy };
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await service.stop();
      await scene[Symbol.asyncDispose]();
    },
  };
}

verifies(
  ['link:by-client', 'link:linked-by'],
  'a claim of Claude Code is linked to the session whose records hold the call, its subagents included',
  async () => {
    await using on = await twoSessions();
    await on.claim('a', { 'claudecode/toolUseId': 'toolu_main' });
    const block = { type: 'tool_use', id: 'toolu_main', name: 'mcp__signalbox__claim_node', input: {} };
    await on.two.appendRecord({ message: { stop_reason: 'tool_use', content: [block] } });
    const second = { sessionId: on.two.sessionId, correlation: 'strong', linkedBy: 'client' };
    await expect.poll(() => on.link('a')).toEqual(second);

    const folder = join(on.one.transcript.replace(/\.jsonl$/, ''), 'subagents');
    await mkdir(folder, { recursive: true });
    await writeFile(
      join(folder, 'agent-7.jsonl'),
      `${JSON.stringify({ message: { content: [{ id: 'toolu_sub' }] } })}\n`,
    );
    await on.claim('b', { 'claudecode/toolUseId': 'toolu_sub' });
    await expect.poll(() => on.link('b')).toEqual({ ...second, sessionId: on.one.sessionId });
  },
);

verifies(
  ['link:by-client', 'link:linked-by'],
  'what Codex or a hook says of the session is taken at once',
  async () => {
    await using on = await twoSessions();
    await on.claim('c', { sessionId: on.two.sessionId, threadId: on.one.sessionId });
    expect(await on.link('c')).toEqual({ sessionId: on.two.sessionId, correlation: 'strong', linkedBy: 'client' });
    const payload = { hook_event_name: 'PreToolUse', session_id: on.one.sessionId, tool_use_id: 'toolu_hook' };
    await on.service.call('POST', '/api/agents/hooks', payload);
    await on.claim('d', { 'claudecode/toolUseId': 'toolu_hook' });
    expect(await on.link('d')).toEqual({ sessionId: on.one.sessionId, correlation: 'strong', linkedBy: 'hook' });
  },
);
