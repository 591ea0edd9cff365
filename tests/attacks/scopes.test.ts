import { afterAll, beforeAll, expect, test } from 'vitest';
import { consoleCommands } from '../../packages/service/src/console/registry.ts';
import { coordinationCommands } from '../../packages/service/src/coordination/registry.ts';
import { scopes } from '../../packages/service/src/kernel/access.ts';
import type { AnyCommand } from '../../packages/service/src/kernel/command.ts';
import { viaSocket } from '../hub/clients.ts';
import { bearer, type Closed, mcpWith, startClosed, type TokenHolder } from '../tokens.ts';
import { openSocket } from '../transports.ts';
import { verifies } from '../verifies.ts';

// REST, MCP, the socket, the hub and ingest. Written by hand, so that a command that now requires less than before
// fails here.
const tokensThatMay = {
  read: ['read', 'work', 'author', 'admin'],
  runs: ['read', 'work', 'author', 'publish', 'admin'],
  work: ['work', 'author', 'admin'],
  author: ['author', 'admin'],
  publish: ['publish', 'admin'],
  observe: ['observe', 'admin'],
  admin: ['admin'],
  anyone: scopes,
} as const;
type Kind = keyof typeof tokensThatMay;

const coordination: Record<Kind, string> = {
  anyone: '',
  read: 'next_ready_nodes await_dependencies await_node list_plans get_plan plan_document plan_history plan_status node_status simulate_plan list_agents get_agent unsaved_work list_needs list_hosts list_repositories get_repository search_notes list_activity activity_report list_overlaps list_changes rehearse_merges',
  runs: 'list_runs list_suites suite_badge list_tests test_history run_attachment run_status export_run failing_tests flaky_tests await_run event_model slice_coverage event_model_diagram',
  work: 'claim_next claim_node report_node release_node split_node add_dependency bind_node withdraw_submission agent_hook note_repository',
  author:
    'sign_off_node reset_node create_plan import_plan archive_plan rescan_plans add_node update_node remove_node remove_dependency register_repository declare_repository eject_run',
  publish: '',
  observe: 'send_observations',
  admin:
    'eject_runs list_tokens create_token revoke_token end_logins accept_history list_audit list_webhooks list_deliveries redeliver_webhook test_webhooks',
};
const console: Record<Kind, string> = {
  anyone: 'ping',
  read: '',
  runs: 'list_runs list_suites suite_badge list_tests test_history get_run get_run_export get_run_attachment event_model slice_coverage event_model_diagram',
  work: '',
  author: 'eject_run',
  publish: 'push_event_model push_default_event_model remove_event_model',
  observe: '',
  admin: 'eject_runs',
};
const kindOf = (table: Record<Kind, string>, name: string): Kind =>
  (Object.keys(table) as Kind[]).find((kind) => table[kind].split(' ').includes(name)) ??
  expect.fail(`${name} stands in no row: say here who may call it`);

let service: Closed;
let holders: Map<string, TokenHolder>;
beforeAll(async () => {
  service = await startClosed();
  holders = new Map();
  for (const scope of scopes) holders.set(scope, await service.named(`only-${scope}`, [scope]));
});
afterAll(() => service.stop());

const holderOf = (scope: string): TokenHolder => holders.get(scope) ?? expect.fail(scope);

/** An unknown member stops an allowed call before it does anything. */
async function overRest(command: AnyCommand<never>, call: TokenHolder['call']) {
  const { method, path } = command.rest ?? expect.fail(command.name);
  const body = method === 'GET' || method === 'DELETE' ? undefined : { nonsense: true };
  return call(method, `${path.replace(/\{\w+\}/g, 'x')}?nonsense=1`, body);
}

const ports = [
  ['coordination', coordination, coordinationCommands as readonly AnyCommand<never>[], 'call'],
  ['the console', console, consoleCommands as readonly AnyCommand<never>[], 'console'],
] as const;

for (const [port, table, commands, door] of ports) {
  verifies('scope:matrix', `every command of ${port} over REST is allowed by its scope, or 403`, async () => {
    for (const command of commands) {
      if (!command.rest) continue;
      const may: readonly string[] = tokensThatMay[kindOf(table, command.name)];
      for (const scope of scopes) {
        const answer = await overRest(command, holderOf(scope)[door]);
        const told = `${command.name} with ${scope}: ${answer.status} ${answer.body?.code}`;
        if (may.includes(scope)) expect.soft([401, 403].includes(answer.status), told).toBe(false);
        else {
          expect.soft([answer.status, answer.body.code], told).toEqual([403, 'scope_required']);
          expect.soft(may, told).toContain(answer.body.scope);
        }
      }
    }
  });
}

verifies('scope:matrix', 'every tool is allowed by its scope, or 403', async () => {
  const tools = (coordinationCommands as readonly AnyCommand<never>[]).filter(({ mcp }) => mcp !== false);
  for (const scope of scopes) {
    const client = await mcpWith(service.url, holderOf(scope).token);
    for (const { name } of tools) {
      const may: readonly string[] = tokensThatMay[kindOf(coordination, name)];
      const { structuredContent } = await client.callTool({ name, arguments: { nonsense: true } });
      const { status, code } = structuredContent as { status: number; code: string };
      const expected = may.includes(scope) ? [400, expect.any(String)] : [403, 'scope_required'];
      expect.soft([status, code], `${name} with ${scope}`).toEqual(expected);
    }
    await client.close();
  }
});

verifies(
  'scope:matrix',
  'every command on a socket is allowed by its scope, or 403, and so is subscribing',
  async () => {
    for (const scope of scopes) {
      await using socket = await openSocket(service.url, bearer(holderOf(scope).token));
      const names = (coordinationCommands as readonly AnyCommand<never>[]).map(({ name }) => name);
      for (const [id, method] of ['subscribe', ...names].entries()) {
        const may: readonly string[] = tokensThatMay[method === 'subscribe' ? 'read' : kindOf(coordination, method)];
        socket.send({ jsonrpc: '2.0', id, method, params: { nonsense: true } });
        const { error } = await socket.answer(id);
        const { status, code } = (error?.data ?? {}) as { status?: number; code?: string };
        const expected = may.includes(scope) ? [400, expect.any(String)] : [403, 'scope_required'];
        expect.soft([status, code], `${method} with ${scope}`).toEqual(expected);
      }
    }
    await expect(openSocket(service.url)).rejects.toThrow('401');
  },
);

const extraRoutes: ReadonlyArray<readonly [door: 'call' | 'console', method: string, path: string, kind: Kind]> = [
  ['console', 'POST', '/api/ingest', 'publish'],
  ['call', 'GET', '/api/messages', 'read'],
  ['call', 'POST', '/api/messages/negotiate', 'read'],
  ['call', 'GET', '/metrics', 'read'],
  ['console', 'GET', '/metrics', 'read'],
  ['call', 'GET', '/api/socket', 'anyone'],
  ['call', 'GET', '/api/licence', 'anyone'],
  ['call', 'GET', '/api/me', 'anyone'],
  ['console', 'GET', '/api/me', 'anyone'],
  ['call', 'GET', '/api/docs', 'anyone'],
  ['call', 'GET', '/api/openapi.json', 'anyone'],
];

verifies('scope:matrix', 'ingest, the hub and every other route ask for their scope, too', async () => {
  for (const [door, method, path, kind] of extraRoutes) {
    for (const scope of scopes) {
      const body = method === 'POST' && path === '/api/ingest' ? { events: [] } : undefined;
      const { status, body: answer } = await holderOf(scope)[door](method, path, body);
      const may: readonly string[] = tokensThatMay[kind];
      const told = `${method} ${path} with ${scope}: ${status}`;
      if (may.includes(scope)) expect.soft([401, 403].includes(status), told).toBe(false);
      else expect.soft([status, answer.code], told).toEqual([403, 'scope_required']);
    }
    const nobody = await service[door](method, path, path === '/api/ingest' ? { events: [] } : undefined);
    expect.soft(nobody.status, path).toBe(401);
  }
});

verifies('scope:matrix', 'a stream and a WebSocket ask for the scope before they open', async () => {
  for (const scope of scopes) {
    const isAllowed = tokensThatMay.read.includes(scope as never);
    const socket = viaSocket(service, '', bearer(holderOf(scope).token));
    if (isAllowed) await (await socket)[Symbol.asyncDispose]();
    else await expect(socket).rejects.toThrow('403');
    const response = await fetch(`${service.url}/api/messages`, {
      headers: { ...bearer(holderOf(scope).token), accept: 'text/event-stream' },
    });
    expect.soft(response.status, scope).toBe(isAllowed ? 200 : 403);
    await response.body?.cancel();
  }
});

verifies('scope:in-openapi', 'the reference lists the scope of every call', async () => {
  const { paths } = (await service.operator.call('GET', '/api/openapi.json')).body;
  expect(paths['/api/plans'].post.security).toEqual([{}, { token: ['author'] }]);
  expect(paths['/api/runs'].get.security).toEqual([{}, { token: ['read'] }, { token: ['publish'] }]);
  expect(paths['/api/ping'].get.security).toEqual([]);
});

test('the table lists exactly the existing commands', () => {
  for (const [, table, commands] of ports) {
    const listed = Object.values(table).flatMap((names) => names.split(' ').filter((name) => name !== ''));
    expect(listed.sort()).toEqual(commands.map(({ name }) => name).sort());
  }
});
