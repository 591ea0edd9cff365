import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** `polling` is no failure: the standalone console has no hub. */
export type Link = 'connecting' | 'live' | 'lost' | 'polling';

export type Connection = {
  link: Link;
  /** There is no hub here: whether the service is there is told by its answers. */
  polls: boolean;
  /** When the service was last heard of, in this browser's time. */
  heardAt: number | null;
  needsToken: boolean;
  /** Whether the pages have begun to read. */
  reading: boolean;
};

/** How this page stands with the service; outside React, because the hub writes it. */
export const connection = createStore<Connection>(() => ({
  link: 'connecting',
  polls: false,
  heardAt: null,
  needsToken: false,
  reading: false,
}));

/** What an answer, or none, says of the link, where nothing else does. */
export function learnLink(answered: boolean): void {
  const { polls, link } = connection.getState();
  const now = answered ? 'polling' : 'lost';
  if (polls && link !== now) connection.setState({ link: now });
  if (polls && answered) connection.setState({ heardAt: Date.now() });
}

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
