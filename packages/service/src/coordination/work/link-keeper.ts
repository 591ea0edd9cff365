import type { Announcements } from '../../kernel/announcements.ts';
import { coalesced } from '../../kernel/coalesced.ts';
import type { Append, NewEvent } from '../../kernel/event-log.ts';
import { isRefusal } from '../../kernel/outcome.ts';
import type { SessionObservations } from '../agents/watch.ts';
import { type LinkProjection, linkStream, type RememberedLink } from './link-projection.ts';
import type { ClaimLink } from './ports.ts';
import { linkOf } from './view-node.ts';
import { claimChanged } from './work-announcer.ts';
import type { WorkContext } from './work-context.ts';

export type LinkKeeperOptions = {
  work: WorkContext;
  projection: LinkProjection;
  announcements: Announcements;
  host: string;
  /** The sessions of all hosts. */
  observations: Pick<SessionObservations, 'get'>;
  fault: (error: unknown) => void;
};

/**
 * Remembers each inferred link once it is made and each health once it is seen, and tells when a claim's health turns.
 * It works whenever sessions or claims have moved, and never touches a claim.
 */
export function startLinkKeeper({
  work,
  projection,
  announcements,
  host,
  observations,
  fault,
}: LinkKeeperOptions): () => Promise<void> {
  const announced = new Map<string, string>();
  /** Claims that may read differently; null for all of them. */
  let due: Set<string> | null = null;

  async function keep(): Promise<void> {
    const keys = due ?? new Set([...work.workState.claims.open(), ...announced.keys()]);
    due = new Set();
    const news = () => unrememberedLinks(openClaims(work, keys), projection, host, observations);
    if (news().length > 0) {
      const answer = await work.log.commit(() => ({ append: news(), answer: () => undefined }));
      // The store refused the write; the next change retries with all claims.
      if (isRefusal(answer)) due = null;
    }
    announceChanges(work, keys, announced, announcements);
  }

  const { run, settled } = coalesced(() =>
    keep().catch((error: unknown) => {
      due = null;
      fault(error);
    }),
  );
  const checkAll = () => {
    due = null;
    void run();
  };
  const wants = (type: string) => type === 'agents_changed';
  const forget = announcements.listen(({ type }) => {
    if (wants(type)) checkAll();
  }, wants);
  // A link depends only on the claim, its node and the observed sessions.
  const stop = work.log.onCommitted((events) => {
    if (events.some(({ stream }) => stream.startsWith('plan:'))) return checkAll();
    const claims = events.filter(({ stream }) => stream.startsWith('claim:'));
    for (const { stream } of claims) due?.add(stream.slice('claim:'.length));
    if (claims.length > 0) void run();
  });
  checkAll();
  return async () => {
    forget();
    stop();
    await settled();
  };
}

type OpenClaim = { key: string; ref: string; fence: number; link: ClaimLink };

function openClaims({ workState, links, log }: WorkContext, keys: Iterable<string>): OpenClaim[] {
  const now = log.now();
  return [...keys].flatMap((key) => {
    const vertex = workState.plans.graph.find(key);
    const lease = vertex === undefined ? null : workState.liveLease(vertex, now);
    if (vertex === undefined || !lease) return [];
    const link = linkOf({ workState, links }, vertex, lease);
    return [{ key, ref: workState.plans.refOf(vertex), fence: lease.fence, link }];
  });
}

/** Links that differ from what is remembered. Sessions observed by another host are recorded by that host. */
function unrememberedLinks(
  open: readonly OpenClaim[],
  projection: LinkProjection,
  host: string,
  observations: Pick<SessionObservations, 'get'>,
): Append[] {
  return open.flatMap(({ ref, fence, link }) => {
    const remembered = projection.of(ref, fence);
    const observer = (link.sessionId !== null ? observations.get(link.sessionId)?.host : undefined) ?? remembered?.host;
    if (observer !== host) return [];
    const next = rememberedLinkOf(link, fence, host, remembered);
    return remembered && isSame(remembered, next) ? [] : [{ stream: linkStream(ref), events: [observedEvent(next)] }];
  });
}

function rememberedLinkOf(link: ClaimLink, fence: number, host: string, before: RememberedLink | null): RememberedLink {
  const { health, reason } = link;
  // While several sessions share the repository the link is not shown, but it is not forgotten either.
  return { health, reason, fence, host, sessionId: link.sessionId ?? before?.sessionId ?? null };
}

const isSame = (a: RememberedLink, b: RememberedLink): boolean =>
  a.sessionId === b.sessionId && a.health === b.health && a.reason === b.reason && a.fence === b.fence;

const observedEvent = (data: RememberedLink): NewEvent<'claim_seen', RememberedLink> => ({
  type: 'claim_seen',
  data,
  by: 'observer:sessions',
  provenance: 'observed',
});

function announceChanges(
  work: WorkContext,
  keys: Iterable<string>,
  announced: Map<string, string>,
  announcements: Announcements,
): void {
  const open = openClaims(work, keys);
  const live = new Set(open.map(({ key }) => key));
  for (const key of keys) if (!live.has(key)) announced.delete(key);
  for (const { key, fence, link } of open) {
    const reads = JSON.stringify([fence, link]);
    const before = announced.get(key);
    announced.set(key, reads);
    if (before === undefined || before === reads) continue;
    const message = claimChanged(work, key);
    if (message) announcements.announce(message);
  }
}
