import { expect, test } from 'vitest';
import { moveArchivedPlans } from '../../packages/service/src/app/move-archived-plans.ts';
import { createProjections } from '../../packages/service/src/app/projections.ts';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { openPostgresLog } from '../../packages/service/src/store/postgres/postgres-log.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { openCuttingProxy } from '../postgres/cutting-proxy.ts';
import { dump, restoreInPlace, withClient } from '../postgres/dump.ts';
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

/** The log loses what follows an event, as in a restore. The queue stays, and nobody can give up anything in it. */
const loseAfter = (url: string, sequence: number) =>
  withClient(url, (client) =>
    client.query(`
      CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
      CREATE OR REPLACE TRIGGER refused BEFORE UPDATE ON signalbox.delivery_mark EXECUTE FUNCTION refuse();
      DELETE FROM signalbox.events WHERE sequence > ${sequence};
      UPDATE signalbox.head SET sequence = ${sequence}`),
  );
const endOf = (url: string) =>
  withClient(url, async (client) =>
    Number((await client.query('SELECT sequence FROM signalbox.head')).rows[0].sequence),
  );

test('after two restores in quick succession nothing that was lost with either is sent', async () => {
  await using receiver = await openReceiver();
  receiver.answers(500);
  const Store = await cloneDatabase();
  const Webhooks = JSON.stringify([{ url: receiver.url, events: ['node_done'] }]);
  await using service = await start({ clock: systemClock, settings: { Store, Webhooks } });
  const ends: number[] = [];
  for (const plan of ['kept', 'second', 'first']) {
    await service.call('POST', '/api/plans', { plan, nodes });
    ends.push(await endOf(Store));
  }
  const signOff = async (plan: string) =>
    (await service.call('POST', `/api/plans/${plan}/nodes/cart/sign-off?by=eve`, {})).status;
  expect(await signOff('first')).toBe(200);
  await expect.poll(() => receiver.tries()).toBeGreaterThan(0);
  await service.call('POST', '/api/plans', { plan: 'last', nodes });

  const restore = async (at: number, lost: string) => {
    await loseAfter(Store, at);
    await expect.poll(async () => (await service.call('GET', `/api/plans/${lost}`)).status).toBe(404);
  };
  await restore(ends[1] ?? 0, 'first');
  await expect.poll(() => service.logged()).toContain('cannot store the events for webhooks');
  await restore(ends[0] ?? 0, 'second');
  await withClient(Store, (client) => client.query('DROP TRIGGER refused ON signalbox.delivery_mark'));
  receiver.answers(204);
  await expect.poll(() => signOff('kept')).toBe(200);
  await expect.poll(() => subjects(receiver.deliveries)).toContain('kept/cart');
  expect(subjects(receiver.deliveries)).toEqual(['kept/cart']);
  expect((await service.call('GET', '/api/webhooks')).body).toMatchObject([{ waiting: 0, delivered: 1, failed: 1 }]);
});

test('a restore that brings back what the one before it lost gives up nothing, although the queue was not begun between them', async () => {
  await using receiver = await openReceiver();
  receiver.answers(500);
  const Store = await cloneDatabase();
  const Webhooks = JSON.stringify([{ url: receiver.url, events: ['node_done'] }]);
  await using service = await start({ clock: systemClock, settings: { Store, Webhooks } });
  await service.call('POST', '/api/plans', { plan: 'early', nodes });
  const early = await endOf(Store);
  await service.call('POST', '/api/plans', { plan: 'shop', nodes });
  await service.call('POST', '/api/plans/shop/nodes/cart/sign-off?by=eve', {});
  await expect.poll(() => receiver.tries()).toBeGreaterThan(0);
  await service.call('POST', '/api/plans', { plan: 'last', nodes });
  const kept = await withClient(
    Store,
    async (client) =>
      (await client.query('SELECT coalesce(json_agg(e), $1)::text AS rows FROM signalbox.events AS e', ['[]'])).rows[0]
        .rows,
  );
  const whole = await endOf(Store);
  const knows = async () => (await service.call('GET', '/api/plans/shop')).status;

  await loseAfter(Store, early);
  await expect.poll(knows).toBe(404);
  await expect.poll(() => service.logged()).toContain('cannot store the events for webhooks');
  await withClient(Store, async (client) => {
    await client.query('BEGIN');
    await client.query('DELETE FROM signalbox.events');
    await client.query(
      'INSERT INTO signalbox.events SELECT * FROM json_populate_recordset(NULL::signalbox.events, $1)',
      [kept],
    );
    await client.query('UPDATE signalbox.head SET sequence = $1, epoch = gen_random_uuid()', [whole]);
    await client.query('COMMIT');
  });
  await expect.poll(knows).toBe(200);
  await withClient(Store, (client) => client.query('DROP TRIGGER refused ON signalbox.delivery_mark'));
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
