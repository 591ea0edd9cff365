import { z } from 'zod';
import { ours } from '../../kernel/schema-marks.ts';

const whole = z.int();
const text = z.string().nullable();

/** A receiver in the form that may be shown: without its secret, and for a chat only with the host of its address. */
export const webhookView = z
  .object({
    id: ours(z.string()),
    name: z.string(),
    url: z.string().describe('The address without its login and query, and for chats without its path'),
    format: z.enum(['cloudevents', 'slack', 'discord', 'notify', 'github']),
    events: z.array(z.string()).readonly().nullable().describe('null for all'),
    plans: z.array(z.string()).readonly().nullable().describe('null for all'),
    signed: z.boolean(),
    state: z.enum(['ok', 'failing', 'unused']).describe('`failing`: the last attempt did not get a 2xx response'),
    waiting: whole,
    delivered: whole.describe('In the last 7 days'),
    failed: whole.describe('Given up in the last 7 days'),
    lastAt: text.describe('When it was last tried'),
    lastStatus: whole.nullable(),
    lastError: text,
    sendsHere: z.boolean().describe('Whether this host sends to it; hosts that share a store share the work'),
  })
  .meta({ id: 'Webhook' });
export type WebhookView = z.output<typeof webhookView>;

export const deliveryState = z.enum(['waiting', 'delivered', 'failed']);

export const deliveryView = z
  .object({
    number: whole,
    receiver: ours(z.string()),
    name: z.string().nullable().describe('The name of the receiver; null if it is no longer in the settings'),
    id: z.string().describe('The id of the event, and its `webhook-id`'),
    type: z.string(),
    subject: z.string(),
    at: z.string(),
    text: z.string(),
    state: deliveryState,
    attempts: whole,
    queuedAt: z.string(),
    nextAt: text,
    lastAt: text,
    lastStatus: whole.nullable(),
    lastError: text,
  })
  .meta({ id: 'Delivery' });
export type DeliveryView = z.output<typeof deliveryView>;

export const testResult = z.object({
  results: z
    .array(z.object({ id: z.string(), name: z.string(), status: whole.nullable(), error: text, accepted: z.boolean() }))
    .readonly(),
});
