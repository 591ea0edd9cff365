import type { SessionFacts } from '../agents/session-facts.ts';
import type { TreeFacts } from '../agents/tree.ts';
import type { SessionObservations } from '../agents/watch.ts';
import type { OtherHost, OtherHosts } from './other-hosts.ts';

type SessionsAndTrees = Pick<SessionObservations, 'sessions' | 'get' | 'trees'>;

/** The sessions and trees of all hosts. Sessions of an unreachable host are `unknown`, because nobody observes them. */
export function sessionsOfAllHosts(own: SessionsAndTrees, otherHosts: OtherHosts): SessionsAndTrees {
  const gathered = cached(
    () => [own.sessions(), otherHosts.version] as const,
    () => gather(own.sessions(), otherHosts),
  );
  return {
    sessions: () => gathered().list,
    get: (sessionId) => gathered().byId.get(sessionId) ?? gathered().byId.get(sessionId.toLowerCase()),
    trees() {
      const { byId } = gathered();
      return [...own.trees(), ...[...otherHosts.all()].flatMap(treesOf)].map((tree) => withUseElsewhere(tree, byId));
    },
  };
}

/** Where two hosts mount one home directory, each sees the other's sessions as gone. */
function withUseElsewhere(tree: TreeFacts, byId: Gathered['byId']): TreeFacts {
  const isIn = (id: string) => (byId.get(id)?.state ?? 'gone') !== 'gone';
  return tree.needsCleanup && tree.sessions.some(isIn) ? { ...tree, needsCleanup: false } : tree;
}

type Gathered = { list: readonly SessionFacts[]; byId: ReadonlyMap<string, SessionFacts> };

/** Where two hosts mount one home directory a session appears twice; the host that sees it alive wins. */
function gather(own: readonly SessionFacts[], otherHosts: OtherHosts): Gathered {
  const byId = new Map(own.map((session) => [session.sessionId, session]));
  for (const host of otherHosts.all()) {
    for (const [sessionId, shared] of host.session) {
      const session = host.away ? withUnknownState(shared) : shared;
      const existing = byId.get(sessionId);
      if (!existing || rank[session.state] < rank[existing.state]) byId.set(sessionId, session);
    }
  }
  return { list: [...byId.values()], byId };
}

const rank = { running: 0, idle: 1, unknown: 2, gone: 3 } as const;

const withUnknownState = (session: SessionFacts): SessionFacts => ({
  ...session,
  state: 'unknown',
  reason: 'host_not_heard',
  activity: null,
  live: false,
});

function treesOf({ away, tree }: OtherHost): TreeFacts[] {
  const trees = [...tree.values()];
  if (!away) return trees;
  return trees.map((one) => ({
    ...one,
    contested: false,
    needsCleanup: one.needsCleanup && one.sessions.length === 0,
  }));
}

/** Computed again only when one of its inputs changed. */
function cached<Value>(inputs: () => readonly unknown[], compute: () => Value): () => Value {
  let cache: { signs: readonly unknown[]; value: Value } | null = null;
  return () => {
    const now = inputs();
    if (!cache?.signs.every((sign, index) => sign === now[index])) cache = { signs: now, value: compute() };
    return cache.value;
  };
}
