import { hostKey } from '../../kernel/host-table.ts';
import type { HostView, SharedHost } from './contract.ts';
import type { OtherHost } from './other-hosts.ts';
import { isResponsible } from './responsible-host.ts';

/** The facts that the answering host knows about itself. */
export type OwnHost = SharedHost & { url: string | null; sessions: number; runs: number };

/** Every host of the store, this one first. `now` is the store's clock, `monotonic` the clock of the heartbeats. */
export function hostViews(
  own: OwnHost,
  others: Iterable<OtherHost>,
  now: number,
  monotonic: number,
): readonly HostView[] {
  const all = [...others].sort(byName);
  const living = [own.name, ...all.filter(({ away }) => !away).map(({ name }) => name)].map(hostKey);
  const dutiesOf = (name: string) =>
    Object.entries(sharedDuties).flatMap(([subject, duty]) =>
      holderOf(subject, living) === hostKey(name) ? [duty] : [],
    );
  const lastSeen = new Date(now).toISOString();
  const self: HostView = { ...own, self: true, state: 'up', lastSeen, lagMs: 0, duties: dutiesOf(own.name) };
  return [self, ...all.map((host) => ({ ...viewOf(host, now, monotonic), duties: dutiesOf(host.name) }))];
}

/** The duties that one host has for all, by the subject that selects the host. Evidence is divided node by node. */
const sharedDuties = { links: 'sessions behind claims' };

const holderOf = (subject: string, living: readonly string[]): string | undefined =>
  living.find((self) =>
    isResponsible(
      self,
      living.filter((other) => other !== self),
      subject,
    ),
  );

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
  } satisfies Omit<HostView, 'duties'>;
}
