import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';
import { createAgentHome, toolUse } from './agent-home.ts';

const secret = 'PLANTED-s3cr3t';

async function textsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(files.map(async (file) => (await readFile(file)).toString('latin1')));
}

verifies(
  ['session:prompts-never-served', 'session:title-given-only'],
  'nothing that was typed, read or written in a session is kept, logged or served',
  async () => {
    await using scene = await createAgentHome();
    const shop = await scene.repository('shop', 'acme/shop');
    await scene.put('shop/.git/config', `[remote "origin"]\n\turl = https://u:${secret}@github.com/acme/shop.git\n`);
    const session = await scene.session(1, shop);
    const prompt = { type: 'user', promptSource: 'typed', message: { content: `use ${secret}` } };
    const result = {
      type: 'user',
      message: { content: [{ type: 'tool_result', content: secret }] },
      toolUseResult: secret,
    };
    const failed = { isApiErrorMessage: true, error: secret, message: { content: [{ type: 'text', text: secret }] } };
    const said = { message: { stop_reason: secret, content: [{ type: 'text', text: secret }] } };
    const odd = toolUse(`${secret} --flag`, { command: secret });
    const titles = ['ai-title', 'summary', 'last-prompt', 'custom-title'].map((type) => ({
      type,
      aiTitle: secret,
      summary: secret,
      lastPrompt: secret,
      customTitle: secret,
    }));
    for (const record of [prompt, result, failed, said, ...titles, toolUse('Bash', { command: secret }), odd])
      await session.appendRecord(record);
    await session.reportStatus('waiting', {
      waitingFor: `approve ${secret}: rm -rf`,
      prompt: secret,
      lastPrompt: secret,
    });
    await writeFile(join(scene.config, 'history.jsonl'), `{"display":"${secret}"}\n`);
    const day = join(scene.root, 'codex/sessions/2026/01/01');
    await mkdir(day, { recursive: true });
    const rollout = join(day, 'rollout-2026-01-01T00-00-00-00000007-0000-4000-8000-000000000000.jsonl');
    const item = { type: 'function_call', name: `${secret} x`, arguments: secret };
    await writeFile(rollout, `${JSON.stringify({ type: 'response_item', payload: item, instructions: secret })}\n`);

    const settings = { SessionsPath: scene.config, CODEX_HOME: join(scene.root, 'codex'), LicenceGate: 'off' };
    await using service = await start({ settings, clock: systemClock });
    const answers: string[] = [];
    const ask = async (method: string, path: string, body?: unknown) => {
      const answer = await service.call(method, path, body);
      answers.push(answer.text, JSON.stringify([...answer.headers]));
      return answer;
    };
    const hook = {
      session_id: session.sessionId,
      hook_event_name: 'UserPromptSubmit',
      prompt: secret,
      tool_input: { a: secret },
    };
    expect((await ask('POST', '/api/agents/hooks', hook)).status).toBe(204);
    await ask('POST', '/api/agents/hooks', { ...hook, hook_event_name: 'SessionEnd', reason: secret });
    await ask('POST', '/api/plans', { plan: 'p', title: 'P', repository: 'acme/shop', nodes: [{ id: 'a' }] });
    await ask('POST', '/api/plans/p/nodes/a/claim', { agent: 'ada' });
    const { sessions } = (await ask('GET', '/api/agents')).body;
    expect(sessions).toHaveLength(2);
    for (const { sessionId } of sessions) await ask('GET', `/api/agents/${sessionId}`);
    for (const path of ['/api/plans/p/status', '/api/plans/p/history', '/api/plans/ready']) await ask('GET', path);
    const client = await newMcpClient(service.url);
    for (const name of ['list_agents', 'plan_status']) {
      answers.push(
        JSON.stringify(await client.callTool({ name, arguments: name === 'plan_status' ? { plan: 'p' } : {} })),
      );
    }
    await client.close();
    await session.exit();
    await expect
      .poll(async () => (await ask('GET', `/api/agents/${session.sessionId}`)).body.state)
      .not.toBe('running');
    await service.stop();

    const kept = [...answers, service.logged(), ...(await textsIn(service.dataPath))];
    expect(kept.join('').length).toBeGreaterThan(10_000);
    expect(kept.filter((text) => text.includes(secret))).toEqual([]);
  },
);
