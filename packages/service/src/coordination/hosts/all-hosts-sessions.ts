import type { SessionFacts } from '../agents/session-state.ts';
import type { TreeFacts } from '../agents/tree.ts';
import type { SessionObservations } from '../agents/watch.ts';

type SessionsAndTrees = Pick<SessionObservations, 'sessions' | 'get' | 'trees'>;

/**
 * Sessions and trees seen by others: the other hosts of a store, observers, or hooks. `version` grows with every
 * change.
 */
type SeenElsewhere = { readonly version: number; all(): Iterable<SeenOnHost> };
type SeenOnHost = {
  away: boolean;
  session: ReadonlyMap<string, SessionFacts>;
  tree: ReadonlyMap<string, TreeFacts>;
};

/** The sessions and trees of all hosts. Sessions of a silent host are `unknown`, because nobody observes them. */
export function sessionsOfAllHosts(
  own: SessionsAndTrees,
  otherHosts: SeenElsewhere,
  silentReason: 'host_not_heard' | 'observer_lost' = 'host_not_heard',
): SessionsAndTrees {
  const gathered = cached(
    () => [own.sessions(), otherHosts.version] as const,
    () => gather(own.sessions(), otherHosts, silentReason),
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

/** If two hosts mount the same home directory, each sees the other's sessions as gone. */
function withUseElsewhere(tree: TreeFacts, byId: Gathered['byId']): TreeFacts {
  const isIn = (id: string) => (byId.get(id)?.state ?? 'gone') !== 'gone';
  return tree.needsCleanup && tree.sessions.some(isIn) ? { ...tree, needsCleanup: false } : tree;
}

type Gathered = { list: readonly SessionFacts[]; byId: ReadonlyMap<string, SessionFacts> };

/**
 * If two hosts mount the same home directory, a session appears twice; the host that sees its process takes precedence.
 */
function gather(own: readonly SessionFacts[], otherHosts: SeenElsewhere, silentReason: string): Gathered {
  const byId = new Map(own.map((session) => [session.sessionId, session]));
  for (const host of otherHosts.all()) {
    for (const [sessionId, shared] of host.session) {
      const session = host.away ? withUnknownState(shared, silentReason) : shared;
      const existing = byId.get(sessionId);
      if (!existing || isBetterSeen(session, existing)) byId.set(sessionId, session);
    }
  }
  return { list: [...byId.values()], byId };
}

const rank = { running: 0, idle: 1, unknown: 2, gone: 3 } as const;

/** Hooks report the last action of a session, not whether it is alive: they count only if no host observes it. */
const nobodyLooks: ReadonlySet<string> = new Set(['host_not_heard', 'observer_lost', 'other_system']);

const isBetterSeen = (one: SessionFacts, other: SessionFacts): boolean => {
  if (one.via === 'hooks') return nobodyLooks.has(other.reason);
  const [sees, seesOther] = [one.processes > 0, other.processes > 0];
  return sees === seesOther ? rank[one.state] < rank[other.state] : sees;
};

const withUnknownState = (session: SessionFacts, reason: string): SessionFacts => ({
  ...session,
  state: 'unknown',
  reason,
  activity: null,
  live: false,
  processes: 0,
});

function treesOf({ away, tree }: SeenOnHost): TreeFacts[] {
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
