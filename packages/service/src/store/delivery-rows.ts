import type { Delivery, DeliveryCounts, DeliveryState } from '../kernel/outbox.ts';

type Row = Readonly<Record<string, unknown>>;

/** The columns of a delivery, under the names that it has here. */
export const deliveryColumns = `number, receiver, id, type, subject, at, content, state, queued_at AS "queuedAt", attempts,
  next_at AS "nextAt", last_at AS "lastAt", last_status AS "lastStatus", last_error AS "lastError"`;

/** The reason why a delivery of an earlier history was given up. */
export const otherHistory = 'the store was replaced by another one before it was sent';

const textOrNull = (value: unknown): string | null => (value === null ? null : String(value));

const stateIn = (value: unknown): DeliveryState => (value === 'delivered' || value === 'failed' ? value : 'waiting');

/** PostgreSQL returns large numbers as text. */
export const deliveryIn = (row: Row): Delivery => ({
  number: Number(row.number),
  receiver: String(row.receiver),
  id: String(row.id),
  type: String(row.type),
  subject: String(row.subject),
  at: String(row.at),
  content: String(row.content),
  state: stateIn(row.state),
  queuedAt: String(row.queuedAt),
  attempts: Number(row.attempts),
  nextAt: textOrNull(row.nextAt),
  lastAt: textOrNull(row.lastAt),
  lastStatus: row.lastStatus === null ? null : Number(row.lastStatus),
  lastError: textOrNull(row.lastError),
});

export const countsIn = ({ receiver, state, count }: Row): DeliveryCounts => ({
  receiver: String(receiver),
  state: stateIn(state),
  count: Number(count),
});
