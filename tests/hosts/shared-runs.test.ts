import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { host as hostModel, specs } from '../../packages/event-model/testing/wallets.ts';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { viaEvents } from '../hub/clients.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { type Started, start } from '../start.ts';
import { newMcpClient } from '../transports.ts';
import { verifies } from '../verifies.ts';
import { silenceHost } from './silence-host.ts';
import { wholeRun } from './whole-run.ts';

const patience = { interval: 50 };
const host = (Store: string, HostName: string, more: { home?: string; Token?: string } = {}) => {
  const { home, ...settings } = more;
  return start({
    clock: systemClock,
    settings: { Store, HostName, LicenceGate: 'off', ...settings },
    ...(home !== undefined && { home }),
  });
};
const token = { authorization: 'Bearer a shared secret of hosts' };
const get = ({ call }: Started, path: string) => call('GET', path, undefined, token);
const ingest = ({ console }: Started, events: object[]) => console('POST', '/api/ingest', { events }, token);

async function lists({ call }: Started): Promise<unknown[]> {
  const { body } = await call('GET', '/api/runs', undefined, token);
  return body.map(({ runId, host: at }: { runId: string; host: string }) => [runId, at]);
}

verifies(
  ['hosts:all-runs-listed', 'hosts:archives-stay', 'hosts:relayed', 'hosts:bulk-delete-own'],
  'every host lists the runs of all; detail, export and DELETE go to the host that took the run in, a bulk DELETE stays',
  async () => {
    const store = await cloneDatabase();
    await using ada = await host(store, 'ada', { Token: 'a shared secret of hosts' });
    await using bob = await host(store, 'bob', { Token: 'a shared secret of hosts' });
    await ingest(ada, wholeRun('of-ada', 'Cart/total', 'CleanPass'));
    await ingest(bob, wholeRun('of-bob', 'Cart/total', 'Failed', { startedAt: '2026-01-01T09:00:00.500Z' }));
    const both = [
      ['of-ada', 'ada'],
      ['of-bob', 'bob'],
    ];
    for (const one of [ada, bob]) await expect.poll(() => lists(one), patience).toEqual(both);
    expect(readdirSync(join(ada.dataPath, 'runs'))).not.toContain('of-bob.ndjson');

    for (const path of ['/api/runs/of-ada', '/api/runs/OF-ADA/export?format=ndjson', '/api/runs/of-ada/export']) {
      const [there, here] = [await get(bob, path), await get(ada, path)];
      expect([there.status, there.text]).toEqual([200, here.text]);
      expect(there.headers.get('content-disposition')).toBe(here.headers.get('content-disposition'));
    }
    expect((await get(bob, '/api/runs/of-ada/export?format=pdf')).body.code).toBe('unknown_format');

    const spared = await bob.call('DELETE', '/api/runs?exceptRunId=of-ada', undefined, token);
    expect(spared.body).toEqual({ count: 1, runIds: ['of-bob'] });
    await using heard = await viaEvents(
      { url: bob.url },
      '?types=run_ejected&access_token=a%20shared%20secret%20of%20hosts',
    );
    const ejected = await bob.call('DELETE', '/api/runs/of-ada', undefined, token);
    expect([ejected.status, await lists(bob)]).toEqual([204, []]);
    expect(existsSync(join(ada.dataPath, 'runs', 'ejected'))).toBe(true);
    await expect.poll(() => lists(ada), patience).toEqual([]);
    await heard.untilOne(({ data }) => data.runIds.includes('of-ada'));
    expect((await get(bob, '/api/runs/of-ada')).status).toBe(404);
  },
);

verifies(
  'hosts:bulk-delete-own',
  'a bulk DELETE keeps the run it was told to keep, also where another host has one of that name',
  async () => {
    const store = await cloneDatabase();
    await using ada = await host(store, 'ada');
    await using bob = await host(store, 'bob');
    for (const one of [ada, bob]) await ingest(one, wholeRun('of-both', 'Cart/total', 'CleanPass'));
    await ingest(bob, wholeRun('of-bob', 'Cart/total', 'CleanPass'));
    await ingest(ada, wholeRun('of-ada', 'Cart/total', 'CleanPass'));
    await expect.poll(() => lists(ada), patience).toContainEqual(['of-bob', 'bob']);
    const { body } = await ada.call('DELETE', '/api/runs?exceptRunId=of-both&exceptRunId=of-bob');
    expect(body).toEqual({ count: 1, runIds: ['of-ada'] });
  },
);

verifies(
  'hosts:away-503',
  'the runs of a host that is away stay listed, their detail is a 503 that names it, and it is back without a restart',
  async () => {
    const store = await cloneDatabase();
    await using ada = await host(store, 'ada');
    const bob = await host(store, 'bob');
    await ingest(bob, wholeRun('of-bob', 'Cart/total', 'Failed'));
    await expect.poll(() => lists(ada), patience).toEqual([['of-bob', 'bob']]);
    const failing = async () => {
      const client = await newMcpClient(ada.url);
      const { structuredContent } = await client.callTool({
        name: 'failing_tests',
        arguments: { runId: 'of-bob' },
      });
      await client.close();
      return structuredContent;
    };
    expect(await failing()).toMatchObject({ groups: [{ count: 1, tests: [{ uid: 'Cart/total' }] }] });

    await bob.stop();
    await silenceHost(store, 'bob', 31);
    for (const path of ['/api/runs/of-bob', '/api/runs/of-bob/export']) {
      const { status, body } = await get(ada, path);
      expect([status, body.code, body.detail]).toEqual([503, 'host_unavailable', expect.stringContaining('host bob')]);
    }
    const eject = await ada.call('DELETE', '/api/runs/of-bob', undefined, token);
    expect([eject.status, eject.body.code]).toEqual([503, 'host_unavailable']);
    expect(await failing()).toMatchObject({ code: 'host_unavailable' });
    expect(await lists(ada)).toEqual([['of-bob', 'bob']]);

    await using again = await host(store, 'bob', { home: bob.home });
    await expect.poll(async () => (await get(ada, '/api/runs/of-bob')).status, patience).toBe(200);
    await again.stop();
    await bob[Symbol.asyncDispose]();
  },
);

verifies(
  'hosts:coverage-of-all',
  'coverage uses the newest verdicts of all hosts, also of one that is away, and a newer one here comes first',
  async () => {
    const store = await cloneDatabase();
    await using ada = await host(store, 'ada');
    const bob = await host(store, 'bob');
    const uid = 'Wallet/crediting adds funds';
    await ingest(bob, wholeRun('of-bob', uid, 'CleanPass'));
    for (const [source, body] of Object.entries({ host: hostModel, specs })) {
      expect((await ada.console('PUT', `/api/event-model/${source}`, body, token)).status).toBe(204);
    }
    const credit = async () => {
      const { slices } = (await get(ada, '/api/event-model/coverage')).body;
      return slices.find(({ name }: { name: string }) => name === 'CreditWallet').evidence.state;
    };
    await expect.poll(credit, patience).toBe('verified');
    expect((await get(bob, '/api/event-model')).body.code).toBe('no_event_model');
    await bob[Symbol.asyncDispose]();
    await silenceHost(store, 'bob', 31);
    expect(await credit()).toBe('verified');
    const later = wholeRun('of-ada', uid, 'Failed').map((event) => ({ ...event, at: '2026-01-01T10:00:00.000Z' }));
    await ingest(ada, later);
    expect(await credit()).toBe('failing');
  },
);
