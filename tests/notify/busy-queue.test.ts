import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { type Started, start } from '../start.ts';
import { bodiesOf, openReceiver, type Received } from './receiver.ts';

const nodes = [{ id: 'cart', binding: { kind: 'signOff' } }];
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
