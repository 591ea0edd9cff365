import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import { createPublisher } from '../../packages/publisher/src/publisher.ts';
import { readConfig } from '../../packages/service/src/app/config.ts';
import { viaSignalr } from '../hub/clients.ts';
import { smallRun } from '../recorded-run.ts';
import { signalbox } from '../spawn.ts';
import { caller, start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { openInterface } from './client.ts';
import { promises } from './promises.ts';

promises(
  ['1.1', '1.3', '1.4', '1.5', '1.6', '1.7', '1.16', '4.31'],
  'one process serves both ports, each with what the document gives it, and may read the runs of another',
  async () => {
    await using far = await start();
    await using near = await start({ settings: { PublisherUrl: far.consoleUrl } });
    const page = await near.call('GET', '/');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
    for (const path of ['/api/plans', '/api/agents', '/api/memory?q=port', '/api/repositories'])
      expect((await near.call('GET', path)).status, path).toBe(200);
    await using hub = await viaSignalr(near);
    await near.call('POST', '/api/plans', { plan: 'p', nodes: [{ id: 'n', binding: { kind: 'suite' } }] });
    await hub.untilOne(({ type }) => type === 'plan_changed');
    expect((await near.console('POST', '/api/messages/negotiate')).status).toBe(404);
    const mcp = await newMcpClient(near.url);
    expect((await mcp.listTools()).tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['next_ready_nodes', 'claim_node', 'report_node', 'release_node']),
    );
    await mcp.close();
    for (const path of ['/api/runs', '/api/event-model/coverage'])
      expect([200, 404]).toContain((await near.console('GET', path)).status);
    await far.console('POST', '/api/ingest', { events: smallRun('r1', { tag: 'p/n' }) });
    near.clock.advance(2_000);
    await near.clock.tick();
    await expect.poll(async () => (await near.call('GET', '/api/plans/p/nodes/n')).body.status).toBe('done');
  },
);

promises(
  ['1.2', '1.13', '1.14', '1.15', '1.18'],
  'ports come from the environment alone, and the console runs alone, without MCP',
  async () => {
    const read = (env: Record<string, string>, args: string[] = []) =>
      readConfig({ env, args, cwd: '/', home: '/home/ada' });
    expect(read({}).config).toMatchObject({ port: 5526, consolePort: 5525 });
    expect(read({ PORT: '8026,8025' }).config).toMatchObject({ port: 8026, consolePort: 8025 });
    const ignored = read({}, ['start', '--port=9', '--urls=http://0.0.0.0:9']);
    expect(ignored.config).toMatchObject({ port: 5526, consolePort: 5525 });
    expect(ignored.warnings.join('\n')).toMatch(/--port has no effect/);
    await using alone = signalbox(['console'], { CONSOLE_PORT: '0' });
    const [, url = ''] = await alone.says(/run console\s+(\S+)\n/);
    const call = caller(url);
    expect((await call('GET', '/api/ping')).status).toBe(200);
    expect((await call('POST', '/api/ingest', { events: smallRun('r1') })).status).toBe(202);
    expect((await call('POST', '/api/mcp', {})).status).toBe(404);
    expect((await call('GET', '/api/plans')).status).toBe(404);
  },
);

promises(
  ['5.1', '5.2', '5.3'],
  'without a licence the work loop is a 402, by both doors alike; what else is gated is the rule of record',
  async () => {
    await using on = await openInterface({ Licence: 'none' });
    expect((await on.call('POST', '/api/plans', { plan: 'p', nodes: [{ id: 'n' }] })).status).toBe(201);
    const rest = await on.get('/api/plans/ready');
    const tool = await on.tool('next_ready_nodes');
    expect([rest.status, tool.status]).toEqual([402, 402]);
    const { untrusted: _words, ...told } = tool.body;
    expect(told).toEqual(rest.body);
    for (const loop of Object.values(on.doors))
      for (const what of ['claim', 'report', 'release'] as const)
        expect((await loop(what, 'p', 'n', { agent: 'ada', note: 'n' })).status).toBe(402);
    for (const path of ['/api/plans', '/api/plans/p/status', '/api/agents', '/api/repositories'])
      expect((await on.get(path)).status, path).toBe(200);
    await using record = await openInterface({ Licence: 'none', LicenceGate: 'record' });
    expect((await record.call('POST', '/api/plans', { plan: 'p' })).status).toBe(402);
    expect((await record.tool('list_plans')).status).toBe(402);
    expect((await record.get('/api/plans')).status).toBe(200);
  },
);

promises(
  ['8.1'],
  'a publisher asks once whether anyone listens, and is silent for the whole run where nobody answers in time',
  async () => {
    const asked: string[] = [];
    // Accepts the request and never answers.
    const server = createServer((request) => void asked.push(`${request.method} ${request.url}`));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const publisher = createPublisher({ url, suite: 'unit' });
    publisher.begin(1);
    await publisher.close();
    // This process is also the server, and may be late to read the request.
    await expect.poll(() => asked).toEqual(['GET /api/ping']);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  },
);
