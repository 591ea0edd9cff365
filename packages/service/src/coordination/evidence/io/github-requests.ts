import { request } from '@octokit/request';
import { fetchAtMost } from '../../../files/fetch-at-most.ts';
import { isObject } from '../../../kernel/is-object.ts';
import type { Ticket } from '../github-ticket.ts';

export type GitHubServer = { url: string | undefined; token: string | undefined };

/** The result of one request. `blind` explains why nothing was learnt, and until when to wait. */
export type GitHubAnswer =
  | { kind: 'tickets'; tickets: Ticket[]; more: boolean; asOf: string | null }
  | { kind: 'unchanged' }
  | { kind: 'absent' }
  | { kind: 'blind'; why: string; untilMs: number | null };

export type GitHubMessages = { kind: 'messages'; messages: string[] } | Extract<GitHubAnswer, { kind: 'blind' }>;

type Item = {
  number: number;
  state: string;
  html_url?: unknown;
  pull_request?: { merged_at?: unknown } | null;
  merged_at?: unknown;
  updated_at?: string | null;
  body?: string | null;
  head?: { sha?: string } | null;
};

const timeoutMs = 10_000;
/** A hundred issues with the longest texts that GitHub takes. */
const boundedFetch = fetchAtMost(16 * 1024 * 1024);

/** The requests to one server: remembers entity tags, so that unchanged answers cost nothing. */
export function createGitHubRequests({ url, token }: GitHubServer, now: () => number) {
  const tags = new Map<string, string>();
  const send = request.defaults({
    ...(url === undefined ? {} : { baseUrl: url }),
    headers: { 'user-agent': 'signalbox', ...(token === undefined ? {} : { authorization: `bearer ${token}` }) },
  });
  let count = 0;

  async function ask(route: string, query: Record<string, unknown>, tag: string | undefined) {
    count += 1;
    const { data, headers } = await send(`GET ${route}`, {
      ...query,
      headers: tag === undefined ? {} : { 'if-none-match': tag },
      request: { signal: AbortSignal.timeout(timeoutMs), fetch: boundedFetch },
    });
    return { items: Array.isArray(data) ? data : [data], headers };
  }

  async function get(route: string, query: Record<string, unknown>, conditional: boolean): Promise<GitHubAnswer> {
    try {
      const { items, headers } = await ask(route, query, conditional ? tags.get(route) : undefined);
      if (!items.every(isItem)) return { kind: 'blind', why: 'the answer from GitHub is not an issue', untilMs: null };
      if (conditional && headers.etag) tags.set(route, headers.etag);
      const more = /rel="next"/.test(headers.link ?? '');
      return { kind: 'tickets', tickets: items.map(ticketOf), more, asOf: asOfIn(items, headers.date) };
    } catch (fault) {
      return answerToFault(fault, now());
    }
  }

  /** The messages of the commits that a route lists. */
  async function messages(route: string): Promise<GitHubMessages> {
    try {
      const { items } = await ask(route, {}, undefined);
      return { kind: 'messages', messages: items.map(messageOf) };
    } catch (fault) {
      const answered = answerToFault(fault, now());
      return answered.kind === 'blind' ? answered : { kind: 'messages', messages: [] };
    }
  }
  return {
    get,
    messages,
    /** Called when the answer was only the first page: the next request must not be answered with 304. */
    forget: (route: string) => void tags.delete(route),
    requests: () => count,
  };
}

/** A truncated answer also has status 200, so only a complete issue is accepted. */
const isItem = (item: unknown): item is Item =>
  isObject(item) && Number.isInteger(item.number) && (item.state === 'open' || item.state === 'closed');

const messageOf = (item: unknown): string =>
  isObject(item) && isObject(item.commit) ? String(item.commit.message ?? '') : '';

const ticketOf = ({ number, state, html_url, pull_request, merged_at, body, head }: Item): Ticket => ({
  number,
  state: state === 'closed' ? 'closed' : 'open',
  // A person will click on this link.
  url: typeof html_url === 'string' && /^https?:\/\//.test(html_url) ? html_url : null,
  isPullRequest: pull_request !== undefined && pull_request !== null,
  mergedAt: instantIn(merged_at) ?? instantIn(pull_request?.merged_at),
  ...(typeof body === 'string' && { body }),
  ...(typeof head?.sha === 'string' && { head: head.sha }),
});

const instantIn = (value: unknown): string | null =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : null;

/** The server's own time of this answer: of its newest change, else of the answer itself. */
function asOfIn(items: readonly Item[], date: string | undefined): string | null {
  const changes = items.flatMap(({ updated_at: at }) => (at && !Number.isNaN(Date.parse(at)) ? [Date.parse(at)] : []));
  const ms = changes.length > 0 ? Math.max(...changes) : Date.parse(date ?? '');
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

function answerToFault(fault: unknown, nowMs: number): GitHubAnswer {
  const { status: found, name, response } = isObject(fault) ? fault : {};
  const status = typeof found === 'number' ? found : undefined;
  const headers = isObject(response) && isObject(response.headers) ? response.headers : {};
  if (status === 304) return { kind: 'unchanged' };
  if (status === 404 || status === 410) return { kind: 'absent' };
  const untilMs = waitUntil(status, headers, nowMs);
  if (untilMs !== null)
    return { kind: 'blind', why: `GitHub's rate limit is used up until ${new Date(untilMs).toISOString()}`, untilMs };
  if (status === 401)
    return { kind: 'blind', why: 'GitHub rejected the token; check Service:GitHubToken', untilMs: null };
  if (status !== undefined && status >= 400) return { kind: 'blind', why: `GitHub answered ${status}`, untilMs: null };
  const why =
    name === 'TimeoutError' || name === 'AbortError' ? 'GitHub did not answer in time' : 'GitHub could not be reached';
  return { kind: 'blind', why, untilMs: null };
}

function waitUntil(status: number | undefined, headers: Record<string, unknown>, nowMs: number): number | null {
  if (status !== 403 && status !== 429) return null;
  const retryAfter = headers['retry-after'];
  if (typeof retryAfter === 'string') return instantOf(retryAfter, nowMs) ?? nowMs + defaultWaitMs;
  if (headers['x-ratelimit-remaining'] !== '0') return null;
  const reset = Number(headers['x-ratelimit-reset']) * 1000;
  return isInstant(reset) ? reset : nowMs + defaultWaitMs;
}

/** GitHub's documented pause if its answer names none. */
const defaultWaitMs = 60_000;

/** Seconds, or a date. */
function instantOf(retryAfter: string, nowMs: number): number | null {
  const ms = /^\d+$/.test(retryAfter) ? nowMs + Number(retryAfter) * 1000 : Date.parse(retryAfter);
  return isInstant(ms) ? ms : null;
}

const isInstant = (ms: number): boolean => Math.abs(ms) <= 8.64e15;
