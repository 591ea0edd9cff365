import { useEffect } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';

/** `polling` is not a failure: the standalone console has no hub. */
export type Link = 'connecting' | 'live' | 'lost' | 'polling';

export type Connection = {
  link: Link;
  /** True without a hub: then the answers to requests show whether the service is reachable. */
  polls: boolean;
  /** When the last message arrived, by this browser's clock. */
  heardAt: number | null;
  needsToken: boolean;
  /** The difference between the service's clock and this browser's. Leases end by the service's clock. */
  clockOffsetMs: number;
  /** When the host lost its database, which is also the time of the state that the page shows; null while the database is reachable. */
  staleSince: string | null;
  /** The name of the answering host, once it has answered. */
  hostName: string | null;
  /** Whether the pages have begun to read. */
  reading: boolean;
  /** An exported file: it has only its own data. */
  offline: boolean;
};

/** The state of the connection to the service; outside React, because the hub writes it. */
export const connection = createStore<Connection>(() => ({
  link: 'connecting',
  polls: false,
  heardAt: null,
  needsToken: false,
  clockOffsetMs: 0,
  staleSince: null,
  hostName: null,
  reading: false,
  offline: false,
}));

/** Without a hub, sets the link from whether a request was answered. */
export function updateLink(answered: boolean): void {
  const { polls, link } = connection.getState();
  const now = answered ? 'polling' : 'lost';
  if (polls && link !== now) connection.setState({ link: now });
  if (polls && answered) connection.setState({ heardAt: Date.now() });
}

/**
 * Reads the store's clock from an answer, otherwise the host's clock: lease and session times are then the same on the
 * pages of all hosts.
 */
export function updateClockOffset(time: string | null): void {
  const offset = Date.parse(time ?? '') - Date.now();
  if (Number.isNaN(offset)) return;
  // The header has whole seconds, so a small difference is ignored.
  connection.setState({ clockOffsetMs: Math.abs(offset) > 2_000 ? offset : 0 });
}

/** While the service does not answer, pages show the last known state and actions are disabled. */
export const useServiceUnreachable = (): boolean => useStore(connection, ({ link }) => link === 'lost');

/** While the service or its database is unreachable nothing can be changed; `reason` explains that to the person. */
export function useWritesRefused(): string | null {
  const { link, staleSince } = useStore(connection);
  if (link === 'lost') return 'Signalbox does not answer. You can act when it is back.';
  return staleSince === null ? null : 'The database is away. You can act when it is back.';
}

/** The age of an answer, from its headers. Answers of the run console and documents have no such header. */
export function updateFreshness(headers: Headers): void {
  const asOf = headers.get('signalbox-as-of');
  const staleSince = headers.get('signalbox-stale-since');
  updateClockOffset(staleSince === null ? (asOf ?? headers.get('date')) : null);
  const host = headers.get('signalbox-host');
  const hostName = host === null ? null : decodeURIComponent(host);
  if (hostName !== null && hostName !== connection.getState().hostName) connection.setState({ hostName });
  if (asOf !== null && staleSince !== connection.getState().staleSince) connection.setState({ staleSince });
}

/** The name of the host that answers; null before it has answered. */
export const useHostName = (): string | null => useStore(connection, ({ hostName }) => hostName);

/** Calls back each time the service answers again after it was unreachable. */
export const onServiceBack = (listener: () => void): (() => void) =>
  connection.subscribe(({ link }, before) => {
    if (before.link === 'lost' && (link === 'live' || link === 'polling')) listener();
  });

const patienceMs = 300;

/** Pages start to read once the hub is connected, so that no change is missed in between; after a timeout they start anyway. */
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
