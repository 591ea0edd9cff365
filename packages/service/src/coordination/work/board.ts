import type { Clock } from '../../kernel/clock.ts';
import type { Ambiguity, Board, Session, SessionDetail, Tree, UnlinkedClaim } from '../agents/contract.ts';
import type { SessionFacts } from '../agents/facts.ts';
import type { RosterBoard } from '../agents/ports.ts';
import { sinceOf } from '../agents/since.ts';
import type { TreeFacts } from '../agents/tree.ts';
import type { AgentWatch } from '../agents/watch.ts';
import type { ClaimView } from '../claims/contract.ts';
import { sightOf, type WorkContext } from './context.ts';
import { viewClaim } from './node-view.ts';

export type SessionRuns = (sessionId: string) => SessionDetail['runs'] | Promise<SessionDetail['runs']>;

export type BoardOptions = { work: WorkContext; watch: AgentWatch; clock: Pick<Clock, 'wall'>; runsOf: SessionRuns };

type OnBoard = { plan: string; node: string; ref: string; repository: string | null; claim: ClaimView };
type Claims = { all: readonly OnBoard[]; bySession: ReadonlyMap<string, readonly OnBoard[]> };

/** Sessions, trees and claims put together. */
export function createBoard({ work, watch, clock, runsOf }: BoardOptions): RosterBoard {
  return {
    all(since) {
      const claims = claimsNow(work);
      const from = since === undefined ? undefined : sinceOf(since, clock.wall());
      const facts = watch.sessions();
      const stays = (one: SessionFacts) =>
        from === undefined ||
        one.live ||
        claims.bySession.has(one.sessionId) ||
        Date.parse(one.lastActivityAt ?? '') >= from;
      return {
        sessions: facts
          .filter(stays)
          .map((one) => viewSession(one, claims))
          .sort(byActivity),
        trees: watch.trees().map((tree) => viewTree(tree, claims)),
        unlinkedClaims: claims.all.filter(({ claim }) => claim.sessionId === null).map(viewUnlinked),
        ambiguous: ambiguities(claims, facts),
        observedAt: watch.observedAt(),
        sources: [...watch.sources()],
      } satisfies Board;
    },
    async one(sessionId) {
      const found = watch.get(sessionId.toLowerCase());
      return found && { ...viewSession(found, claimsNow(work)), runs: await runsOf(found.sessionId) };
    },
    tell(payload) {
      if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) watch.tell({ ...payload });
    },
  };
}

function claimsNow(work: WorkContext): Claims {
  const { picture } = work;
  const sight = sightOf(work);
  const all = [...picture.claims.open()].flatMap((key): OnBoard[] => {
    const vertex = picture.plans.graph.find(key);
    const plan = vertex === undefined ? undefined : picture.plans.graph.plans[vertex];
    const node = vertex === undefined ? undefined : picture.plans.graph.nodes[vertex];
    const claim = vertex === undefined || !node ? null : viewClaim(sight, vertex);
    if (!plan || !node || !claim) return [];
    const repository = node.repository ?? plan.repository;
    return [{ plan: plan.slug, node: node.id, ref: `${plan.slug}/${node.id}`, repository, claim }];
  });
  const bySession = new Map<string, OnBoard[]>();
  for (const one of all) {
    const { sessionId } = one.claim;
    if (sessionId !== null) bySession.set(sessionId, [...(bySession.get(sessionId) ?? []), one]);
  }
  return { all, bySession };
}

function viewSession({ live: _, processes: __, ...session }: SessionFacts, { bySession }: Claims): Session {
  const claims = (bySession.get(session.sessionId) ?? []).map(({ plan, node, claim }) => {
    const { health, correlation, expiresAt } = claim;
    return { plan, node, health, correlation, expiresAt };
  });
  return { ...session, claims };
}

/** Who works in a tree: each of its sessions that holds claims, by the label it claimed under. */
function viewTree(tree: TreeFacts, { bySession }: Claims): Tree {
  const owners = tree.sessions.flatMap((sessionId) => {
    const held = bySession.get(sessionId) ?? [];
    return [...new Set(held.map(({ claim }) => claim.agent))].map((agent) => {
      const own = held.filter(({ claim }) => claim.agent === agent);
      return { sessionId, agent, claims: own.map(({ ref }) => ref), health: own[0]?.claim.health ?? 'unlinked' };
    });
  });
  return { ...tree, owners };
}

const viewUnlinked = ({ plan, node, claim }: OnBoard): UnlinkedClaim => ({ plan, node, ...claim });

/** Repositories whose claims could belong to more than one living session. */
function ambiguities({ all }: Claims, facts: readonly SessionFacts[]): Ambiguity[] {
  const found = new Map<string, Ambiguity>();
  for (const { ref, repository, claim } of all) {
    if (repository === null || claim.reason !== 'several_sessions') continue;
    const key = repository.toLowerCase();
    const sessions = facts.filter((one) => one.live && one.repository?.toLowerCase() === key);
    const entry = found.get(key) ?? { repository, sessions: sessions.map(({ sessionId }) => sessionId), claims: [] };
    found.set(key, { ...entry, claims: [...entry.claims, ref] });
  }
  return [...found.values()];
}

/** The living first, then by their last sign of life. */
const order = { running: 0, idle: 1, unknown: 2, gone: 3 } as const;
const byActivity = (a: Session, b: Session): number =>
  order[a.state] - order[b.state] ||
  (b.lastActivityAt ?? '').localeCompare(a.lastActivityAt ?? '') ||
  (a.sessionId < b.sessionId ? -1 : 1);
