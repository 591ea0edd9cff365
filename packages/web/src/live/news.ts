import type { Board, PlanStatus } from './wire.ts';

/** Something that happened while this page was open, as one line. */
export type News = {
  look:
    | 'running'
    | 'idle'
    | 'gone'
    | 'claimed'
    | 'stalled'
    | 'orphaned'
    | 'unlinked'
    | 'contested'
    | 'done'
    | 'failed'
    | 'ready';
  who: string;
  says: string;
  href: string;
  /** Whether it is read out to those who cannot see the page: what failed and what was left behind. */
  loud: boolean;
};

type Held = { agent: string; health: string };

/** What is new on the board. */
export function boardNews(before: Board, after: Board): News[] {
  return [...sessionNews(before, after), ...claimNews(heldOf(before), heldOf(after)), ...treeNews(before, after)];
}

function sessionNews(before: Board, after: Board): News[] {
  const known = new Map(before.sessions.map((session) => [session.sessionId, session.state]));
  return after.sessions.flatMap(({ sessionId, state, title, reason, claims }): News[] => {
    const old = known.get(sessionId);
    // With a claim the change is told by what became of the claim.
    if (old === state || (claims.length > 0 && state !== 'running') || state === 'unknown') return [];
    if (old === undefined && state !== 'running') return [];
    const says = {
      running: old === undefined ? 'started' : 'works again',
      idle: 'went idle',
      gone: `is gone: ${words(reason)}`,
    };
    return [
      {
        look: state,
        who: title ?? sessionId.slice(0, 8),
        says: says[state],
        href: `/agents/${sessionId}`,
        loud: false,
      },
    ];
  });
}

function heldOf({ sessions, trees, unlinkedClaims }: Board): Map<string, Held> {
  const agents = new Map(trees.flatMap(({ owners }) => owners.map(({ sessionId, agent }) => [sessionId, agent])));
  const linked = sessions.flatMap(({ claims, sessionId }) => {
    const agent = agents.get(sessionId) ?? sessionId.slice(0, 8);
    return claims.map(({ plan, node, health }): [string, Held] => [`${plan}/${node}`, { agent, health }]);
  });
  const plain = unlinkedClaims.map(({ plan, node, agent }): [string, Held] => [
    `${plan}/${node}`,
    { agent, health: 'unlinked' },
  ]);
  return new Map([...linked, ...plain]);
}

const healths: Readonly<Record<string, Pick<News, 'look' | 'says' | 'loud'>>> = {
  stalled: { look: 'stalled', says: 'went idle, its claim stalls', loud: false },
  orphaned: { look: 'orphaned', says: 'is gone, its claim is orphaned', loud: true },
  held: { look: 'claimed', says: 'works on it again', loud: false },
  unlinked: { look: 'unlinked', says: 'could not be linked to a session', loud: false },
};

function claimNews(before: ReadonlyMap<string, Held>, after: ReadonlyMap<string, Held>): News[] {
  const hrefOf = (ref: string) => `/plans/${ref.replace('/', '?node=')}`;
  const news: News[] = [];
  for (const [ref, { agent, health }] of after) {
    const old = before.get(ref);
    if (old?.agent !== agent)
      news.push({ look: 'claimed', who: agent, says: `claimed ${ref}`, href: hrefOf(ref), loud: false });
    const told = health === old?.health || (!old && health === 'held') ? undefined : healths[health];
    if (told) news.push({ ...told, who: ref, says: `${agent} ${told.says}`, href: hrefOf(ref) });
  }
  for (const [ref, { agent }] of before)
    if (!after.has(ref))
      news.push({ look: 'gone', who: agent, says: `no longer holds ${ref}`, href: hrefOf(ref), loud: false });
  return news;
}

function treeNews(before: Board, after: Board): News[] {
  const keyOf = ({ host, root }: Board['trees'][number]) => `${host} ${root}`;
  const known = new Map(before.trees.map((tree) => [keyOf(tree), tree]));
  return after.trees.flatMap((tree): News[] => {
    const old = known.get(keyOf(tree));
    const who = tree.repository ?? tree.root.split('/').pop() ?? tree.root;
    const line = { who, href: '/agents?attention=1', loud: false } as const;
    if (tree.contested && !old?.contested) return [{ ...line, look: 'contested', says: 'became contested' }];
    if (tree.needsCleanup && old && !old.needsCleanup) return [{ ...line, look: 'orphaned', says: 'needs cleanup' }];
    return [];
  });
}

/** What is new in a plan that somebody looks at. */
export function statusNews(before: PlanStatus, after: PlanStatus): News[] {
  const known = new Map(before.nodes.map(({ id, status }) => [id, status]));
  return after.nodes.flatMap(({ id, ref, title, status }): News[] => {
    const old = known.get(id);
    if (old === undefined || old === status) return [];
    const line = { who: title, href: `/plans/${ref.replace('/', '?node=')}` };
    if (status === 'done') return [{ ...line, look: 'done', says: 'is proven done', loud: false }];
    if (status === 'failed') return [{ ...line, look: 'failed', says: 'failed', loud: true }];
    if (status === 'ready' && old === 'blocked') return [{ ...line, look: 'ready', says: 'became ready', loud: false }];
    return [];
  });
}

const words = (reason: string): string => reason.replaceAll('_', ' ');
