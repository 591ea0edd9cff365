import type { Clock } from '../../../kernel/clock.ts';
import { observeAbsence, observeTicket, placeOf, type Ticket } from '../github.ts';
import { blind, type Observer, type Seen, type Target } from '../ports.ts';
import { type Answered, createGitHubRequests, type GitHub } from './github-requests.ts';

/** Up to so many nodes of a repository are asked for one by one; more are read off the list of its issues. */
const fewEnough = 3;
const pageSize = 100;

type Known = { tickets: Map<number, Ticket>; since: string | null };

/**
 * Issues and pull requests through the REST API. A repository with many bound nodes costs one list request a look once it
 * is known: what changed since the last look, answered 304 when nothing did.
 */
export class GitHubObserver implements Observer {
  readonly kinds = ['issue', 'pullRequest'] as const;
  readonly #clock: Clock;
  readonly #asks: ReturnType<typeof createGitHubRequests>;
  readonly #known = new Map<string, Known>();
  #paused = { untilMs: 0, why: '' };

  constructor(server: GitHub, clock: Clock) {
    this.#clock = clock;
    this.#asks = createGitHubRequests(server, () => clock.wall());
  }

  /** How many requests were sent so far. */
  get requests(): number {
    return this.#asks.requests();
  }

  async look(targets: readonly Target[]): Promise<Seen[]> {
    const seen: Seen[] = [];
    for (const [key, ours] of byRepository(targets)) {
      const repository = this.#known.get(key) ?? { tickets: new Map(), since: null };
      this.#known.set(key, repository);
      if (ours.length > fewEnough) seen.push(...(await this.#lookMany(`/repos/${key}/issues`, ours, repository)));
      else for (const target of ours) seen.push(await this.#lookOne(target, repository));
    }
    return seen;
  }

  async #get(route: string, query: Record<string, unknown>, conditional: boolean): Promise<Answered> {
    if (this.#clock.wall() < this.#paused.untilMs) return { kind: 'blind', why: this.#paused.why, untilMs: null };
    const answered = await this.#asks.get(route, query, conditional);
    if (answered.kind === 'blind' && answered.untilMs !== null) {
      this.#paused = { untilMs: answered.untilMs, why: answered.why };
    }
    return answered;
  }

  async #lookOne(target: Target, repository: Known): Promise<Seen> {
    const place = placeOf(target);
    if (!place) return blind(target, 'the binding names no issue');
    const kind = target.binding.kind === 'pullRequest' ? 'pulls' : 'issues';
    const answered = await this.#get(`/repos/${place.owner}/${place.name}/${kind}/${place.number}`, {}, true);
    const [ticket] = answered.kind === 'tickets' ? answered.tickets : [];
    if (ticket) repository.tickets.set(place.number, kind === 'pulls' ? { ...ticket, isPullRequest: true } : ticket);
    if (answered.kind === 'absent') return { target, observation: observeAbsence(target) };
    if (answered.kind === 'blind') return blind(target, answered.why);
    return seenIn(repository, target) ?? blind(target, 'GitHub says that nothing changed, and nothing was seen before');
  }

  /** Reads pages of what changed, newest first, until all that is wanted is known or nothing is left. */
  async #lookMany(route: string, targets: readonly Target[], repository: Known): Promise<Seen[]> {
    const startedAt = new Date(this.#clock.wall() - 60_000).toISOString();
    const wanted = targets.flatMap((target) => placeOf(target)?.number ?? []);
    for (let page = 1; ; page += 1) {
      const since = repository.since === null ? {} : { since: repository.since };
      const query = { state: 'all', sort: 'updated', direction: 'desc', per_page: pageSize, page, ...since };
      const answered = await this.#get(route, query, page === 1);
      if (page > 1 && answered.kind !== 'tickets') this.#asks.forget(route);
      // Not even the question moves on then: the same question keeps its entity tag, and its answer stays free.
      if (answered.kind === 'unchanged') return this.#settle(targets, repository);
      if (answered.kind === 'absent') return targets.map((target) => ({ target, observation: observeAbsence(target) }));
      if (answered.kind === 'blind') return targets.map((target) => blind(target, answered.why));
      for (const ticket of answered.tickets) repository.tickets.set(ticket.number, ticket);
      const complete = repository.since === null && wanted.every((number) => repository.tickets.has(number));
      if (!answered.more || complete) break;
    }
    repository.since = startedAt;
    return this.#settle(targets, repository);
  }

  async #settle(targets: readonly Target[], repository: Known): Promise<Seen[]> {
    const seen: Seen[] = [];
    for (const target of targets) seen.push(seenIn(repository, target) ?? (await this.#lookOne(target, repository)));
    return seen;
  }
}

function seenIn({ tickets }: Known, target: Target): Seen | undefined {
  const ticket = tickets.get(placeOf(target)?.number ?? -1);
  return ticket && { target, observation: observeTicket(target, ticket) };
}

function byRepository(targets: readonly Target[]): Map<string, Target[]> {
  const groups = new Map<string, Target[]>();
  for (const target of targets) {
    const place = placeOf(target);
    const key = place ? `${place.owner}/${place.name}`.toLowerCase() : '';
    const group = groups.get(key);
    if (group) group.push(target);
    else groups.set(key, [target]);
  }
  return groups;
}
