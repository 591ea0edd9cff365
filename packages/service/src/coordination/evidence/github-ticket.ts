import type { Observation } from './decide.ts';
import type { EvidenceTarget } from './ports.ts';

/** The members of an issue or a pull request that prove anything. */
export type Ticket = {
  number: number;
  state: 'open' | 'closed';
  url: string | null;
  isPullRequest: boolean;
  mergedAt: string | null;
  /** Members of a pull request, if the list contains them. */
  body?: string;
  head?: string;
};

export type TicketAddress = { owner: string; name: string; number: number };

/** `owner/name#12` of an issue or pull request binding. */
export function ticketAddressOf({ binding }: EvidenceTarget): TicketAddress | undefined {
  const text =
    binding.kind === 'issue' ? binding.issue : binding.kind === 'pullRequest' ? (binding.pullRequest ?? '') : '';
  const match = /^([^/]+)\/([^#]+)#(\d+)$/.exec(text);
  return match?.[1] && match[2] && match[3] ? { owner: match[1], name: match[2], number: Number(match[3]) } : undefined;
}

/** Refs that the lines `Plan-Node: <plan>/<node>` of a text name, in lower case. */
export function trailersIn(text: string): ReadonlySet<string> {
  // linear: a line of one name, and nothing else.
  const lines = text
    .split('\n')
    .map((line) => /^Plan-Node:[ \t]{0,9}([^\s/]{1,100}\/[^\s/]{1,100})\s{0,9}$/i.exec(line));
  return new Set(lines.flatMap((match) => match?.[1]?.toLowerCase() ?? []));
}

export function observeTicket({ binding }: EvidenceTarget, ticket: Ticket): Observation {
  const { number, url, state, mergedAt, isPullRequest } = ticket;
  if (binding.kind === 'pullRequest') {
    if (!isPullRequest)
      return {
        state: 'missing',
        detail: `${binding.pullRequest} is an issue; bind it as one, or name the pull request`,
      };
    if (mergedAt !== null) return { state: 'merged', detail: `pull request #${number} was merged`, url };
    if (state === 'closed')
      return { state: 'closedUnmerged', detail: `pull request #${number} was closed without a merge`, url };
    return { state: 'open', detail: `pull request #${number} is open`, url };
  }
  return { state, detail: `issue #${number} is ${state}`, url };
}

/** A 404 means that the target is missing if it was never observed, and otherwise that there is no new observation. */
export function observeAbsence(target: EvidenceTarget): Observation {
  const what =
    target.binding.kind === 'pullRequest'
      ? target.binding.pullRequest
      : target.binding.kind === 'issue'
        ? target.binding.issue
        : '';
  if (target.observedBefore) return { state: null, detail: `${what} now answers 404; the last evidence is kept` };
  return {
    state: 'missing',
    detail: `${what} was not found; check the binding and, for a private repository, the token`,
  };
}
