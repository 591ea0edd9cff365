import type { Health, LinkedBy, Tokens } from '../../kernel/claim-view.ts';
import type { RecordedEvent, SavableProjection } from '../../kernel/event-log.ts';
import { type NodeKey, nodeKeyOf } from '../../kernel/streams.ts';
import type { SessionFacts } from '../agents/session-state.ts';
import type { AgentWatch, SessionObservations } from '../agents/watch.ts';
import type { Lease, ObservedHealth } from '../claims/lease.ts';
import { globsOf } from '../plans/touched-paths.ts';
import { isStored } from '../stored-event.ts';
import type { SessionOverlap } from '../trees/overlap-index.ts';
import type { RememberedLink } from './events.ts';
import type { WorkState } from './work-state.ts';

/* The session behind a claim. A claim is linked to the session that the call named, or that a hook or the client reported. If nothing names one, it is linked to the only session that can have made it. `claim-session-watch.ts` asks these questions, writes the results to the log and announces changes; views read them with `linkOf`. */

/** The session behind a claim, if one is known. */
export type ClaimLink = {
  health: Health;
  correlation: 'strong' | 'inferred' | null;
  linkedBy: LinkedBy | null;
  reason: string | null;
  sessionId: string | null;
};

/** A live claim, or one that just expired: the key of its node, and the node's repository. */
type LinkedClaim = { key: NodeKey; lease: Lease; repository: string | null };

/** Links are computed again only when one of their inputs changed. */
export type ClaimLinks = {
  of(claim: LinkedClaim): ClaimLink;
  /** Remembers what the session named by a new claim has used until now, before its link is stored. */
  noteUsage(key: NodeKey, lease: Lease | null): void;
  /** The tokens that the session of a claim had used when it claimed, if it was observed then. */
  usedBefore(key: NodeKey, lease: Lease): Tokens | null;
  /** The tokens that the session has used since it claimed, for a strong link. */
  tokensUsed(claim: LinkedClaim): Tokens | null;
  /** The overlaps of a session's trees with others. */
  overlapsOf(sessionId: string): readonly SessionOverlap[];
  /** Files that the trees of a session began to change after `since`. */
  changedSince(sessionId: string, since: string): readonly string[];
  /** The host where its session runs; null if that is unknown. */
  hostOf(claim: LinkedClaim): string | null;
};

export type SessionLookup = {
  /**
   * True if the session was observed and has ended: another session under the same agent label can then take over its
   * claims.
   */
  isGone(sessionId: string): boolean;
  /** The session that a hook reported together with this tool call. */
  reportedByHook(toolCall: string): string | null;
  /** The host where it runs; null if it was never observed. */
  hostOf(sessionId: string): string | null;
};

type ObservedSessions = Pick<SessionObservations, 'get' | 'observedAt'>;

const healthByState: Readonly<Record<SessionFacts['state'], Health>> = {
  running: 'held',
  idle: 'stalled',
  gone: 'orphaned',
  unknown: 'unknown',
};

/** The health of a claim, from the state of its session. An unhealthy claim is only marked, never released. */
function healthOf({ state, reason }: Pick<SessionFacts, 'state' | 'reason'>): ObservedHealth {
  return { health: healthByState[state], reason: state === 'running' ? null : reason };
}

/** A live claim and what is stored about its session. `usedBefore`: what its session had used at the claim, if it was seen then. */
export type OpenClaim = LinkedClaim & { remembered: RememberedLink | null; usedBefore: Tokens | null };

/** The session of a claim, or why it has none until it is renewed. */
export type LinkDecision = { sessionId: string; linkedBy: LinkedBy } | { sessionId: null; reason: string };

/** How long the records of a program are searched for the call that claimed. */
const searchMs = 60_000;

/**
 * `search`: the client named the call, so search for that call. `conclude`: nothing names a session, so infer it from
 * the repository. `reconsider`: there were several candidates, and some may have ended since.
 */
export function openQuestion(
  { lease, repository, remembered }: OpenClaim,
  now: string,
): 'search' | 'conclude' | 'reconsider' | null {
  if (lease.session !== null || remembered?.sessionId) return null;
  if (lease.toolCall !== null) return Date.parse(now) - Date.parse(lease.heardAt) < searchMs ? 'search' : null;
  if (repository === null) return null;
  if (remembered?.judgedFor !== lease.heardAt) return 'conclude';
  return remembered.reason === severalSessions ? 'reconsider' : null;
}

const severalSessions = 'several_sessions';

/**
 * Exactly one candidate links the claim. Without one the claim stays unlinked until it is renewed; with several, until
 * only one is left.
 */
export function concludeLink({ lease, repository }: OpenClaim, sessions: Iterable<SessionFacts>): LinkDecision {
  const [only, ...others] = [...sessions].filter((session) => mayHaveClaimed(session, lease, repository ?? ''));
  if (only && others.length === 0) return { sessionId: only.sessionId, linkedBy: 'inferred' };
  return { sessionId: null, reason: only ? severalSessions : 'no_session' };
}

/** Only one of the sessions that were live at the time of the claim is left. */
export function reconsiderLink(
  { lease, repository }: OpenClaim,
  sessions: Iterable<SessionFacts>,
): LinkDecision | undefined {
  const [only, ...others] = [...sessions].filter(
    (session) => session.state !== 'gone' && mayHaveClaimed(session, lease, repository ?? ''),
  );
  return only && others.length === 0 ? { sessionId: only.sessionId, linkedBy: 'inferred' } : undefined;
}

/**
 * Sessions in the node's repository, of the calling tool if that is known, that started before the claim and were live
 * when it was made. A session that ended since still counts: it may be the one that claimed.
 */
function mayHaveClaimed(session: SessionFacts, { heardAt, client }: Lease, repository: string): boolean {
  const { state, startedAt, lastActivityAt, since } = session;
  if (session.repository?.toLowerCase() !== repository.toLowerCase()) return false;
  if (client !== null && session.tool !== client) return false;
  if (startedAt === null || startedAt > heardAt) return false;
  return state !== 'gone' || (lastActivityAt ?? '') >= heardAt || (since ?? '') >= heardAt;
}

/** The data to store about a claim now; null if this host has nothing to write. */
export function linkToRemember(
  { lease, remembered, usedBefore }: OpenClaim,
  decision: LinkDecision | undefined,
  session: SessionFacts | undefined,
  { host, follows }: { host: string; follows: (host: string) => boolean },
): RememberedLink | null {
  const judgedFor = decision ? lease.heardAt : remembered?.judgedFor;
  const judged = judgedFor === undefined ? {} : { judgedFor };
  const { fence } = lease;
  if (decision?.sessionId === null) {
    return { fence, host, sessionId: null, health: 'unlinked', reason: decision.reason, linkedBy: null, ...judged };
  }
  // Sessions of another host are followed by that host.
  if (!session || (!follows(session.host) && !decision)) return null;
  const isSameSession = remembered?.sessionId === session.sessionId;
  return {
    fence,
    host: session.host,
    sessionId: session.sessionId,
    ...healthOf(session),
    linkedBy: lease.session === null ? (decision?.linkedBy ?? remembered?.linkedBy ?? 'inferred') : lease.sessionBy,
    ...judged,
    tokens: (isSameSession ? remembered.tokens : null) ?? usedBefore ?? session.tokens,
  };
}

export const isSameLink = (a: RememberedLink, b: RememberedLink): boolean =>
  a.sessionId === b.sessionId &&
  a.health === b.health &&
  a.reason === b.reason &&
  a.fence === b.fence &&
  (a.linkedBy ?? 'inferred') === (b.linkedBy ?? 'inferred') &&
  a.judgedFor === b.judgedFor &&
  (a.tokens == null) === (b.tokens == null);

/**
 * Links and the last health survive a restart in separate streams: they record observations, not actions, and never
 * conflict with a write of the holder.
 */
export class LinkProjection implements SavableProjection {
  readonly savedAs = 'links';
  #links = new Map<NodeKey, RememberedLink>();

  /** Returns the link only for the claim with this fence; links of earlier claims on the node are ignored. */
  of(key: NodeKey, fence: number): RememberedLink | null {
    const link = this.#links.get(key);
    return link?.fence === fence ? link : null;
  }

  apply(event: RecordedEvent): void {
    if (isStored(event, 'link')) this.#links.set(nodeKeyOf(event), event.data);
  }

  reset(): void {
    this.#links.clear();
  }

  save(): unknown {
    return this.#links;
  }

  load(saved: unknown): void {
    if (!(saved instanceof Map)) throw new TypeError('saved links are a map');
    this.#links = saved;
  }
}

type Inputs = {
  remembered: RememberedLink | null;
  session: SessionFacts | undefined;
  past: boolean;
  repository: string | null;
};

/** The sessions behind claims, from the last observations and the stored links. */
export function createClaimLinks(
  projection: LinkProjection,
  observed: ObservedSessions,
  now: () => string,
  { overlapsOf, changedSince }: Pick<ClaimLinks, 'overlapsOf' | 'changedSince'> = unobservedLinks,
): ClaimLinks {
  const computed = new WeakMap<Lease, { inputs: Inputs; link: ClaimLink }>();
  const usage = new Map<NodeKey, { fence: number; sessionId: string; tokens: Tokens }>();

  function usedBefore(key: NodeKey, { fence, session }: Lease): Tokens | null {
    const used = usage.get(key);
    return used?.fence === fence && used.sessionId === session ? used.tokens : null;
  }

  function inputsOf({ key, lease, repository }: LinkedClaim): Inputs {
    const remembered = projection.of(key, lease.fence);
    const sessionId = lease.session ?? remembered?.sessionId ?? null;
    return {
      remembered,
      session: sessionId === null ? undefined : observed.get(sessionId),
      // An expired claim keeps its last health, even if its session has changed since.
      past: remembered !== null && (lease.expiresAt <= now() || observed.observedAt() === null),
      repository,
    };
  }

  return {
    of(claim) {
      const inputs = inputsOf(claim);
      const before = computed.get(claim.lease);
      if (before && isSame(before.inputs, inputs)) return before.link;
      const link = linkOfClaim(claim.lease, inputs);
      computed.set(claim.lease, { inputs, link });
      return link;
    },
    usedBefore,
    noteUsage(key, lease) {
      if (lease && usedBefore(key, lease)) return;
      usage.delete(key);
      if (!lease?.session || projection.of(key, lease.fence)) return;
      const tokens = observed.get(lease.session)?.tokens;
      if (tokens) usage.set(key, { fence: lease.fence, sessionId: lease.session, tokens });
    },
    tokensUsed(claim) {
      const { key, lease } = claim;
      const { remembered, session } = inputsOf(claim);
      const isStrong = lease.session !== null || isNamed(remembered);
      // A claim may end before its link is stored.
      const [before, after] = [remembered ? remembered.tokens : usedBefore(key, lease), session?.tokens];
      return isStrong && before && after ? difference(after, before) : null;
    },
    overlapsOf,
    changedSince,
    hostOf(claim) {
      const { remembered, session } = inputsOf(claim);
      return session?.host ?? (remembered?.sessionId ? remembered.host : null);
    },
  };
}

const isSame = (a: Inputs, b: Inputs): boolean =>
  a.remembered === b.remembered && a.session === b.session && a.past === b.past && a.repository === b.repository;

const isNamed = (remembered: RememberedLink | null): boolean =>
  remembered?.linkedBy != null && remembered.linkedBy !== 'inferred';

function linkOfClaim({ session: named, sessionBy, toolCall }: Lease, inputs: Inputs): ClaimLink {
  const { remembered, session, past, repository } = inputs;
  if (remembered && (past || (named === null && !session && remembered.sessionId !== null)))
    return lastLink(remembered, named === null ? remembered.linkedBy : sessionBy, past);
  if (named !== null) return session ? linkTo(session, sessionBy) : noLink(unobserved, sessionBy);
  if (session) return linkTo(session, remembered?.linkedBy ?? 'inferred');
  return noLink(remembered?.reason ?? (toolCall === null ? withoutSession(repository) : unobserved));
}

const linkTo = (session: SessionFacts, linkedBy: ClaimLink['linkedBy']): ClaimLink => ({
  ...healthOf(session),
  correlation: linkedBy === 'inferred' ? 'inferred' : 'strong',
  linkedBy,
  sessionId: session.sessionId,
});

/** The last observed state: a session that is no longer observed is unknown, unless it had ended. */
function lastLink(remembered: RememberedLink, by: ClaimLink['linkedBy'] | undefined, past: boolean): ClaimLink {
  const { sessionId, health, reason } = remembered;
  if (sessionId === null) return noLink(reason ?? 'no_session', by === 'inferred' ? null : (by ?? null));
  const linkedBy = by ?? 'inferred';
  const correlation = linkedBy === 'inferred' ? 'inferred' : 'strong';
  const isLast = past || health === 'orphaned';
  return {
    health: isLast ? health : 'unknown',
    reason: isLast ? reason : unobserved,
    sessionId,
    linkedBy,
    correlation,
  };
}

const unobserved = 'session_not_observed';
const withoutSession = (repository: string | null): string => (repository === null ? 'no_repository' : 'no_session');

const noLink = (reason: string, linkedBy: LinkedBy | null = null): ClaimLink => ({
  health: 'unlinked',
  correlation: linkedBy === null ? null : 'strong',
  linkedBy,
  reason,
  sessionId: null,
});

/** Used if no sessions are observed: claims are then plain leases. */
export const unobservedLinks: ClaimLinks = {
  of: ({ lease, repository }) =>
    lease.session === null ? noLink(withoutSession(repository)) : noLink(unobserved, lease.sessionBy),
  noteUsage: () => undefined,
  usedBefore: () => null,
  tokensUsed: () => null,
  overlapsOf: () => [],
  changedSince: () => [],
  hostOf: () => null,
};

const difference = (after: Tokens, before: Tokens): Tokens => ({
  input: Math.max(0, after.input - before.input),
  cached: Math.max(0, after.cached - before.cached),
  output: Math.max(0, after.output - before.output),
});

export const sessionLookupOf = (
  observed: Pick<ObservedSessions, 'get'>,
  hooks: Pick<AgentWatch, 'reportedByHook'>,
): SessionLookup => ({
  isGone: (sessionId) => observed.get(sessionId)?.state === 'gone',
  reportedByHook: hooks.reportedByHook,
  hostOf: (sessionId) => observed.get(sessionId)?.host ?? null,
});

export const noSessions: SessionLookup = { isGone: () => false, reportedByHook: () => null, hostOf: () => null };

/** The inputs of a view of nodes and claims. */
export type ViewContext = { workState: WorkState; links: ClaimLinks; now: string };
type LinkContext = Pick<ViewContext, 'workState' | 'links'>;

export const repositoryOfNode = ({ plans: { graph } }: WorkState, vertex: number): string | null =>
  graph.nodes[vertex]?.repository ?? graph.plans[vertex]?.repository ?? null;

const linkedClaim = ({ workState }: LinkContext, vertex: number, lease: Lease): LinkedClaim => ({
  key: workState.keyOf(vertex),
  lease,
  repository: repositoryOfNode(workState, vertex),
});

export const linkOf = (context: LinkContext, vertex: number, lease: Lease): ClaimLink =>
  context.links.of(linkedClaim(context, vertex, lease));

export const tokensUsedBy = (context: LinkContext, vertex: number, lease: Lease): Tokens | null =>
  context.links.tokensUsed(linkedClaim(context, vertex, lease));

export function overlapsBehind(context: LinkContext, vertex: number, lease: Lease): readonly SessionOverlap[] {
  const { sessionId } = linkOf(context, vertex, lease);
  return sessionId === null ? [] : context.links.overlapsOf(sessionId);
}

export const hostOfClaim = (context: LinkContext, vertex: number, lease: Lease): string | null =>
  context.links.hostOf(linkedClaim(context, vertex, lease));

/** Globs of the files that claims of a node changed, including the current one; empty if none changed. */
export function touchedBy(context: LinkContext, vertex: number, lease: Lease): string[] {
  const { sessionId } = linkOf(context, vertex, lease);
  const paths = sessionId === null ? [] : context.links.changedSince(sessionId, lease.claimedAt);
  const { touched = [] } = context.workState.claims.of(context.workState.keyOf(vertex));
  return paths.length === 0 ? [] : globsOf([...touched, ...paths]);
}
