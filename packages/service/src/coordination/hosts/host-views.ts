import type { HostView, SharedHost } from './contract.ts';
import type { OtherHost } from './other-hosts.ts';

/** What the host that answers knows of itself. */
export type OwnHost = SharedHost & { url: string | null; sessions: number; runs: number };

/** Every host of the store, this one first. `now` by the store's clock; `monotonic` as of the heartbeats. */
export function hostViews(
  own: OwnHost,
  others: Iterable<OtherHost>,
  now: number,
  monotonic: number,
): readonly HostView[] {
  const self: HostView = { ...own, self: true, state: 'up', lastSeen: new Date(now).toISOString(), lagMs: 0 };
  return [self, ...[...others].sort(byName).map((host) => viewOf(host, now, monotonic))];
}

const byName = (one: OtherHost, other: OtherHost): number => (one.name < other.name ? -1 : 1);

function viewOf({ name, url, away, lastHeardAt, session, run, host }: OtherHost, now: number, monotonic: number) {
  const [about] = host.values();
  const lagMs = Math.max(0, Math.round(monotonic - lastHeardAt));
  return {
    name,
    self: false,
    state: away ? 'away' : 'up',
    version: about?.version ?? null,
    url,
    lastSeen: new Date(now - lagMs).toISOString(),
    lagMs,
    clockOffsetMs: about?.clockOffsetMs ?? null,
    sessions: away ? 0 : [...session.values()].filter(({ live }) => live).length,
    runs: run.size,
  } satisfies HostView;
}
