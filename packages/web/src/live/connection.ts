import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** `polling` is no failure: the standalone console has no hub. */
export type Link = 'connecting' | 'live' | 'lost' | 'polling';

export type Connection = {
  link: Link;
  /** When the service was last heard of, in this browser's time. */
  heardAt: number | null;
  needsToken: boolean;
  /** Whether the pages have begun to read. */
  reading: boolean;
};

/** How this page stands with the service; outside React, because the hub writes it. */
export const connection = createStore<Connection>(() => ({
  link: 'connecting',
  heardAt: null,
  needsToken: false,
  reading: false,
}));

const patienceMs = 300;

/** Pages read once the hub listens, so that no change falls between the two; a slow hub is not waited for. */
export function useReading(): boolean {
  const reading = useStore(connection, (state) => state.reading);
  const settled = useStore(connection, ({ link }) => link !== 'connecting');
  useEffect(() => {
    if (reading) return;
    const timer = setTimeout(() => connection.setState({ reading: true }), settled ? 0 : patienceMs);
    return () => clearTimeout(timer);
  }, [reading, settled]);
  return reading || settled;
}
