import { expect } from 'vitest';
import { type Started, start } from '../start.ts';
import { newMcpClient, oldMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';

const nodes = [{ id: 'lexer', repository: 'acme/shop' }];

/** Records the notifications of a current client, and waits for one of them. */
async function listener(service: Started, filter: { uris?: string[]; list?: true }) {
  const client = await newMcpClient(service.url);
  const heard: string[] = [];
  const waiting = new Set<() => void>();
  const hear = (what: string) => {
    heard.push(what);
    for (const look of waiting) look();
  };
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => hear(params.uri));
  client.setNotificationHandler('notifications/resources/list_changed', () => hear('list'));
  const subscription = await client.listen({
    ...(filter.uris && { resourceSubscriptions: filter.uris }),
    ...(filter.list && { resourcesListChanged: true }),
  });
  return {
    client,
    heard,
    subscription,
    until: (what: string) =>
      new Promise<void>((resolve) => {
        const look = () => void (heard.includes(what) && resolve());
        waiting.add(look);
        look();
      }),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

verifies(
  'mcp:resource-subscriptions',
  'a client that subscribes to a plan hears each change of it and of its claims, and of no other plan',
  async () => {
    await using service = await start();
    await service.call('POST', '/api/plans', { plan: 'shop', nodes });
    await service.call('POST', '/api/plans', { plan: 'other', nodes });
    await using on = await listener(service, { uris: ['signalbox://plan/shop'] });
    expect(on.subscription.honoredFilter).toEqual({ resourceSubscriptions: ['signalbox://plan/shop'] });
    await service.call('POST', '/api/plans/other/nodes/lexer/claim', { agent: 'ada' });
    await service.call('POST', '/api/plans/shop/nodes/lexer/claim', { agent: 'ada' });
    await on.until('signalbox://plan/shop');
    expect(new Set(on.heard)).toEqual(new Set(['signalbox://plan/shop']));
  },
);

verifies(
  'mcp:resource-subscriptions',
  'plans are listed as resources, and a plan that comes or goes is announced to those who listen for it',
  async () => {
    await using service = await start();
    await service.call('POST', '/api/plans', { plan: 'shop', title: 'The shop', nodes });
    await using on = await listener(service, { list: true });
    const uris = async () => (await on.client.listResources()).resources.map(({ uri, title }) => [uri, title]);
    expect(await uris()).toEqual([['signalbox://plan/shop', 'The shop']]);
    await service.call('POST', '/api/plans/shop/nodes/lexer/claim', { agent: 'ada' });
    expect(on.heard).toEqual([]);
    await service.call('POST', '/api/plans', { plan: 'new' });
    await on.until('list');
    expect(on.heard).toEqual(['list']);
    await service.stop();
    expect(['graceful', 'remote']).toContain(await on.subscription.closed);
  },
);

verifies(
  'mcp:resource-subscriptions',
  'a client of the generation before is not promised subscriptions, and reads the same resources',
  async () => {
    await using service = await start();
    await service.call('POST', '/api/plans', { plan: 'shop', nodes });
    const old = await oldMcpClient(service.url);
    expect(old.getServerCapabilities()).toEqual({ tools: {}, prompts: {}, resources: {}, completions: {} });
    expect((await old.listResources()).resources.map(({ uri }) => uri)).toEqual(['signalbox://plan/shop']);
    await expect(old.subscribeResource({ uri: 'signalbox://plan/shop' })).rejects.toMatchObject({ code: -32601 });
    // The protocol's answer if no stream is offered; clients understand it.
    expect((await service.call('GET', '/api/mcp', undefined, { accept: 'text/event-stream' })).status).toBe(405);
    await old.close();
  },
);

verifies.each(['new', 'old'])(
  'mcp:completions',
  'arguments of prompts and resource templates are completed from plans, runs and repositories',
  async (generation) => {
    await using service = await start();
    await service.call('POST', '/api/plans', { plan: 'web-shop', nodes });
    await service.call('POST', '/api/plans', { plan: 'shop', nodes });
    const client = generation === 'new' ? await newMcpClient(service.url) : await oldMcpClient(service.url);
    const completed = async (ref: { type: string; name?: string; uri?: string }, name: string, value: string) =>
      (await client.complete({ ref, argument: { name, value } } as never)).completion;
    const template = { type: 'ref/resource', uri: 'signalbox://plan/{slug}' };
    expect(await completed(template, 'slug', 'SH')).toEqual({ values: ['shop', 'web-shop'], total: 2, hasMore: false });
    expect((await completed(template, 'slug', 'web')).values).toEqual(['web-shop']);
    const prompt = { type: 'ref/prompt', name: 'take_work' };
    expect((await completed(prompt, 'repository', 'ac')).values).toEqual(['acme/shop']);
    expect((await completed(prompt, 'agent', 'a')).values).toEqual([]);
    const run = { type: 'ref/resource', uri: 'signalbox://run/{runId}' };
    expect((await completed(run, 'runId', '')).values).toEqual([]);
    await expect(completed(prompt, 'nothing', '')).rejects.toThrow('take_work has no argument nothing');
    await client.close();
  },
);
