import type { Announcements } from '../../kernel/announcements.ts';
import type { Append, NewEvent, RecordedEvent } from '../../kernel/event-log.ts';
import { coalesced } from '../../kernel/one-at-a-time.ts';
import { isRefusal } from '../../kernel/outcome.ts';
import { isOfKind, type NodeKey, nodeKeyOf, streams } from '../../kernel/streams.ts';
import type { AgentWatch } from '../agents/watch.ts';
import {
  type ClaimLink,
  concludeLink,
  isSameLink,
  type LinkDecision,
  type LinkProjection,
  linkOf,
  linkToRemember,
  type OpenClaim,
  openQuestion,
  reconsiderLink,
  repositoryOfNode,
} from './claim-session.ts';
import type { RememberedLink } from './events.ts';
import { claimChanged } from './work-announcer.ts';
import type { WorkContext } from './work-context.ts';

export type ClaimSessionWatch = {
  work: WorkContext;
  projection: LinkProjection;
  announcements: Announcements;
  host: string;
  /** Whether this service sees the sessions of that host: its own, and those of its observers. */
  follows: (host: string) => boolean;
  /** The sessions of all hosts. */
  observations: Pick<AgentWatch, 'get' | 'sessions' | 'poll' | 'sessionOfToolCall'>;
  /** Whether other hosts observe sessions too, and whether this host makes the final decision for all of them. */
  others: { present(): boolean; concludeHere(): boolean };
  fault: (error: unknown) => void;
};

/** After this time a session that claimed has left its first trace, and other hosts have shared it. */
const settledMs = { alone: 1_000, withOthers: 2_500 };
/** How often claims without a link are checked again. */
const retryMs = 1_000;

/**
 * Finds the session behind each new claim, stores it once found and each health once observed, and announces changes of
 * a claim's health. It never changes a claim.
 */
export function watchClaimSessions(options: ClaimSessionWatch): () => Promise<void> {
  const { work, announcements, fault } = options;
  const links = createAnnouncedLinks(work, announcements);
  let undecided = new Set<NodeKey>();
  /** Claims whose view may have changed; null for all of them. */
  let due: Set<NodeKey> | null = null;

  async function keep(): Promise<void> {
    const keys = new Set([...(due ?? [...work.workState.claims.open(), ...links.keys()]), ...undecided]);
    due = new Set();
    // Records the state that the claim's own commit announced; any later difference is a change.
    links.note(keys);
    const decisions = await decide(options, keys);
    const changes = () => linksToWrite(options, keys, decisions);
    if (changes().length > 0) {
      const answer = await work.log.commit(() => ({ append: changes(), answer: () => undefined }));
      // The store refused the write: it is tried again with all claims.
      if (isRefusal(answer)) due = null;
    }
    undecided = undecidedAmong(options, keys);
    links.announce(keys);
  }

  const { run, settled } = coalesced(() =>
    keep().catch((error: unknown) => {
      due = null;
      fault(error);
    }),
  );
  const check = (keys: Iterable<NodeKey> | null) => {
    if (keys === null) due = null;
    else for (const key of keys) due?.add(key);
    void run();
  };
  const stops = [
    announcements.listen(
      (message) => message.type === 'agents_changed' && check(links.keysOf(message.data.sessions)),
      (type) => type === 'agents_changed',
    ),
    // A link depends only on the claim, its node and the observed sessions.
    work.log.onCommitted((events) => {
      const claims = claimsIn(events);
      if (claims) links.take(claims);
      for (const key of claims ?? []) work.links.noteUsage(key, work.workState.claims.of(key).lease);
      if (claims?.some((key) => mayBeLinked(options, key)) ?? true) check(claims);
    }),
    // A restored log may have lost links, and hold claims that had ended.
    work.log.onReplaced(() => check(null)),
    work.clock.every(retryMs, () => {
      if (undecided.size > 0 || due === null) void run();
    }),
  ];
  check(null);
  return async () => {
    for (const stop of stops) stop();
    await settled();
  };
}

/** The claims that changed; null if a plan changed, because any claim may then be affected. */
const claimsIn = (events: readonly RecordedEvent[]): NodeKey[] | null =>
  events.some((event) => isOfKind(event, 'plan'))
    ? null
    : events.filter((event) => isOfKind(event, 'claim')).map(nodeKeyOf);

/** False for a claim that names no session, with a node in no repository: no session can be found for it. */
function mayBeLinked({ work: { workState }, projection }: ClaimSessionWatch, key: NodeKey): boolean {
  const vertex = workState.plans.graph.find(key);
  const { lease } = workState.claims.of(key);
  if (vertex === undefined || !lease) return false;
  const isNamed = lease.session !== null || lease.toolCall !== null || projection.of(key, lease.fence) !== null;
  return isNamed || repositoryOfNode(workState, vertex) !== null;
}

function openClaims({ work, projection }: ClaimSessionWatch, keys: Iterable<NodeKey>): OpenClaim[] {
  const { workState, log, links } = work;
  const now = log.now();
  return [...keys].flatMap((key) => {
    const vertex = workState.plans.graph.find(key);
    const lease = vertex === undefined ? null : workState.liveLease(vertex, now);
    if (vertex === undefined || !lease) return [];
    const repository = repositoryOfNode(workState, vertex);
    const usedBefore = links.usedBefore(key, lease);
    return [{ key, lease, repository, remembered: projection.of(key, lease.fence), usedBefore }];
  });
}

function undecidedAmong(watch: ClaimSessionWatch, keys: Iterable<NodeKey>): Set<NodeKey> {
  const now = watch.work.log.now();
  const open = openClaims(watch, keys).filter((claim) => openQuestion(claim, now) !== null);
  return new Set(open.map(({ key }) => key));
}

/**
 * Keyed by claim. Sessions are matched after the claim was made, because a claim may precede the first observation of
 * its session.
 */
async function decide(options: ClaimSessionWatch, keys: Iterable<NodeKey>): Promise<Map<NodeKey, LinkDecision>> {
  const { observations, others, work } = options;
  const decisions = new Map<NodeKey, LinkDecision>();
  const now = work.log.now();
  const waitMs = others.present() ? settledMs.withOthers : settledMs.alone;
  const isSettled = ({ lease }: OpenClaim) => Date.parse(now) - Date.parse(lease.heardAt) >= waitMs;
  const open = openClaims(options, keys);
  for (const { key, lease } of open.filter((claim) => openQuestion(claim, now) === 'search')) {
    const search = () => observations.sessionOfToolCall(lease.toolCall ?? '');
    const isNew = Date.parse(now) - Date.parse(lease.heardAt) < retryMs;
    const sessionId = (await search()) ?? (isNew ? await observations.poll('all').then(search) : null);
    if (sessionId !== null) decisions.set(key, { sessionId, linkedBy: 'client' });
  }
  for (const claim of open.filter((claim) => openQuestion(claim, now) === 'reconsider')) {
    const decision = others.concludeHere() ? reconsiderLink(claim, observations.sessions()) : undefined;
    if (decision) decisions.set(claim.key, decision);
  }
  const concluding = open.filter((claim) => openQuestion(claim, now) === 'conclude' && isSettled(claim));
  if (concluding.length === 0 || !others.concludeHere()) return decisions;
  await observations.poll('all');
  for (const claim of concluding) decisions.set(claim.key, concludeLink(claim, observations.sessions()));
  return decisions;
}

/** The differences from the stored state. */
function linksToWrite(
  options: ClaimSessionWatch,
  keys: Iterable<NodeKey>,
  decisions: ReadonlyMap<NodeKey, LinkDecision>,
): Append[] {
  return openClaims(options, keys).flatMap((claim) => {
    const { lease, remembered } = claim;
    // Decided before the write: the claim may have been renewed, or another host may have linked it since.
    const isOpen = openQuestion(claim, options.work.log.now()) !== null;
    const decision = isOpen ? decisions.get(claim.key) : undefined;
    const sessionId = lease.session ?? decision?.sessionId ?? remembered?.sessionId ?? null;
    const session = sessionId === null ? undefined : options.observations.get(sessionId);
    const next = linkToRemember(claim, decision, session, options);
    if (!next || (remembered && isSameLink(remembered, next))) return [];
    return [{ stream: streams.link(claim.key), events: [observedEvent(next)] }];
  });
}

const observedEvent = (data: RememberedLink): NewEvent<'claim_seen', RememberedLink> => ({
  type: 'claim_seen',
  data,
  by: 'observer:sessions',
  provenance: 'observed',
});

type Reading = { fence: number; link: ClaimLink; sessionId: string | null };

const isSameReading = ({ fence: a, link: one }: Reading, { fence: b, link: other }: Reading): boolean =>
  a === b &&
  one.health === other.health &&
  one.correlation === other.correlation &&
  one.linkedBy === other.linkedBy &&
  one.reason === other.reason &&
  one.sessionId === other.sessionId;

/** Claims as they were last announced, by key and by the session they are linked to. */
function createAnnouncedLinks(work: WorkContext, announcements: Announcements) {
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
    /** Records new claims in their current state, without announcing them. */
    note(keys: Iterable<NodeKey>): void {
      for (const key of keys) if (!announced.has(key)) read(key, () => undefined);
    },
    /** Announces the given claims whose view has changed. */
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
