import { Refusal, refuse } from '../../../kernel/outcome.ts';

/** `relayTo` names the host that is meant, so that no other answers in its place; `away` is what to say when it does not. */
export type Address = {
  url: string;
  token: string | undefined;
  relayTo?: string | undefined;
  away?: string | undefined;
};

/** Carries the name of the host that a relayed request is meant for. */
export const relayHeader = 'signalbox-relay';

const patienceMs = 5000;

/** One question to a console on another machine. Patience is for the answer to begin; a long one may take its time. */
export async function askConsole({ url, token, relayTo }: Address, method: string, path: string): Promise<Response> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  if (relayTo !== undefined) headers[relayHeader] = encodeURIComponent(relayTo);
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), patienceMs);
  try {
    return await fetch(url + path, { method, headers, redirect: 'error', signal: giveUp.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** The same, with its no turned into ours. */
export async function fetchFromConsole(address: Address, method: string, path: string): Promise<Response | Refusal> {
  const answer = await askConsole(address, method, path).catch(() => null);
  const away = refuse('host_unavailable', address.away ?? publisherAway);
  if (!answer) return away;
  if (answer.status === 401 && address.away === undefined) return refuse('host_unavailable', publisherRefuses);
  return answer.ok ? answer : refusalOf(answer, away);
}

const publisherAway =
  'The console that Service:PublisherUrl names does not answer. The list shows the last known runs; try again later.';

const publisherRefuses =
  'The console that Service:PublisherUrl names refuses the token it is asked with. Set its token as Service:PublisherToken and start again.';

/** Trouble of its own is as good as no answer. */
async function refusalOf(answer: Response, away: Refusal): Promise<Refusal> {
  const problem = (await answer.json().catch(() => null)) as { code?: unknown; detail?: unknown; errors?: [] } | null;
  if (answer.status >= 500 || answer.status === 401 || typeof problem?.code !== 'string') return away;
  return new Refusal(problem.code as Refusal['code'], String(problem.detail ?? ''), problem.errors);
}

export async function* bodyOf(answer: Response): AsyncIterable<Uint8Array> {
  if (answer.body) yield* answer.body;
}
