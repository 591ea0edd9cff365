import type { Announcements } from '../../kernel/announce.ts';
import type { Append, NewEvent } from '../../kernel/event-log.ts';
import { isRefusal } from '../../kernel/outcome.ts';
import { oneAtATime } from '../agents/one-at-a-time.ts';
import type { Sightings } from '../agents/watch.ts';
import { claimChanged } from './announce.ts';
import type { WorkContext } from './context.ts';
import { type Kept, type LinkBook, linkStream } from './link-book.ts';
import { linkOf } from './node-view.ts';
import type { ClaimLink } from './ports.ts';

export type LinkKeeperOptions = {
  work: WorkContext;
  book: LinkBook;
  announcements: Announcements;
  host: string;
  /** The sessions of all hosts. */
  seen: Pick<Sightings, 'get'>;
  fault: (error: unknown) => void;
};

/**
 * Remembers each inferred link once it is made and each health once it is seen, and tells when a claim's health turns.
 * It works whenever sessions or claims have moved, and never touches a claim.
 */
export function startLinkKeeper({
  work,
  book,
  announcements,
  host,
  seen,
  fault,
}: LinkKeeperOptions): () => Promise<void> {
  const told = new Map<string, string>();
  /** Claims that may read differently; null for all of them. */
  let due: Set<string> | null = null;

  async function keep(): Promise<void> {
    const keys = due ?? new Set([...work.picture.claims.open(), ...told.keys()]);
    due = new Set();
    const news = () => unkept(openClaims(work, keys), book, host, seen);
    if (news().length > 0) {
      const answer = await work.log.commit(() => ({ append: news(), answer: () => undefined }));
      // The store took nothing: whatever moves next brings it up again.
      if (isRefusal(answer)) due = null;
    }
    tellTurns(work, keys, told, announcements);
  }

  const { run, settled } = oneAtATime(() =>
    keep().catch((error: unknown) => {
      due = null;
      fault(error);
    }),
  );
  const lookAtAll = () => {
    due = null;
    void run();
  };
  const wants = (type: string) => type === 'agents_changed';
  const forget = announcements.listen(({ type }) => {
    if (wants(type)) lookAtAll();
  }, wants);
  // What a claim is linked to hangs on nothing but itself, its node and what was seen.
  const stop = work.log.onCommitted((events) => {
    if (events.some(({ stream }) => stream.startsWith('plan:'))) return lookAtAll();
    const claims = events.filter(({ stream }) => stream.startsWith('claim:'));
    for (const { stream } of claims) due?.add(stream.slice('claim:'.length));
    if (claims.length > 0) void run();
  });
  lookAtAll();
  return async () => {
    forget();
    stop();
    await settled();
  };
}

type OpenClaim = { key: string; ref: string; fence: number; link: ClaimLink };

function openClaims({ picture, links, log }: WorkContext, keys: Iterable<string>): OpenClaim[] {
  const now = log.now();
  return [...keys].flatMap((key) => {
    const vertex = picture.plans.graph.find(key);
    const lease = vertex === undefined ? null : picture.liveLease(vertex, now);
    if (vertex === undefined || !lease) return [];
    const link = linkOf({ picture, links }, vertex, lease);
    return [{ key, ref: picture.plans.refOf(vertex), fence: lease.fence, link }];
  });
}

/** What is seen now and not remembered so. Another host's sightings are left to that host. */
function unkept(open: readonly OpenClaim[], book: LinkBook, host: string, seen: Pick<Sightings, 'get'>): Append[] {
  return open.flatMap(({ ref, fence, link }) => {
    const kept = book.of(ref, fence);
    const observer = (link.sessionId !== null ? seen.get(link.sessionId)?.host : undefined) ?? kept?.host;
    if (observer !== host) return [];
    const next = keptOf(link, fence, host, kept);
    return kept && isSame(kept, next) ? [] : [{ stream: linkStream(ref), events: [seenEvent(next)] }];
  });
}

function keptOf(link: ClaimLink, fence: number, host: string, before: Kept | null): Kept {
  const { health, reason } = link;
  // While several sessions share the repository the link is not shown, but it is not forgotten either.
  return { health, reason, fence, host, sessionId: link.sessionId ?? before?.sessionId ?? null };
}

const isSame = (a: Kept, b: Kept): boolean =>
  a.sessionId === b.sessionId && a.health === b.health && a.reason === b.reason && a.fence === b.fence;

const seenEvent = (data: Kept): NewEvent<'claim_seen', Kept> => ({
  type: 'claim_seen',
  data,
  by: 'observer:sessions',
  provenance: 'observed',
});

function tellTurns(
  work: WorkContext,
  keys: Iterable<string>,
  told: Map<string, string>,
  announcements: Announcements,
): void {
  const open = openClaims(work, keys);
  const live = new Set(open.map(({ key }) => key));
  for (const key of keys) if (!live.has(key)) told.delete(key);
  for (const { key, fence, link } of open) {
    const reads = JSON.stringify([fence, link]);
    const before = told.get(key);
    told.set(key, reads);
    if (before === undefined || before === reads) continue;
    const message = claimChanged(work, key);
    if (message) announcements.announce(message);
  }
}
