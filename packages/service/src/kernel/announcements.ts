import type { Announcement, Message } from './messages.ts';

type Listener<Sent> = (message: Sent) => void;

/**
 * The in-process feed of announcements, in order, to all current listeners. Coordination messages are hints
 * of what to read again; run messages carry their events.
 */
export type Announcements<Sent extends Message = Announcement> = {
  announce(message: Sent): void;
  /** Whether a listener wants this type. Check it before building an expensive message. */
  wanted(type: Sent['type']): boolean;
  /** `wants` is called before an expensive announcement; a listener without it wants everything. */
  listen(listener: Listener<Sent>, wants?: (type: Sent['type']) => boolean): () => void;
};

export function createAnnouncements<Sent extends Message = Announcement>(): Announcements<Sent> {
  const listeners = new Map<Listener<Sent>, (type: Sent['type']) => boolean>();
  return {
    announce(message) {
      for (const listener of listeners.keys()) listener(message);
    },
    wanted(type) {
      for (const wants of listeners.values()) if (wants(type)) return true;
      return false;
    },
    listen(listener, wants = () => true) {
      listeners.set(listener, wants);
      return () => listeners.delete(listener);
    },
  };
}
