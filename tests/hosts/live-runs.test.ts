import { expect } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { viaEvents } from '../hub/clients.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';
import { silenceHost } from './silence-host.ts';
import { wholeRun } from './whole-run.ts';

const patience = { interval: 50 };
const host = (Store: string, HostName: string) =>
  start({ clock: systemClock, settings: { Store, HostName, LicenceGate: 'off' } });
const ingest = ({ console }: Started, events: object[]) => console('POST', '/api/ingest', { events });
const stateOn = async ({ call }: Started, runId: string) =>
  (await call('GET', '/api/runs')).body.find((run: { runId: string }) => run.runId === runId)?.state;
const readersOf = async ({ url }: Started) =>
  /^signalbox_hub_clients (\d+)/m.exec(await (await fetch(`${url}/metrics`)).text())?.[1];

verifies(
  'hosts:relayed',
  'the events of a live run of another host are passed on to whoever has it open, without a gap, until it ends',
  async () => {
    const store = await cloneDatabase();
    await using ada = await host(store, 'ada');
    await using bob = await host(store, 'bob');
    const [started, first, finished, ended] = wholeRun('live', 'Cart/total', 'CleanPass') as [
      object,
      object,
      object,
      object,
    ];
    await ingest(bob, [started, first]);
    await ingest(bob, [{ ...started, runId: 'unread' }]);
    for (const runId of ['live', 'unread']) await expect.poll(() => stateOn(ada, runId), patience).toBe('running');

    await using page = await viaEvents({ url: ada.url }, '?types=run_events');
    expect((await ada.call('GET', '/api/runs/LIVE')).body.scenarios).toHaveLength(1);
    await ingest(bob, [{ ...first, runId: 'unread' }]);
    await ingest(bob, [finished]);
    const { data } = await page.untilOne(({ type }) => type === 'run_events');
    expect(data).toMatchObject({ runId: 'live', events: [{ type: 'scenario_finished', uid: 'Cart/total' }] });

    await ingest(bob, [ended]);
    await page.untilOne(({ data }) => data.events.some(({ type }: { type: string }) => type === 'run_finished'));
    expect(page.heard.map((message) => message.data.runId)).not.toContain('unread');
    await expect.poll(() => readersOf(bob), patience).toBe('0');
  },
);

verifies(
  'hosts:away-503',
  'a live run whose host died does not stay running: it has lost its publisher, and every page is told',
  async () => {
    const store = await cloneDatabase();
    await using ada = await host(store, 'ada');
    const bob = await host(store, 'bob');
    await ingest(bob, wholeRun('live', 'Cart/total', 'CleanPass').slice(0, 2));
    await expect.poll(() => stateOn(ada, 'live'), patience).toBe('running');
    await using page = await viaEvents({ url: ada.url }, '?types=run_changed');
    await bob[Symbol.asyncDispose]();
    await silenceHost(store, 'bob', 31);
    const { data } = await page.untilOne(({ data }) => data.run.state !== 'running');
    expect(data.run).toMatchObject({
      runId: 'live',
      state: 'orphaned',
      orphaned: true,
      green: false,
      running: 0,
      lost: 1,
    });
    expect(await stateOn(ada, 'live')).toBe('orphaned');
    expect((await ada.call('GET', '/api/runs?state=running')).body).toEqual([]);
  },
);
