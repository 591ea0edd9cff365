import type { ClaimWithPrevious } from '../../kernel/claim-view.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Refusal, refuse } from '../../kernel/outcome.ts';
import type { Ambiguity, Board, Session, SessionDetail, Tree, UnlinkedClaim, UnsavedWork } from '../agents/contract.ts';
import { type ContestedFile, createHookAnswers } from '../agents/hook-answers.ts';
import type { AgentBoard, UnsavedReader } from '../agents/ports.ts';
import type { SessionFacts } from '../agents/session-state.ts';
import { parseSince } from '../agents/since.ts';
import { isWithin, type TreeFacts } from '../agents/tree.ts';
import { asObject } from '../agents/turn.ts';
import type { AgentWatch } from '../agents/watch.ts';
import type { OverlapIndex } from '../trees/overlap-index.ts';
import { isSameFile, treeKey } from '../trees/overlaps.ts';
import type { ClaimLinks } from './claim-session.ts';
import { viewClaimWithPrevious } from './view-node.ts';
import { viewContextOf, type WorkContext } from './work-context.ts';

export type SessionRuns = (sessionId: string) => SessionDetail['runs'] | Promise<SessionDetail['runs']>;

export type BoardOptions = {
  work: WorkContext;
  watch: AgentWatch;
  clock: Pick<Clock, 'wall'>;
  runsOf: SessionRuns;
  host: string;
  readUnsaved: UnsavedReader;
  /** For hooks of tools whose files may be unreadable for this service. */
  hookElsewhere: (payload: Readonly<Record<string, unknown>>, host: string) => void;
  overlaps: OverlapIndex;
};

type BoardClaim = { plan: string; node: string; ref: string; repository: string | null; claim: ClaimWithPrevious };
type Claims = { all: readonly BoardClaim[]; bySession: ReadonlyMap<string, readonly BoardClaim[]> };

/** Joins sessions, working trees and claims into the board. */
export function createBoard(options: BoardOptions): AgentBoard {
  const { work, watch, clock, runsOf, hookElsewhere, overlaps } = options;
  const answerHook = createHookAnswers();
  return {
    all(since) {
      const claims = currentClaims(work);
      const from = since === undefined ? undefined : parseSince(since, clock.wall());
      const facts = watch.sessions();
      const stays = (one: SessionFacts) =>
        from === undefined ||
        one.live ||
        claims.bySession.has(one.sessionId) ||
        Date.parse(one.lastActivityAt ?? '') >= from;
      return {
        sessions: facts
          .filter(stays)
          .map((one) => viewSession(one, claims, work.links))
          .sort(byActivity),
        trees: watch
          .trees()
          .toSorted(byPlace)
          .map((tree) => viewTree(tree, claims, overlaps)),
        unlinkedClaims: claims.all.filter(({ claim }) => claim.sessionId === null).map(viewUnlinked),
        ambiguous: ambiguities(claims, facts),
        observedAt: watch.observedAt(),
        sources: [...watch.sources()],
      } satisfies Board;
    },
    async one(sessionId) {
      const found = watch.get(sessionId);
      return found && { ...viewSession(found, currentClaims(work), work.links), runs: await runsOf(found.sessionId) };
    },
    unsaved: (root) => unsavedIn(root, options),
    receiveHook(payload, attended, from) {
      const told = asObject(payload);
      if (!told) return {};
      watch.receiveHook({ ...told });
      if (from !== null) hookElsewhere(told, from);
      return answerHook(told, {
        attended,
        claimsOf: (sessionId) => ownClaims(work, watch.get(sessionId)?.sessionId),
        contestedBy: (sessionId, file) => contestedFile(work, watch, overlaps, { sessionId, file }),
      });
    },
  };
}

async function unsavedIn(root: string, { watch, host, readUnsaved }: BoardOptions): Promise<UnsavedWork | Refusal> {
  const trees = watch.trees().filter((tree) => tree.root === root);
  const [tree] = trees;
  if (!tree) return refuse('not_found', 'No such tree is on the board. List the agents to see them.');
  if (!trees.some((one) => one.host === host))
    return refuse(
      'host_unavailable',
      `The tree is on ${tree.host}, and only that host can read it. Run git status in it there.`,
    );
  const answer = tree.onDisk ? await readUnsaved(root) : null;
  return (
    answer ??
    refuse('not_found', 'Git could not read this tree in 10 seconds, or not at all. Run git status in it to see why.')
  );
}

/** Whether other live trees change a file that a session edits, even if its own tree has not changed it yet. */
function contestedFile(
  work: WorkContext,
  watch: Pick<AgentWatch, 'get' | 'trees'>,
  overlaps: OverlapIndex,
  { sessionId, file }: { sessionId: string; file: string },
): ContestedFile | null {
  const host = watch.get(sessionId)?.host;
  const [tree] = watch
    .trees()
    .filter((one) => one.host === host && one.live.length > 0 && isWithin(file, one.root))
    .sort((a, b) => b.root.length - a.root.length);
  if (!tree) return null;
  const path = file.slice(tree.root.length + 1).replaceAll('\\', '/');
  const others = overlaps.othersChanging(tree, path);
  if (others.length === 0) return null;
  const { bySession } = currentClaims(work);
  const keys = new Set(others.map(treeKey));
  const sessions = watch.trees().flatMap((one) => (keys.has(treeKey(one)) ? one.live : []));
  const refs = sessions.flatMap((id) => bySession.get(id) ?? []).map(({ ref }) => ref);
  const own = overlaps.changesOf(tree);
  const sameLines = overlaps
    .ofTree(tree)
    .some((one) => one.kind === 'same_lines' && own && isSameFile({ tree: own, path }, { tree: own, path: one.path }));
  return { path, refs: [...new Set(refs)], trees: others.length, sameLines };
}

/** The claims that named this session. A claim that was only inferred may belong to another session. */
const ownClaims = (work: WorkContext, sessionId: string | undefined) =>
  (currentClaims(work).bySession.get(sessionId ?? '') ?? [])
    .filter(({ claim }) => claim.correlation === 'strong')
    .map(({ ref, claim }) => ({ ref, fence: claim.fence }));

function currentClaims(work: WorkContext): Claims {
  const { workState } = work;
  const view = viewContextOf(work);
  const all = [...workState.claims.open()].flatMap((key): BoardClaim[] => {
    const vertex = workState.plans.graph.find(key);
    const plan = vertex === undefined ? undefined : workState.plans.graph.plans[vertex];
    const node = vertex === undefined ? undefined : workState.plans.graph.nodes[vertex];
    const claim = vertex === undefined || !node ? null : viewClaimWithPrevious(view, vertex);
    if (!plan || !node || !claim) return [];
    const repository = node.repository ?? plan.repository;
    return [{ plan: plan.slug, node: node.id, ref: `${plan.slug}/${node.id}`, repository, claim }];
  });
  const bySession = new Map<string, BoardClaim[]>();
  for (const one of all) {
    const { sessionId } = one.claim;
    if (sessionId !== null) bySession.set(sessionId, [...(bySession.get(sessionId) ?? []), one]);
  }
  return { all, bySession };
}

function viewSession({ processes: _, ...session }: SessionFacts, { bySession }: Claims, links: ClaimLinks): Session {
  const claims = (bySession.get(session.sessionId) ?? []).map(({ plan, node, claim }) => {
    const { agent, health, correlation, linkedBy, expiresAt } = claim;
    return { plan, node, agent, health, correlation, linkedBy, expiresAt };
  });
  return { ...session, claims, overlaps: session.live ? links.overlapsOf(session.sessionId).length : 0 };
}

/** The owners of a tree: its sessions that hold claims, by the agent label of the claim. */
function viewTree(tree: TreeFacts, { bySession }: Claims, overlaps: OverlapIndex): Tree {
  const owners = tree.sessions.flatMap((sessionId) => {
    const claims = bySession.get(sessionId) ?? [];
    return [...new Set(claims.map(({ claim }) => claim.agent))].map((agent) => {
      const own = claims.filter(({ claim }) => claim.agent === agent);
      return { sessionId, agent, claims: own.map(({ ref }) => ref), health: own[0]?.claim.health ?? 'unlinked' };
    });
  });
  const changes = overlaps.changesOf(tree);
  return {
    ...tree,
    owners,
    changes: changes?.paths.length ?? null,
    changesTruncated: changes?.truncated ?? false,
    overlaps: overlaps.ofTree(tree).length,
  };
}

const viewUnlinked = ({ plan, node, claim }: BoardClaim): UnlinkedClaim => ({ plan, node, ...claim });

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

/** Live sessions first, then by last activity. */
const order = { running: 0, idle: 1, unknown: 2, gone: 3 } as const;
/** A fixed order, so that reading the list again returns the same order. */
const byPlace = (a: TreeFacts, b: TreeFacts): number =>
  a.root === b.root ? (a.host < b.host ? -1 : 1) : a.root < b.root ? -1 : 1;

const byActivity = (a: Session, b: Session): number =>
  order[a.state] - order[b.state] ||
  (b.lastActivityAt ?? '').localeCompare(a.lastActivityAt ?? '') ||
  (a.sessionId < b.sessionId ? -1 : 1);
