import type { Announcement } from '../../kernel/announce.ts';
import { iso } from '../../kernel/clock.ts';
import { type About, aboutOf } from './filter.ts';

/** Each way of speaking builds its frame of a message once, for all its clients. */
export type Speech = 'events' | 'socket' | 'signalr';

export type Message = {
  id: number;
  about: About;
  /** The CloudEvents object as it goes over the wire. */
  json: Buffer;
  frames: Partial<Record<Speech, Buffer>>;
};

export type Sender = { source: string; now: () => number };

export function messageOf(id: number, announcement: Announcement, { source, now }: Sender): Message {
  const { type, subject, data } = announcement;
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
  return { id, about: aboutOf(announcement), json: Buffer.from(JSON.stringify(event)), frames: {} };
}

export const sourceOf = (host: string): string => `/signalbox/${encodeURIComponent(host)}`;
