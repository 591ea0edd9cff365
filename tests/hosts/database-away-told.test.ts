import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { viaEvents } from '../hub/clients.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { openCuttingProxy } from '../postgres/cutting-proxy.ts';
import { signalbox } from '../spawn.ts';
import { type Started, start } from '../start.ts';
import { newMcpClient, openSocket } from '../transports.ts';

const patience = { interval: 50 };
const isTime = expect.stringMatching(/^20\d\d-\d\d-\d\dT/);

const freshnessOf = async ({ call }: Started, path = '/api/plans') => {
  const { headers } = await call('GET', path);
  const [asOf, host] = [headers.get('signalbox-as-of'), headers.get('signalbox-host')];
  return { asOf, host, staleSince: headers.get('signalbox-stale-since'), age: headers.get('age') };
};

async function typed(args: string[], { url, home }: Started) {
  await using command = signalbox(args, { SIGNALBOX_SERVICE_URL: url }, home);
  await command.ended;
  return command.out() + command.err();
}

async function listedOverMcp(url: string) {
  const client = await newMcpClient(url);
  const { structuredContent } = await client.callTool({ name: 'list_plans', arguments: {} });
  await client.close();
  return structuredContent as { items: unknown[]; stale?: { since: string } };
}

test.each(['cut', 'black hole'])(
  'a host whose database is away (%s) says so through every door, and again when it is back',
  async (how) => {
    await using proxy = await openCuttingProxy();
    const Store = proxy.through(await cloneDatabase());
    await using service = await start({ clock: systemClock, settings: { Store, HostName: 'gamma' } });
    await service.call('POST', '/api/plans', { plan: 'shop', nodes: [{ id: 'a' }] });
    await using heard = await viaEvents({ url: service.url }, '?types=store_changed');
    await using socket = await openSocket(service.url);
    expect(await freshnessOf(service)).toMatchObject({ asOf: isTime, host: 'gamma', staleSince: null, age: null });
    expect(await listedOverMcp(service.url)).not.toHaveProperty('stale');

    if (how === 'cut') proxy.refuse(true);
    else proxy.delay(600_000);
    if (how === 'cut') proxy.cut();
    await heard.untilOne(({ data }) => data.staleSince !== null);
    const fresh = await freshnessOf(service);
    expect(fresh).toMatchObject({
      asOf: isTime,
      host: 'gamma',
      staleSince: fresh.asOf,
      age: expect.stringMatching(/^\d+$/),
    });
    expect(await listedOverMcp(service.url)).toMatchObject({ items: [{}], stale: { since: fresh.asOf } });
    socket.send({ jsonrpc: '2.0', id: 1, method: 'list_plans' });
    expect(await socket.answer(1)).toMatchObject({ stale: { since: fresh.asOf } });
    expect(await typed(['status'], service)).toMatch(/^NOT READY The database has been unreachable since /);
    expect(await typed(['top'], service)).toMatch(
      /as of \d\d:\d\d:\d\d UTC, the database has been unreachable since then/,
    );
    expect(await typed(['ready'], service)).toMatch(
      /The database has been unreachable since \d\d:\d\d:\d\d UTC: this answer is from that time/,
    );

    proxy.delay(0);
    proxy.refuse(false);
    // Delayed data is not released: the connections end as they do when a network comes back.
    proxy.cut();
    await heard.untilOne(({ data }) => data.staleSince === null);
    await expect.poll(() => freshnessOf(service), patience).toMatchObject({ staleSince: null, age: null });
    expect(await listedOverMcp(service.url)).not.toHaveProperty('stale');
    expect(await typed(['ready'], service)).not.toMatch(/database/);
    await expect
      .poll(() => service.logged(), patience)
      .toMatch(/the database cannot be reached[\s\S]*can be reached again/);
  },
);

test('every read of both ports names its host and its time', async () => {
  await using service = await start({ settings: { HostName: 'büro' } });
  for (const path of ['/api/plans', '/api/runs', '/api/agents', '/api/needs', '/api/hosts'])
    expect(await freshnessOf(service, path)).toMatchObject({
      asOf: isTime,
      host: encodeURIComponent('büro'),
      age: null,
    });
  const { headers } = await service.console('GET', '/api/runs');
  expect(headers.get('signalbox-as-of')).toEqual(isTime);
});
