import { expect, test } from 'vitest';
import { moveArchivedPlans } from '../../packages/service/src/app/move-archived-plans.ts';
import { createProjections } from '../../packages/service/src/app/projections.ts';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { openPostgresLog } from '../../packages/service/src/store/postgres/postgres-log.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { openCuttingProxy } from '../postgres/cutting-proxy.ts';
import { dump, restoreInPlace } from '../postgres/dump.ts';
import { start } from '../start.ts';
import { bodiesOf, openReceiver, type Received } from './receiver.ts';

const nodes = [{ id: 'cart', binding: { kind: 'signOff' } }];
const subjects = (deliveries: readonly Received[]) => bodiesOf(deliveries).map(({ subject }) => subject);

const aMoment = 1e-9;
const logger = { info: () => undefined, warn: (details: object) => Promise.reject(details) } as never;

async function moveArchived(url: string): Promise<void> {
  const log = await openPostgresLog({ url, clock: systemClock });
  const { workState } = createProjections();
  await log.attach(workState);
  await moveArchivedPlans(log, workState.plans, aMoment, logger);
  await log.close();
}

test('what waits for a receiver is still sent after another host has moved archived plans out of the log', async () => {
  await using receiver = await openReceiver();
  receiver.answers(500);
  const Store = await cloneDatabase();
  const Webhooks = JSON.stringify([{ url: receiver.url, events: ['node_done'] }]);
  await using service = await start({ clock: systemClock, settings: { Store, Webhooks } });
  for (const plan of ['old', 'shop']) await service.call('POST', '/api/plans', { plan, nodes });
  await service.call('DELETE', '/api/plans/old');
  await service.call('POST', '/api/plans/shop/nodes/cart/sign-off?by=eve', {});
  await expect.poll(() => receiver.tries()).toBeGreaterThan(0);

  await moveArchived(Store);
  await expect.poll(async () => (await service.call('GET', '/api/plans/old')).status).toBe(404);
  receiver.answers(204);
  await expect.poll(() => subjects(receiver.deliveries)).toEqual(['shop/cart']);
});

test('what happened since a restore is still sent after a host comes back that hears of the restore last', async () => {
  await using receiver = await openReceiver();
  await using proxy = await openCuttingProxy();
  const Store = await cloneDatabase();
  const Webhooks = JSON.stringify([{ url: receiver.url, events: ['node_done'] }]);
  const host = (HostName: string, store: string) =>
    start({ clock: systemClock, settings: { Store: store, HostName, Webhooks } });
  await using ada = await host('ada', Store);
  await using bob = await host('bob', proxy.through(Store));
  await ada.call('POST', '/api/plans', { plan: 'shop', nodes });
  const kept = await dump(Store);
  await ada.call('POST', '/api/plans', { plan: 'lost', nodes });
  const knows = (plan: string) => async () => (await bob.call('GET', `/api/plans/${plan}`)).status;
  await expect.poll(knows('lost')).toBe(200);

  proxy.refuse(true);
  proxy.cut();
  await restoreInPlace(Store, kept, true);
  await expect.poll(async () => (await ada.call('GET', '/api/plans/lost')).status).toBe(404);
  receiver.answers(500);
  const signOff = async () => (await ada.call('POST', '/api/plans/shop/nodes/cart/sign-off?by=eve', {})).status;
  await expect.poll(signOff).toBe(200);
  await expect.poll(() => receiver.tries()).toBeGreaterThan(0);

  proxy.refuse(false);
  await expect.poll(knows('lost')).toBe(404);
  receiver.answers(204);
  await expect.poll(() => subjects(receiver.deliveries)).toEqual(['shop/cart']);
});

test('of two hosts that begin a queue at once, the second gives up nothing that the first has queued', async () => {
  const url = await cloneDatabase();
  const first = await openPostgresLog({ url, clock: systemClock });
  const second = await openPostgresLog({ url, clock: systemClock });
  const mark = { sequence: 1, id: 'one' };
  const item = { receiver: 'hook', id: 'two', type: 'node_done', subject: 'shop/cart', at: first.now(), content: '{}' };
  for (const after of [null, mark]) {
    const begins = { mark: { sequence: 2, id: `after ${after?.id}` }, after };
    await first.outbox.begin(begins, first.now());
    await first.outbox.put([{ ...item, id: begins.mark.id }], mark, first.now());
    await second.outbox.begin(begins, second.now());
    expect(await first.outbox.list({ limit: 1 })).toMatchObject([{ id: begins.mark.id, state: 'waiting' }]);
    await first.outbox.begin({ mark }, first.now());
    expect(await first.outbox.list({ limit: 1 })).toMatchObject([{ id: begins.mark.id, state: 'failed' }]);
  }
  await first.close();
  await second.close();
});
