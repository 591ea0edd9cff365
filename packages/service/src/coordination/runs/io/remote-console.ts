import { isRefusal, Refusal, refuse } from '../../../kernel/outcome.ts';

/** `relayTo` names the host that is meant, so that no other answers in its place; `away` is what to say when it does not. */
export type Address = {
  url: string;
  token: string | undefined;
  relayTo?: string | undefined;
  away?: string | undefined;
};

/** Carries the name of the host that a relayed request is meant for. */
export const relayHeader = 'signalbox-relay';

/** Carried by what is asked because of `Service:PublisherUrl`: who reads elsewhere itself does not pass it on. */
export const readerHeader = 'signalbox-reader';

const patienceMs = 5000;

/** One question to a console on another machine. Patience is for the answer to begin; a long one may take its time. */
export async function askConsole({ url, token, relayTo }: Address, method: string, path: string): Promise<Response> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  if (relayTo === undefined) headers[readerHeader] = 'publisher-url';
  else headers[relayHeader] = encodeURIComponent(relayTo);
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
  const away = awayOf(address);
  if (!answer) return away;
  if (answer.status === 401 && address.away === undefined) return refuse('host_unavailable', publisherRefuses);
  return answer.ok ? answer : refusalOf(answer, address.away === undefined, away);
}

/** Its answer read whole. */
export async function readFromConsole<Answer extends object>(
  address: Address,
  method: string,
  path: string,
  fits: (body: unknown) => boolean,
): Promise<Answer | Refusal> {
  const answer = await fetchFromConsole(address, method, path);
  return isRefusal(answer) ? answer : jsonOf<Answer>(answer, address, fits);
}

/** What breaks off, or is not what every console sends, is no answer: a proxy's own page comes as a 200, too. */
export async function jsonOf<Answer extends object>(
  answer: Response,
  address: Address,
  fits: (body: unknown) => boolean,
): Promise<Answer | Refusal> {
  const body: unknown = await answer.json().catch(() => null);
  return fits(body) ? (body as Answer) : oddOf(address);
}

export const has =
  (...members: readonly string[]) =>
  (body: unknown): boolean =>
    typeof body === 'object' && body !== null && members.every((member) => member in body);

/** Something is there and does not speak as a console does. */
export const oddOf = (address: Address): Refusal =>
  address.away === undefined ? refuse('host_unavailable', publisherOdd) : awayOf(address);

const awayOf = ({ away }: Address): Refusal => refuse('host_unavailable', away ?? publisherAway);

const publisherAway =
  'The console that Service:PublisherUrl names does not answer. The list shows the last known runs; try again later.';

const publisherRefuses =
  'The console that Service:PublisherUrl names refuses the token it is asked with. Set its token as Service:PublisherToken and start again.';

const publisherOdd =
  'What Service:PublisherUrl names answered, but not as a Signalbox console does, or broke off. Try again later, or mend the address: by default it is port 5525 of that machine.';

/** Trouble of its own is as good as no answer; a publisher knows best which host it does not reach. */
async function refusalOf(answer: Response, isPublisher: boolean, away: Refusal): Promise<Refusal> {
  const problem = (await answer.json().catch(() => null)) as { code?: unknown; detail?: unknown; errors?: [] } | null;
  if (isPublisher && problem?.code === away.code) return refuse(away.code, String(problem.detail));
  // It does not let this service in: that is not what whoever asks this service did wrong.
  if (isPublisher && answer.status === 403)
    return refuse(away.code, `The console that Service:PublisherUrl names refuses to answer. ${problem?.detail ?? ''}`);
  if (answer.status >= 500 || answer.status === 401 || answer.status === 403 || typeof problem?.code !== 'string')
    return away;
  return new Refusal(problem.code as Refusal['code'], String(problem.detail ?? ''), problem.errors);
}

export async function* bodyOf(answer: Response): AsyncIterable<Uint8Array> {
  if (answer.body) yield* answer.body;
}
