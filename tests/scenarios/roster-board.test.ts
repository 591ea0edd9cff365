import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { createAgentHome, finalAnswer, toolUse } from '../agents/agent-home.ts';
import { start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';

type Tree = { root: string; sessions: string[]; needsCleanup: boolean; onDisk: boolean; worktree: boolean };

async function scenery() {
  const clock = createSettableClock();
  const scene = await createAgentHome(() => clock.wall());
  const open = (settings: Record<string, string> = {}) =>
    start({ settings: { SessionsPath: scene.config, HostName: 'box', ...settings }, clock });
  return { clock, scene, open };
}

verifies(
  ['agents:board', 'agents:board-members', 'agents:every-session-listed', 'session:tree-null-outside-git'],
  'the board holds every session, however old, and says when it looked',
  async () => {
    const { clock, scene, open } = await scenery();
    await using _ = scene;
    await scene.put('loose/x', '');
    const old = await scene.session(1, join(scene.root, 'loose'));
    await old.appendRecord(finalAnswer);
    await old.exit();
    clock.advance(90 * 86_400_000);
    await using service = await open();
    const { status, body } = await service.call('GET', '/api/agents');
    expect(status).toBe(200);
    expect(body).toEqual({
      sessions: [expect.objectContaining({ sessionId: old.sessionId, state: 'gone', tree: null, host: 'box' })],
      trees: [],
      unlinkedClaims: [],
      ambiguous: [],
      observedAt: new Date(clock.wall()).toISOString(),
      sources: [
        { tool: 'claude-code', path: scene.config, ok: true, detail: null },
        ...['codex', 'gemini', 'copilot', 'opencode', 'amp'].map((tool) =>
          expect.objectContaining({ tool, ok: true, detail: 'directory not found' }),
        ),
      ],
    });
  },
);

verifies(
  'reads:say-their-age',
  'a file that changed is seen at once, and does not say that all was looked at',
  async () => {
    const { clock, scene, open } = await scenery();
    await using _ = scene;
    const session = await scene.session(1, await scene.repository('shop', 'acme/shop'));
    await session.appendRecord(toolUse('Bash'));
    await session.reportStatus('busy');
    await using service = await open();
    const lookedAt = new Date(clock.wall()).toISOString();
    clock.advance(500);
    await session.reportStatus('idle');
    const board = async () => (await service.call('GET', '/api/agents')).body;
    await expect.poll(async () => (await board()).sessions[0].state).toBe('idle');
    expect((await board()).observedAt).toBe(lookedAt);
  },
);

verifies('agents:unknown-404', 'an unknown session is a 404', async () => {
  await using service = await start();
  for (const id of ['00000000-0000-4000-8000-000000000000', 'x', '..%2f..%2fetc']) {
    const { status, body } = await service.call('GET', `/api/agents/${id}`);
    expect([status, body.code]).toEqual([404, 'session_not_found']);
  }
});

verifies(
  ['tree:every-worktree-on-disk', 'tree:no-sessions-count-as-gone', 'tree:unknown-is-not-gone'],
  'every worktree of an agent on disk is a tree; it needs cleanup unless a session of it may live',
  async () => {
    const { scene, open } = await scenery();
    await using _ = scene;
    await scene.repository('shop', 'acme/shop');
    const [empty, unknown, sub] = [
      await scene.worktree('shop', 'empty'),
      await scene.worktree('shop', 'unknown'),
      await scene.worktree('shop', 'agent-a1b2'),
    ];
    const fresh = await scene.session(1, unknown);
    await fresh.appendRecord(finalAnswer);
    await fresh.exit();
    const parent = await scene.session(2, join(scene.root, 'shop'));
    await parent.appendRecord(toolUse('Agent'));
    await parent.reportStatus('busy');
    const subagents = join(parent.transcript.replace(/\.jsonl$/, ''), 'subagents');
    await mkdir(subagents, { recursive: true });
    await writeFile(join(subagents, 'agent-a1b2.jsonl'), '{}\n');
    await using service = await open();
    const { trees } = (await service.call('GET', '/api/agents')).body as { trees: Tree[] };
    const tree = (root: string) => trees.find((each) => each.root === root);
    expect(tree(empty)).toMatchObject({ sessions: [], needsCleanup: true, onDisk: true, worktree: true });
    expect(tree(unknown)).toMatchObject({ sessions: [fresh.sessionId], needsCleanup: false });
    expect(tree(sub)).toMatchObject({ sessions: [parent.sessionId], needsCleanup: false });
  },
);

verifies(
  ['agents:sources', 'config:sessions-path', 'config:codex-path'],
  'several directories are read, and each tells how it went',
  async () => {
    const { scene, open } = await scenery();
    await using _ = scene;
    const other = await createAgentHome();
    await using __ = other;
    await (await scene.session(1, scene.root)).reportStatus('idle');
    await (await other.session(2, other.root)).reportStatus('busy');
    await writeFile(join(other.config, 'sessions', `${process.pid}.json`), '{"half');
    const codex = join(scene.root, 'codex');
    const nowhere = { ok: true, detail: 'directory not found' };
    await using service = await open({ SessionsPath: `${scene.config}, ${other.config}`, CODEX_HOME: codex });
    const { sessions, sources } = (await service.call('GET', '/api/agents')).body;
    expect(sessions.map(({ state }: { state: string }) => state)).toEqual(['running', 'idle']);
    expect(sources).toEqual([
      { tool: 'claude-code', path: scene.config, ok: true, detail: null },
      {
        tool: 'claude-code',
        path: other.config,
        ok: true,
        detail: 'cannot read the registry file of a live process',
      },
      { tool: 'codex', path: codex, ...nowhere },
      { tool: 'gemini', path: join(service.home, '.gemini'), ...nowhere },
      { tool: 'copilot', path: join(service.home, '.copilot'), ...nowhere },
      { tool: 'opencode', path: join(service.home, '.local/share/opencode'), ...nowhere },
      { tool: 'amp', path: join(service.home, '.local/share/amp'), ...nowhere },
    ]);
  },
);

verifies(
  ['hooks:204-at-once', 'hooks:only-sooner'],
  'a hook hastens the next look and names a cause, and cannot end a session that lives',
  async () => {
    const { clock, scene, open } = await scenery();
    await using _ = scene;
    const session = await scene.session(1, await scene.repository('shop', 'acme/shop'));
    await session.appendRecord(finalAnswer);
    await session.reportStatus('idle');
    await using service = await open({ LicenceGate: 'record', Licence: 'none' });
    const told = { session_id: session.sessionId, hook_event_name: 'SessionEnd', reason: 'logout' };
    const look = async () => {
      clock.advance(2_000);
      const { status, text } = await service.call('POST', '/api/agents/hooks', told);
      expect([status, text]).toEqual([204, '']);
      const now = new Date(clock.wall()).toISOString();
      await expect.poll(async () => (await service.call('GET', '/api/agents')).body.observedAt).toBe(now);
      return (await service.call('GET', `/api/agents/${session.sessionId}`)).body;
    };
    expect(await look()).toMatchObject({ state: 'idle' });
    await session.exit();
    await look();
    expect(await look()).toMatchObject({ state: 'gone', reason: 'session_end:logout' });
    for (const body of ['[]', 'null', '7', '{}']) {
      expect((await service.call('POST', '/api/agents/hooks', body)).status).toBe(204);
    }
  },
);

verifies('agents:session-runs', 'a session lists the runs that it started', async () => {
  const { clock, scene, open } = await scenery();
  await using _ = scene;
  const session = await scene.session(1, await scene.repository('shop', 'acme/shop'));
  await session.reportStatus('busy');
  await using service = await open();
  const at = new Date(clock.wall()).toISOString();
  const begun = (runId: string, more: object = {}) => ({ type: 'run_started', runId, suite: 'unit', at, ...more });
  await service.console('POST', '/api/ingest', [begun('mine', { session: session.sessionId }), begun('other')]);
  await expect
    .poll(async () => (await service.call('GET', `/api/agents/${session.sessionId}`)).body.runs)
    .toMatchObject([{ runId: 'mine', suite: 'unit' }]);
});

verifies(
  ['agents:mcp-seven-days', 'mcp:list-agents-board'],
  'the tool gives the last week of the board, and what fits',
  async () => {
    const { clock, scene, open } = await scenery();
    await using _ = scene;
    for (const number of [1, 2]) {
      const session = await scene.session(number, scene.root);
      await session.appendRecord(finalAnswer);
      await session.exit();
      if (number === 1) clock.advance(8 * 86_400_000);
    }
    await using service = await open();
    const client = await newMcpClient(service.url);
    type Given = { structuredContent: { sessions: { sessionId: string }[]; truncated?: boolean; leftOff?: number } };
    const list = async (args: object = {}) =>
      ((await client.callTool({ name: 'list_agents', arguments: { ...args } })) as Given).structuredContent;
    const { sessions } = await list();
    expect(sessions.map(({ sessionId }) => sessionId.slice(0, 8))).toEqual(['00000002']);
    expect((await list({ since: '30d' })).sessions).toHaveLength(2);
    expect(await list({ since: '30d', maxBytes: 1850 })).toMatchObject({ truncated: true, leftOff: 1 });
    await client.close();
  },
);
