import { nodeRef } from '../../../kernel/streams.ts';
import type { PullRequestBinding } from '../../plans/binding.ts';
import { describePullRequest } from '../../plans/pull-request-text.ts';
import { observeTicket, type Ticket, trailersIn } from '../github-ticket.ts';
import { type EvidenceTarget, type TargetObservation, unobservable } from '../ports.ts';
import type { GitHubAnswer, GitHubMessages } from './github-requests.ts';

/** How many of the newest pull requests of a repository are searched for trailers. */
const pageSize = 100;
/** How many pull requests have their commits read in one check; the next check reads the rest. */
const commitsAtOnce = 20;

type Get = (route: string, query: Record<string, unknown>, conditional: boolean) => Promise<GitHubAnswer>;
type Sources = { get: Get; messages: (route: string) => Promise<GitHubMessages> };
type Found = { ticket: Ticket } | { none: true } | { blind: string };
/** Refs that commits name, in lower case, as of a head. */
type ReadCommits = { head: string; refs: ReadonlySet<string> };

/** Finds pull requests whose number was unknown when the node was bound: by head branch, or by trailer. */
export class PullRequestFinder {
  readonly #sources: Sources;
  /** The newest answer to each request, valid while GitHub answers that nothing changed. */
  readonly #known = new Map<string, readonly Ticket[]>();
  readonly #commits = new Map<string, ReadCommits>();

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  async observe(targets: readonly EvidenceTarget[]): Promise<TargetObservation[]> {
    const observations: TargetObservation[] = [];
    // One list answers for all nodes of a repository.
    const lists = new Map<string, Promise<readonly Ticket[] | string>>();
    for (const target of targets) {
      const { binding } = target;
      if (binding.kind !== 'pullRequest' || binding.repository === undefined) continue;
      const { repository, branch } = binding;
      const found =
        branch === undefined
          ? await this.#withTrailer(target, repository, lists)
          : await this.#fromBranch(repository, branch);
      observations.push(observationOf(target, binding, found));
    }
    return observations;
  }

  async #fromBranch(repository: string, branch: string): Promise<Found> {
    const [owner = ''] = repository.split('/');
    const newest = 'state=all&sort=created&direction=desc&per_page=1';
    const tickets = await this.#list(`/repos/${repository}/pulls?${newest}&head=${headOf(owner, branch)}`);
    if (typeof tickets === 'string') return { blind: tickets };
    const [ticket] = tickets;
    return ticket ? { ticket } : { none: true };
  }

  async #withTrailer(
    { ref: { plan, node } }: EvidenceTarget,
    repository: string,
    lists: Map<string, Promise<readonly Ticket[] | string>>,
  ): Promise<Found> {
    const listing = lists.get(repository) ?? this.#searchable(repository);
    lists.set(repository, listing);
    const tickets = await listing;
    if (typeof tickets === 'string') return { blind: tickets };
    const wanted = nodeRef(plan, node).toLowerCase();
    const ticket = tickets.find(
      (one) => trailersIn(one.body ?? '').has(wanted) || this.#commitsOf(repository, one)?.refs.has(wanted),
    );
    return ticket ? { ticket } : { none: true };
  }

  /** The newest pull requests, with the commits of as many as one check may read. */
  async #searchable(repository: string): Promise<readonly Ticket[] | string> {
    const route = `/repos/${repository}/pulls`;
    const tickets = await this.#list(`${route}?state=all&sort=created&direction=desc&per_page=${pageSize}`);
    if (typeof tickets === 'string') return tickets;
    const unread = tickets.filter((ticket) => this.#commitsOf(repository, ticket) === undefined);
    for (const ticket of unread.slice(0, commitsAtOnce)) {
      const answered = await this.#sources.messages(`${route}/${ticket.number}/commits?per_page=${pageSize}`);
      if (answered.kind === 'blind') break;
      const refs = new Set(answered.messages.flatMap((message) => [...trailersIn(message)]));
      this.#commits.set(`${repository}#${ticket.number}`.toLowerCase(), { head: ticket.head ?? '', refs });
    }
    return tickets;
  }

  #commitsOf(repository: string, { number, head = '' }: Ticket): ReadCommits | undefined {
    const read = this.#commits.get(`${repository}#${number}`.toLowerCase());
    return read?.head === head ? read : undefined;
  }

  /** Pull requests, newest first; a text if GitHub could not be asked. */
  async #list(route: string): Promise<readonly Ticket[] | string> {
    const answered = await this.#sources.get(route, {}, true);
    if (answered.kind === 'blind') return answered.why;
    if (answered.kind === 'absent')
      return 'the repository was not found; check the binding and, for a private repository, the token';
    if (answered.kind === 'tickets')
      this.#known.set(
        route,
        answered.tickets.map((ticket) => ({ ...ticket, isPullRequest: true })),
      );
    return this.#known.get(route) ?? [];
  }
}

/** GitHub accepts a head branch only with its owner; the binding of a fork contains the owner. */
const headOf = (owner: string, branch: string): string =>
  encodeURIComponent(branch.includes(':') ? branch : `${owner}:${branch}`);

function observationOf(target: EvidenceTarget, binding: PullRequestBinding, found: Found): TargetObservation {
  if ('ticket' in found) return { target, observation: observeTicket(target, found.ticket) };
  if ('blind' in found) return unobservable(target, found.blind);
  const none = `no pull request ${describePullRequest(binding)} was found`;
  if (target.observedBefore) return unobservable(target, `${none}; the last evidence is kept`);
  return { target, observation: { state: 'missing', detail: `${none} yet` } };
}
