import { expect } from 'vitest';
import { start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';

const wallets = {
  name: 'Wallets',
  slices: [
    { name: 'CreditWallet', domain: 'Banking', specifications: [{ identity: 'Wallet/credit' }] },
    { name: 'Statement', domain: 'Reports' },
  ],
};

verifies(
  ['model:relayed', 'coverage:mcp', 'mcp:run-tools'],
  'the Event Model is read on 5526 as on 5525, over REST and MCP',
  async () => {
    await using service = await start();
    expect((await service.call('GET', '/api/event-model')).body.code).toBe('no_event_model');
    expect((await service.console('PUT', '/api/event-model/host', wallets)).status).toBe(204);
    for (const path of [
      '/api/event-model',
      '/api/event-model?domain=banking',
      '/api/event-model/coverage',
      '/api/event-model/diagram?format=svg',
      '/api/event-model/diagram?format=mermaid',
    ]) {
      const [here, there] = [await service.call('GET', path), await service.console('GET', path)];
      expect.soft([here.status, here.text], path).toEqual([200, there.text]);
    }
    const client = await newMcpClient(service.url);
    const told = async (name: string) => {
      const { structuredContent = {} } = (await client.callTool({ name, arguments: {} })) as {
        structuredContent?: object;
      };
      const { untrusted: _words, ...rest } = structuredContent as { untrusted?: string[] };
      return rest;
    };
    expect(await told('event_model')).toEqual((await service.call('GET', '/api/event-model')).body);
    expect(await told('slice_coverage')).toEqual((await service.call('GET', '/api/event-model/coverage')).body);
    await client.close();
  },
);

verifies(
  'remote:event-model',
  'with PublisherUrl the Event Model comes from that console, and its last answer stands while it is away',
  async () => {
    const far = await start();
    await far.console('PUT', '/api/event-model/host', wallets);
    await using near = await start({ settings: { PublisherUrl: far.consoleUrl } });
    const model = (await near.call('GET', '/api/event-model?domain=banking')).body;
    expect(model).toEqual((await far.console('GET', '/api/event-model?domain=banking')).body);
    await far.console('PUT', '/api/event-model/host', { name: 'Wallets', slices: [] });
    near.clock.advance(5_000);
    await near.clock.tick();
    expect((await near.call('GET', '/api/event-model')).body.slices).toEqual([]);
    const ages = async () => {
      const answers = [await near.call('GET', '/api/event-model'), await near.call('GET', '/api/event-model/coverage')];
      return answers.map(({ headers }) => headers.get('age'));
    };
    expect(await ages()).toEqual(['0', '0']);
    await far[Symbol.asyncDispose]();
    near.clock.advance(5_000);
    await near.clock.tick();
    expect((await near.call('GET', '/api/event-model')).body.slices).toEqual([]);
    expect(await ages()).toEqual(['5', '5']);
    expect((await near.call('GET', '/api/event-model/diagram')).body.code).toBe('host_unavailable');
  },
);
