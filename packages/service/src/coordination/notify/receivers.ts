import type { Occurrence, OccurrenceType } from './occurrence.ts';

export const formats = ['cloudevents', 'slack', 'discord'] as const;
export type Format = (typeof formats)[number] | 'notify';

/** Where to send, as the settings name it. Nothing else ever makes an address. */
export type Receiver = {
  /** Stays the same while name, address and format do. */
  id: string;
  name: string;
  url: string;
  /** The address as it may be shown: chats have their secret in the path. */
  shown: string;
  format: Format;
  /** Null: all of them. */
  events: ReadonlySet<OccurrenceType> | null;
  plans: readonly string[] | null;
  secret: string | undefined;
};

export function wants({ id, events, plans }: Receiver, { type, data }: Occurrence): boolean {
  if (type === 'test' || (events && !events.has(type))) return false;
  // A node that was never blocked needs nobody's attention.
  if (id === 'notify' && type === 'node_ready') return data.from === 'blocked';
  return plans === null || (typeof data.plan === 'string' && plans.includes(data.plan.toLowerCase()));
}
