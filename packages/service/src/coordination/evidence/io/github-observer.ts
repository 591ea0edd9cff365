import type { Clock } from '../../../kernel/clock.ts';
import { observeAbsence, observeTicket, type Ticket, ticketAddressOf } from '../github-ticket.ts';
import { type EvidenceObserver, type EvidenceTarget, type TargetObservation, unobservable } from '../ports.ts';
import { createGitHubRequests, type GitHubAnswer, type GitHubServer } from './github-requests.ts';
import { PullRequestFinder } from './pull-request-finder.ts';

/** Up to this many nodes of a repository are requested one by one; more are read from the list of its issues. */
const maxSingleRequests = 3;
const pageSize = 100;

type KnownRepository = { tickets: Map<number, Ticket>; since: string | null };

/**
 * Issues and pull requests through the REST API. Once known, a repository with many bound nodes costs one list request
 * per check: it asks for changes since the last check, and gets a 304 if there are none.
 */
export class GitHubObserver implements EvidenceObserver {
  readonly kinds = ['issue', 'pullRequest'] as const;
  readonly #clock: Clock;
  readonly #requests: ReturnType<typeof createGitHubRequests>;
  readonly #finder: PullRequestFinder;
  readonly #repositories = new Map<string, KnownRepository>();
  #paused = { untilMs: 0, why: '' };

  constructor(server: GitHubServer, clock: Clock) {
    this.#clock = clock;
    this.#requests = createGitHubRequests(server, () => clock.wall());
    this.#finder = new PullRequestFinder({
      get: (route, query, conditional) => this.#get(route, query, conditional),
      messages: (route) => this.#requests.messages(route),
    });
  }

  /** How many requests were sent so far. */
  get requests(): number {
    return this.#requests.requests();
  }

  async observe(targets: readonly EvidenceTarget[]): Promise<TargetObservation[]> {
    const numbered = targets.filter((target) => ticketAddressOf(target) !== undefined);
    const observations = await this.#finder.observe(targets);
    for (const [key, ours] of byRepository(numbered)) {
      const repository = this.#repositories.get(key) ?? { tickets: new Map(), since: null };
      this.#repositories.set(key, repository);
      if (ours.length > maxSingleRequests)
        observations.push(...(await this.#observeMany(`/repos/${key}/issues`, ours, repository)));
      else for (const target of ours) observations.push(await this.#observeOne(target, repository));
    }
    return observations;
  }

  async #get(route: string, query: Record<string, unknown>, conditional: boolean): Promise<GitHubAnswer> {
    if (this.#clock.wall() < this.#paused.untilMs) return { kind: 'blind', why: this.#paused.why, untilMs: null };
    const answered = await this.#requests.get(route, query, conditional);
    if (answered.kind === 'blind' && answered.untilMs !== null) {
      this.#paused = { untilMs: answered.untilMs, why: answered.why };
    }
    return answered;
  }

  async #observeOne(target: EvidenceTarget, repository: KnownRepository): Promise<TargetObservation> {
    const address = ticketAddressOf(target);
    if (!address) return unobservable(target, 'the binding names no issue');
    const kind = target.binding.kind === 'pullRequest' ? 'pulls' : 'issues';
    const answered = await this.#get(`/repos/${address.owner}/${address.name}/${kind}/${address.number}`, {}, true);
    // A different number means a different issue, for example after a transfer.
    const tickets = answered.kind === 'tickets' ? answered.tickets : [];
    const ticket = tickets.find(({ number }) => number === address.number);
    if (ticket) repository.tickets.set(address.number, kind === 'pulls' ? { ...ticket, isPullRequest: true } : ticket);
    if (answered.kind === 'absent') return { target, observation: observeAbsence(target) };
    if (answered.kind === 'blind') return unobservable(target, answered.why);
    return (
      knownObservation(repository, target) ??
      unobservable(target, 'GitHub reports no change, and nothing was observed before')
    );
  }

  /** Reads pages of changes, newest first, until everything wanted is known or no page is left. */
  async #observeMany(
    route: string,
    targets: readonly EvidenceTarget[],
    repository: KnownRepository,
  ): Promise<TargetObservation[]> {
    let newest: string | null = null;
    const wanted = targets.flatMap((target) => ticketAddressOf(target)?.number ?? []);
    for (let page = 1; ; page += 1) {
      const since = repository.since === null ? {} : { since: repository.since };
      const query = { state: 'all', sort: 'updated', direction: 'desc', per_page: pageSize, page, ...since };
      const answered = await this.#get(route, query, page === 1);
      if (page > 1 && answered.kind !== 'tickets') this.#requests.forget(route);
      // `since` stays as it is: the same query keeps its entity tag, and a 304 costs nothing.
      if (answered.kind === 'unchanged') return this.#observationsOf(targets, repository);
      if (answered.kind === 'absent') return targets.map((target) => ({ target, observation: observeAbsence(target) }));
      if (answered.kind === 'blind') return targets.map((target) => unobservable(target, answered.why));
      // The time is GitHub's own: if this host's clock were used and were ahead, the next changes would be missed.
      newest ??= answered.asOf;
      for (const ticket of answered.tickets) repository.tickets.set(ticket.number, ticket);
      const complete = repository.since === null && wanted.every((number) => repository.tickets.has(number));
      if (!answered.more || complete) break;
    }
    repository.since = newest ?? repository.since;
    return this.#observationsOf(targets, repository);
  }

  async #observationsOf(targets: readonly EvidenceTarget[], repository: KnownRepository): Promise<TargetObservation[]> {
    const observations: TargetObservation[] = [];
    for (const target of targets)
      observations.push(knownObservation(repository, target) ?? (await this.#observeOne(target, repository)));
    return observations;
  }
}

function knownObservation({ tickets }: KnownRepository, target: EvidenceTarget): TargetObservation | undefined {
  const ticket = tickets.get(ticketAddressOf(target)?.number ?? -1);
  return ticket && { target, observation: observeTicket(target, ticket) };
}

function byRepository(targets: readonly EvidenceTarget[]): Map<string, EvidenceTarget[]> {
  const groups = new Map<string, EvidenceTarget[]>();
  for (const target of targets) {
    const address = ticketAddressOf(target);
    const key = address ? `${address.owner}/${address.name}`.toLowerCase() : '';
    const group = groups.get(key);
    if (group) group.push(target);
    else groups.set(key, [target]);
  }
  return groups;
}
