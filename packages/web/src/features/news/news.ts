import type { Board, Need, PlanStatus, RunSummary } from '../../live/wire.ts';
import { paths } from '../../paths.ts';

/** Something that happened while this page was open, as one line. */
export type News = {
  appearance:
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
  sentence: string;
  href: string;
};

type HeldClaim = { agent: string; health: string };

/** News of the board. */
export function boardNews(before: Board, after: Board): News[] {
  return [
    ...sessionNews(before, after),
    ...claimNews(heldClaims(before), heldClaims(after)),
    ...treeNews(before, after),
  ];
}

function sessionNews(before: Board, after: Board): News[] {
  const earlierStates = new Map(before.sessions.map((session) => [session.sessionId, session.state]));
  return after.sessions.flatMap(({ sessionId, state, title, reason, claims }): News[] => {
    const old = earlierStates.get(sessionId);
    // If the session holds a claim, `claimNews` reports it.
    if (old === state || (claims.length > 0 && state !== 'running') || state === 'unknown') return [];
    if (old === undefined && state !== 'running') return [];
    const sentences = {
      running: old === undefined ? 'started' : 'works again',
      idle: 'went idle',
      gone: `is gone: ${reasonText(reason)}`,
    };
    return [
      {
        appearance: state,
        who: title ?? sessionId.slice(0, 8),
        sentence: sentences[state],
        href: paths.session(sessionId),
      },
    ];
  });
}

function heldClaims({ sessions, unlinkedClaims }: Board): Map<string, HeldClaim> {
  const linked = sessions.flatMap(({ claims }) =>
    claims.map(({ plan, node, agent, health }): [string, HeldClaim] => [`${plan}/${node}`, { agent, health }]),
  );
  const plain = unlinkedClaims.map(({ plan, node, agent }): [string, HeldClaim] => [
    `${plan}/${node}`,
    { agent, health: 'unlinked' },
  ]);
  return new Map([...linked, ...plain]);
}

const healthNews: Readonly<Record<string, Pick<News, 'appearance' | 'sentence'>>> = {
  stalled: { appearance: 'stalled', sentence: 'went idle, its claim stalls' },
  orphaned: { appearance: 'orphaned', sentence: 'is gone, its claim is orphaned' },
  held: { appearance: 'claimed', sentence: 'works on it again' },
  unlinked: { appearance: 'unlinked', sentence: 'could not be linked to a session' },
};

function claimNews(before: ReadonlyMap<string, HeldClaim>, after: ReadonlyMap<string, HeldClaim>): News[] {
  const hrefOf = paths.nodeRef;
  const news: News[] = [];
  for (const [ref, { agent, health }] of after) {
    const earlier = before.get(ref);
    if (earlier?.agent !== agent)
      news.push({ appearance: 'claimed', who: agent, sentence: `claimed ${ref}`, href: hrefOf(ref) });
    const change = health === earlier?.health || (!earlier && health === 'held') ? undefined : healthNews[health];
    if (change) news.push({ ...change, who: ref, sentence: `${agent} ${change.sentence}`, href: hrefOf(ref) });
  }
  for (const [ref, { agent }] of before)
    if (!after.has(ref))
      news.push({
        appearance: 'gone',
        who: agent,
        sentence: `no longer holds ${ref}`,
        href: hrefOf(ref),
      });
  return news;
}

function treeNews(before: Board, after: Board): News[] {
  const keyOf = ({ host, root }: Board['trees'][number]) => `${host} ${root}`;
  const earlierTrees = new Map(before.trees.map((tree) => [keyOf(tree), tree]));
  return after.trees.flatMap((tree): News[] => {
    const old = earlierTrees.get(keyOf(tree));
    const who = tree.repository ?? tree.root.split('/').pop() ?? tree.root;
    const line = { who, href: paths.agentsNeedingAttention } as const;
    if (tree.contested && !old?.contested) return [{ ...line, appearance: 'contested', sentence: 'became contested' }];
    if (tree.needsCleanup && old && !old.needsCleanup)
      return [{ ...line, appearance: 'orphaned', sentence: 'needs cleanup' }];
    return [];
  });
}

/** News of a plan whose page is open. */
export function statusNews(before: PlanStatus, after: PlanStatus): News[] {
  const earlierStatuses = new Map(before.nodes.map(({ id, status }) => [id, status]));
  return after.nodes.flatMap(({ id, ref, title, status }): News[] => {
    const old = earlierStatuses.get(id);
    if (old === undefined || old === status) return [];
    const line = { who: title, href: paths.nodeRef(ref) };
    if (status === 'done') return [{ ...line, appearance: 'done', sentence: 'is proven done' }];
    if (status === 'failed') return [{ ...line, appearance: 'failed', sentence: 'failed' }];
    if (status === 'ready' && old === 'blocked') return [{ ...line, appearance: 'ready', sentence: 'became ready' }];
    return [];
  });
}

const reasonText = (reason: string): string => reason.replaceAll('_', ' ');

/** Needs that did not exist before. */
export function newNeeds(before: readonly Need[], after: readonly Need[]): Need[] {
  const known = new Set(before.map(({ key }) => key));
  return after.filter(({ key }) => !known.has(key));
}

/** Runs that were live or unknown before, and have now ended without passing. */
export function newlyFailed(before: readonly RunSummary[], after: readonly RunSummary[]): RunSummary[] {
  const ended = new Set(before.flatMap(({ runId, state }) => (state === 'running' ? [] : [runId])));
  const known = new Set(before.map(({ runId }) => runId));
  const newest = Math.max(0, ...before.map(({ receivedAt }) => Date.parse(receivedAt ?? '') || 0));
  return after.filter(
    ({ runId, state, green, receivedAt }) =>
      state !== 'running' &&
      green === false &&
      !ended.has(runId) &&
      // A list that only got longer at its end is not news.
      (known.has(runId) || Date.parse(receivedAt ?? '') >= newest),
  );
}
