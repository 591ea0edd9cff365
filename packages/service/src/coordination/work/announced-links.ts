import type { Announcements } from '../../kernel/announcements.ts';
import type { NodeKey } from '../../kernel/streams.ts';
import { linkOf } from './node-link.ts';
import { claimChanged } from './work-announcer.ts';
import type { WorkContext } from './work-context.ts';

/** Claims as they were last announced, by key and by the session they are linked to. */
export function createAnnouncedLinks(work: WorkContext, announcements: Announcements) {
  const announced = new Map<NodeKey, { reads: string; sessionId: string | null }>();
  const bySession = new Map<string, Set<NodeKey>>();

  function set(key: NodeKey, reads: string | null, sessionId: string | null): void {
    const before = announced.get(key)?.sessionId ?? null;
    if (before !== null && before !== sessionId) {
      bySession.get(before)?.delete(key);
      if (bySession.get(before)?.size === 0) bySession.delete(before);
    }
    if (reads === null) announced.delete(key);
    else announced.set(key, { reads, sessionId });
    if (reads === null || sessionId === null) return;
    const keys = bySession.get(sessionId);
    if (keys) keys.add(key);
    else bySession.set(sessionId, new Set([key]));
  }

  function read(key: NodeKey, change: (before: string | undefined, reads: string) => void): void {
    const { workState, log } = work;
    const vertex = workState.plans.graph.find(key);
    const lease = vertex === undefined ? null : workState.liveLease(vertex, log.now());
    if (vertex === undefined || !lease) {
      set(key, null, null);
      return;
    }
    const link = linkOf(work, vertex, lease);
    const reads = JSON.stringify([lease.fence, link]);
    const before = announced.get(key)?.reads;
    set(key, reads, (lease.session ?? link.sessionId)?.toLowerCase() ?? null);
    change(before, reads);
  }

  return {
    keys: () => announced.keys(),
    /** Claims that one of these sessions holds. */
    keysOf: (sessionIds: readonly string[]): NodeKey[] =>
      sessionIds.flatMap((sessionId) => [...(bySession.get(sessionId.toLowerCase()) ?? [])]),
    /** Takes new claims as they read now, without announcing them. */
    note(keys: Iterable<NodeKey>): void {
      for (const key of keys) if (!announced.has(key)) read(key, () => undefined);
    },
    /** Announces those of these claims that read differently than before. */
    announce(keys: Iterable<NodeKey>): void {
      const isWanted = announcements.wanted('claim_changed');
      for (const key of keys) {
        read(key, (before, reads) => {
          if (!isWanted || before === undefined || before === reads) return;
          const message = claimChanged(work, key);
          if (message) announcements.announce(message);
        });
      }
    },
  };
}
