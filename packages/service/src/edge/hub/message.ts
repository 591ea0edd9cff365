import { iso } from '../../kernel/clock.ts';
import { type Message, topicOf } from '../../kernel/messages.ts';
import { type FilterTopic, filterTopicOf } from './filter.ts';

/** Each protocol builds its frame of a message once, for all its clients. */
export type Protocol = 'events' | 'socket' | 'signalr' | 'calls';

export type HubMessage = {
  id: number;
  topic: FilterTopic;
  /** The CloudEvents object as it goes over the wire. */
  json: Buffer;
  frames: Partial<Record<Protocol, Buffer>>;
};

export type MessageSource = { source: string; now: () => number };

export function messageOf(id: number, message: Message, { source, now }: MessageSource): HubMessage {
  const { type, data } = message;
  const { subject } = topicOf(message);
  const event = {
    specversion: '1.0',
    id: String(id),
    source,
    type,
    ...(subject !== undefined && { subject }),
    time: iso(now()),
    datacontenttype: 'application/json',
    data,
  };
  return { id, topic: filterTopicOf(message), json: Buffer.from(JSON.stringify(event)), frames: {} };
}

export const sourceOf = (host: string): string => `/signalbox/${encodeURIComponent(host)}`;
