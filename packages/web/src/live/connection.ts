import { createStore } from 'zustand/vanilla';

/** `polling` is no failure: the standalone console has no hub. */
export type Link = 'connecting' | 'live' | 'lost' | 'polling';

export type Connection = {
  link: Link;
  /** When the service was last heard of, in this browser's time. */
  heardAt: number | null;
  needsToken: boolean;
};

/** How this page stands with the service; outside React, because the hub writes it. */
export const connection = createStore<Connection>(() => ({ link: 'connecting', heardAt: null, needsToken: false }));
