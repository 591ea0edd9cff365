import type { SessionFacts } from '../agents/facts.ts';
import type { TreeFacts } from '../agents/tree.ts';
import type { Sightings } from '../agents/watch.ts';
import type { Neighbour, Neighbours } from './neighbours.ts';

type Roster = Pick<Sightings, 'sessions' | 'get' | 'trees'>;

/** The sessions and trees of all hosts. Those of a host that is away are neither alive nor gone: nobody looks at them. */
export function sightingsOfAll(own: Roster, neighbours: Neighbours): Roster {
  const roster = cached(
    () => [own.sessions(), neighbours.version] as const,
    () => gather(own.sessions(), neighbours),
  );
  return {
    sessions: () => roster().list,
    get: (sessionId) => roster().byId.get(sessionId),
    trees() {
      const { byId } = roster();
      return [...own.trees(), ...[...neighbours.all()].flatMap(treesOf)].map((tree) => inUseElsewhere(tree, byId));
    },
  };
}

/** In a home that two hosts mount one of them sees only that the other's sessions are not its own. */
function inUseElsewhere(tree: TreeFacts, byId: Gathered['byId']): TreeFacts {
  const isIn = (id: string) => (byId.get(id)?.state ?? 'gone') !== 'gone';
  return tree.needsCleanup && tree.sessions.some(isIn) ? { ...tree, needsCleanup: false } : tree;
}

type Gathered = { list: readonly SessionFacts[]; byId: ReadonlyMap<string, SessionFacts> };

/** A home that two hosts mount shows one session twice; the host that sees it alive knows better. */
function gather(own: readonly SessionFacts[], neighbours: Neighbours): Gathered {
  const byId = new Map(own.map((session) => [session.sessionId, session]));
  for (const host of neighbours.all()) {
    for (const [sessionId, seen] of host.session) {
      const session = host.away ? unheard(seen) : seen;
      const rival = byId.get(sessionId);
      if (!rival || rank[session.state] < rank[rival.state]) byId.set(sessionId, session);
    }
  }
  return { list: [...byId.values()], byId };
}

const rank = { running: 0, idle: 1, unknown: 2, gone: 3 } as const;

const unheard = (session: SessionFacts): SessionFacts => ({
  ...session,
  state: 'unknown',
  reason: 'host_not_heard',
  activity: null,
  live: false,
});

function treesOf({ away, tree }: Neighbour): TreeFacts[] {
  const trees = [...tree.values()];
  if (!away) return trees;
  return trees.map((one) => ({
    ...one,
    contested: false,
    needsCleanup: one.needsCleanup && one.sessions.length === 0,
  }));
}

/** Computed again only when one of its signs is another. */
function cached<Value>(signs: () => readonly unknown[], compute: () => Value): () => Value {
  let kept: { signs: readonly unknown[]; value: Value } | null = null;
  return () => {
    const now = signs();
    if (!kept?.signs.every((sign, index) => sign === now[index])) kept = { signs: now, value: compute() };
    return kept.value;
  };
}
