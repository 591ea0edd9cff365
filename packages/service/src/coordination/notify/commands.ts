import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import { listOf, listPage, paging } from '../../kernel/list.ts';
import type { Delivery } from '../../kernel/outbox.ts';
import { type Refusal, refuse } from '../../kernel/outcome.ts';
import type { Occurrence } from '../../receivers/occurrence.ts';
import type { Receiver } from '../../receivers/receivers.ts';
import {
  type DeliveryView,
  deliveryState,
  deliveryView,
  testResult,
  type WebhookView,
  webhookView,
} from './contract.ts';
import type { Webhooks } from './ports.ts';

export type NotifyContext = { webhooks: Webhooks };

const command = commandFor<NotifyContext>();
const admins = { scope: 'admin', gate: 'never', mcp: false } as const;
const mostListed = 1_000;

const list = command({
  name: 'list_webhooks',
  description:
    'The receivers of Service:Webhooks and Service:Notify: their state, last error and queue. Never their secrets.',
  effect: 'read',
  ...admins,
  input: z.strictObject({ ...paging }),
  output: listOf(webhookView),
  rest: { method: 'GET', path: '/api/webhooks', query: ['limit', 'offset', 'cursor'] },
  examples: [{ title: 'none set', input: {} }],
  async run({ webhooks }, input) {
    const counts = await webhooks.outbox.counts();
    const views = webhooks.receivers.map((receiver) => viewOf(webhooks, receiver, counts));
    return listPage(
      await Promise.all(views),
      input,
      (view) => view,
      ({ id }) => id,
    );
  },
});

async function viewOf(
  { outbox, sendsHere }: Webhooks,
  receiver: Receiver,
  counts: Awaited<ReturnType<Webhooks['outbox']['counts']>>,
): Promise<WebhookView> {
  const { id, name, shown, format, events, plans, secret } = receiver;
  const last = await outbox.lastTried(id);
  const countOf = (state: Delivery['state']) =>
    counts.find((count) => count.receiver === id && count.state === state)?.count ?? 0;
  return {
    id,
    name,
    url: shown,
    format,
    events: events && [...events],
    plans,
    signed: secret !== undefined,
    state: last === undefined ? 'unused' : last.state === 'delivered' ? 'ok' : 'failing',
    waiting: countOf('waiting'),
    delivered: countOf('delivered'),
    failed: countOf('failed'),
    lastAt: last?.lastAt ?? null,
    lastStatus: last?.lastStatus ?? null,
    lastError: last?.lastError ?? null,
    sendsHere: sendsHere(receiver),
  };
}

const listDeliveries = command({
  name: 'list_deliveries',
  description: 'Deliveries to webhooks of the last 7 days, sent or still waiting, newest first.',
  effect: 'read',
  ...admins,
  input: z.strictObject({
    receiver: z.string().optional().describe('Id of a webhook'),
    state: deliveryState.optional(),
    ...paging,
  }),
  output: listOf(deliveryView),
  rest: {
    method: 'GET',
    path: '/api/webhooks/deliveries',
    query: ['receiver', 'state', 'limit', 'offset', 'cursor'],
  },
  examples: [
    { title: 'none yet', input: {} },
    { title: 'an unknown state', input: { state: 'lost' }, refused: 'invalid_request' },
  ],
  async run({ webhooks }, { receiver, state, ...page }) {
    const all = await webhooks.outbox.list({ receiver, state, limit: mostListed });
    return listPage(
      all,
      page,
      (one) => deliveryViewOf(webhooks, one),
      ({ number }) => String(number),
    );
  },
});

function deliveryViewOf({ receivers }: Webhooks, { content, ...delivery }: Delivery): DeliveryView {
  const { text }: Occurrence = JSON.parse(content);
  return { ...delivery, text, name: receivers.find(({ id }) => id === delivery.receiver)?.name ?? null };
}

const redeliver = command({
  name: 'redeliver_webhook',
  description: 'Sends a delivery again, with the same id.',
  effect: 'write',
  ...admins,
  input: z.strictObject({
    delivery: z
      .string()
      .regex(/^\d{1,15}$/)
      .describe('Its number'),
  }),
  output: deliveryView,
  rest: { method: 'POST', path: '/api/webhooks/deliveries/{delivery}/redeliver' },
  examples: [{ title: 'an unknown delivery', input: { delivery: '999999' }, refused: 'not_found' }],
  async run({ webhooks }, { delivery }): Promise<DeliveryView | Refusal> {
    const number = Number(delivery);
    const found = await deliveryAt(webhooks, number);
    if (!found) return refuse('not_found', `There is no delivery ${number}. GET /api/webhooks/deliveries lists them.`);
    if (!webhooks.receivers.some(({ id }) => id === found.receiver))
      return refuse('not_found', `The receiver of delivery ${number} is no longer in the settings.`);
    await webhooks.outbox.again(found);
    webhooks.wake(found.receiver);
    return deliveryViewOf(webhooks, (await deliveryAt(webhooks, number)) ?? found);
  },
});

const deliveryAt = async ({ outbox }: Webhooks, number: number): Promise<Delivery | undefined> =>
  (await outbox.list({ limit: 1, before: number + 1 })).find((one) => one.number === number);

const test = command({
  name: 'test_webhooks',
  description:
    'Sends a `test` event to one webhook or all, immediately and without retries, and returns the responses.',
  effect: 'write',
  ...admins,
  input: z.strictObject({ receiver: z.string().optional().describe('Id or name; default: all') }),
  output: testResult,
  rest: { method: 'POST', path: '/api/webhooks/test' },
  examples: [
    { title: 'none set', input: {} },
    { title: 'an unknown receiver', input: { receiver: 'nobody' }, refused: 'not_found' },
  ],
  async run({ webhooks }, { receiver }) {
    const chosen = webhooks.receivers.filter(
      ({ id, name }) => receiver === undefined || id === receiver || name === receiver,
    );
    if (receiver !== undefined && chosen.length === 0)
      return refuse('not_found', `There is no webhook ${receiver}. GET /api/webhooks lists them.`);
    const results = chosen.map(async (one) => {
      const { status, error } = await webhooks.test(one);
      return { id: one.id, name: one.name, status, error, accepted: error === null };
    });
    return { results: await Promise.all(results) };
  },
});

export const webhookCommands = [list, listDeliveries, redeliver, test] as const;
