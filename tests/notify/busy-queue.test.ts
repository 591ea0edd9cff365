import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { type Started, start } from '../start.ts';
import { bodiesOf, openReceiver, type Received } from './receiver.ts';

const nodes = [{ id: 'cart', binding: { kind: 'signOff' } }];
const refused = 'cannot store the events for webhooks';
const subjects = (deliveries: readonly Received[]) => bodiesOf(deliveries).map(({ subject }) => subject);
const hook = (url: string) => ({ Webhooks: JSON.stringify([{ url, events: ['node_done'] }]) });
const done = async (service: Started, plan: string) => {
  await service.call('POST', '/api/plans', { plan, nodes });
  await service.call('POST', `/api/plans/${plan}/nodes/cart/sign-off?by=eve`, {});
};

/** Every write to the queue of that data path is refused until the lock is disposed of. */
function lockQueue(dataPath: string): Disposable {
  const database = new DatabaseSync(join(dataPath, 'webhooks.sqlite'));
  database.exec('BEGIN IMMEDIATE');
  return { [Symbol.dispose]: () => database.close() };
}

async function later({ clock }: Started): Promise<void> {
  clock.advance(60_000);
  await clock.tick();
}

test('what was accepted is not sent again because its queue cannot be written', async () => {
  await using receiver = await openReceiver();
  receiver.answers(500);
  await using service = await start({ settings: hook(receiver.url) });
  await done(service, 'shop');
  await expect.poll(() => receiver.tries()).toBeGreaterThan(0);
  {
    using _ = lockQueue(service.dataPath);
    receiver.answers(204);
    for (let looks = 0; looks < 5; looks += 1) await later(service);
  }
  await later(service);
  expect(subjects(receiver.deliveries)).toEqual(['shop/cart']);
  expect((await service.call('GET', '/api/webhooks')).body).toMatchObject([{ waiting: 0, delivered: 1 }]);
});

test('what waits from an earlier history is never sent, though its queue could not be written at the start', async () => {
  await using receiver = await openReceiver();
  receiver.answers(500);
  const settings = hook(receiver.url);
  await using first = await start({ settings });
  await done(first, 'lost');
  await expect.poll(() => receiver.tries()).toBeGreaterThan(0);
  await first.stop();
  for (const file of ['signalbox.sqlite', 'signalbox.sqlite-wal', 'signalbox.sqlite-shm'])
    await rm(join(first.dataPath, file), { force: true });

  const lock = lockQueue(first.dataPath);
  await using second = await start({ home: first.home, settings, clock: createSettableClock(first.clock.wall()) });
  await later(second);
  expect(second.logged()).toContain(refused);
  receiver.answers(204);
  lock[Symbol.dispose]();
  await later(second);
  await done(second, 'shop');
  const arrived = async () => {
    await later(second);
    return subjects(receiver.deliveries);
  };
  await expect.poll(arrived).toContain('shop/cart');
  expect(subjects(receiver.deliveries)).toEqual(['shop/cart']);
});
