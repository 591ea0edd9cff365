import type { Announcements } from '../../kernel/announcements.ts';
import type { NodeKey } from '../../kernel/streams.ts';
import { linkOf } from './node-link.ts';
import type { ClaimLink } from './ports.ts';
import { claimChanged } from './work-announcer.ts';
import type { WorkContext } from './work-context.ts';

type Reading = { fence: number; link: ClaimLink; sessionId: string | null };

const isSameReading = ({ fence: a, link: one }: Reading, { fence: b, link: other }: Reading): boolean =>
  a === b &&
  one.health === other.health &&
  one.correlation === other.correlation &&
  one.linkedBy === other.linkedBy &&
  one.reason === other.reason &&
  one.sessionId === other.sessionId;

/** Claims as they were last announced, by key and by the session they are linked to. */
export function createAnnouncedLinks(work: WorkContext, announcements: Announcements) {
  const announced = new Map<NodeKey, Reading>();
  const bySession = new Map<string, Set<NodeKey>>();

  function set(key: NodeKey, reading: Reading | null): void {
    const sessionId = reading?.sessionId ?? null;
    const before = announced.get(key)?.sessionId ?? null;
    if (before !== null && before !== sessionId) {
      bySession.get(before)?.delete(key);
      if (bySession.get(before)?.size === 0) bySession.delete(before);
    }
    if (reading === null) announced.delete(key);
    else announced.set(key, reading);
    if (sessionId === null) return;
    const keys = bySession.get(sessionId);
    if (keys) keys.add(key);
    else bySession.set(sessionId, new Set([key]));
  }

  function read(key: NodeKey, change: (before: Reading | undefined, now: Reading) => void): void {
    const { workState, log } = work;
    const vertex = workState.plans.graph.find(key);
    const lease = vertex === undefined ? null : workState.liveLease(vertex, log.now());
    if (vertex === undefined || !lease) {
      set(key, null);
      return;
    }
    const { fence, session } = lease;
    const link = linkOf(work, vertex, lease);
    const reading = { fence, link, sessionId: (session ?? link.sessionId)?.toLowerCase() ?? null };
    const before = announced.get(key);
    set(key, reading);
    change(before, reading);
  }

  return {
    keys: () => announced.keys(),
    /** Claims that one of these sessions holds. */
    keysOf: (sessionIds: readonly string[]): NodeKey[] =>
      sessionIds.flatMap((sessionId) => [...(bySession.get(sessionId.toLowerCase()) ?? [])]),
    /** Takes claims as their own commit announced them, or their end. */
    take(keys: Iterable<NodeKey>): void {
      for (const key of keys) read(key, () => undefined);
    },
    /** Takes new claims as they read now, without announcing them. */
    note(keys: Iterable<NodeKey>): void {
      for (const key of keys) if (!announced.has(key)) read(key, () => undefined);
    },
    /** Announces those of these claims that read differently than before. */
    announce(keys: Iterable<NodeKey>): void {
      const isWanted = announcements.wanted('claim_changed');
      for (const key of keys) {
        read(key, (before, now) => {
          if (!isWanted || before === undefined || isSameReading(before, now)) return;
          const message = claimChanged(work, key);
          if (message) announcements.announce(message);
        });
      }
    },
  };
}
