import type { ConsoleApi } from '../../../browser/api.ts';
import { readProblem } from '../../../browser/problem.ts';
import { type RestRequest, restRequest } from '../../../browser/rest-request.ts';
import { consoleRoutes } from '../../../browser/routes.ts';
import { AnswerTooLong, fetchAtMost } from '../../../files/fetch-at-most.ts';
import { loginOf, withoutLogin } from '../../../kernel/address.ts';
import { isRefusal, isRefusalCode, Refusal, refuse } from '../../../kernel/outcome.ts';
import { connectionFault } from './connection-fault.ts';

/** `relayTo` names the intended host, so that no other answers instead; `away` is the refusal if it does not answer. */
export type ConsoleAddress = {
  url: string;
  token: string | undefined;
  forHost?: string | undefined;
  unavailableText?: string | undefined;
};

/** Names the host for which a relayed request is intended. */
export const forHostHeader = 'signalbox-relay';

/** Marks requests made because of `Service:PublisherUrl`: a service that itself reads from another console does not relay them. */
export const readerHeader = 'signalbox-reader';

const timeoutMs = 5000;

const mebibyte = 1024 * 1024;
/** The limit for answers that are read as a whole: the detail of a run of 50,000 scenarios has about 30 MiB. */
export const mostWholeBytes = 64 * mebibyte;
/** The limit for streamed answers: larger than any archive (`Service:RunMb`) in any format. */
export const mostPassedOnBytes = 4096 * mebibyte;
/** This many values fit into memory; the detail of such a run has half as many. */
const mostValues = 4_000_000;
/** A console that sends byte by byte must not block later requests. */
const wholeMs = 60_000;

/** One request to a console on another machine. The timeout covers only the start of the answer; a long body may take longer. */
export async function askConsole(
  { url, token, forHost }: ConsoleAddress,
  { method, path }: Pick<RestRequest, 'method' | 'path'>,
  more: { headers?: Record<string, string>; signal?: AbortSignal; maxBytes?: number } = {},
): Promise<Response> {
  const headers: Record<string, string> = { ...more.headers, ...authorizationOf(url, token) };
  if (forHost === undefined) headers[readerHeader] = 'publisher-url';
  else headers[forHostHeader] = encodeURIComponent(forHost);
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), timeoutMs);
  try {
    const signal = AbortSignal.any([giveUp.signal, ...(more.signal ? [more.signal] : [])]);
    const ask = fetchAtMost(more.maxBytes ?? mostWholeBytes);
    return await ask(withoutLogin(url) + path, { method, headers, redirect: 'error', signal });
  } finally {
    clearTimeout(timer);
  }
}

/** The token, otherwise the credentials in the address, which `fetch` does not accept there. */
function authorizationOf(url: string, token: string | undefined): Record<string, string> {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  const login = loginOf(url);
  return login === undefined ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
}

type CallName = keyof ConsoleApi & keyof typeof consoleRoutes;

/** A call by its name, with an error response turned into a refusal. */
export async function fetchFromConsole<Name extends CallName>(
  address: ConsoleAddress,
  name: Name,
  input: ConsoleApi[Name]['input'],
  maxBytes?: number,
): Promise<Response | Refusal> {
  const request = restRequest(consoleRoutes[name], input);
  const answer = await askConsole(address, request, maxBytes === undefined ? {} : { maxBytes }).catch(
    (fault: unknown) => ({ fault }),
  );
  const unavailable = refuseUnavailable(address);
  if ('fault' in answer) {
    const cause = await connectionFault(withoutLogin(address.url), answer.fault);
    return cause === null
      ? unavailable
      : refuse('host_unavailable', `${address.forHost ? `The host ${address.forHost} has it. ` : ''}${cause}`);
  }
  if (answer.status === 401 && address.unavailableText === undefined)
    return refuse('host_unavailable', publisherRefuses);
  return answer.ok ? answer : refusalOf(answer, address.unavailableText === undefined, unavailable);
}

/** Reads the whole answer as JSON. */
export async function readFromConsole<Name extends CallName>(
  address: ConsoleAddress,
  name: Name,
  input: ConsoleApi[Name]['input'],
  fits: (body: unknown) => body is ConsoleApi[Name]['output'],
): Promise<ConsoleApi[Name]['output'] | Refusal> {
  const answer = await fetchFromConsole(address, name, input);
  return isRefusal(answer) ? answer : jsonOf(answer, address, fits);
}

/** A truncated or unexpected answer counts as no answer: a proxy's own page also arrives with status 200. */
export async function jsonOf<Answer>(
  answer: Response,
  address: ConsoleAddress,
  fits: (body: unknown) => body is Answer,
): Promise<Answer | Refusal> {
  try {
    const body = await wholeJson(answer);
    return fits(body) ? body : refuseUnexpected(address);
  } catch (fault) {
    return fault instanceof AnswerTooLong ? refuseTooLong(address, fault) : refuseUnexpected(address);
  }
}

/** Throws the error if the answer cannot be read or is not JSON. */
export async function wholeJson(answer: Response): Promise<unknown> {
  const reader = answer.body?.getReader();
  const pieces: Uint8Array[] = [];
  let values = 0;
  // An answer that is cut off here is not valid JSON.
  const timer = setTimeout(() => void reader?.cancel().catch(() => undefined), wholeMs);
  try {
    for (let read = await reader?.read(); read?.value; read = await reader?.read()) {
      pieces.push(read.value);
      values += separatorsIn(read.value);
      if (values > mostValues) throw new AnswerTooLong(mostWholeBytes);
    }
  } finally {
    clearTimeout(timer);
    await reader?.cancel().catch(() => undefined);
  }
  return JSON.parse(Buffer.concat(pieces).toString('utf8'));
}

const [comma, openBracket, openBrace] = [44, 91, 123];

/** At least the number of values; commas in texts count too. */
function separatorsIn(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (byte === comma || byte === openBracket || byte === openBrace) count += 1;
  return count;
}

/** The refusal for an answer that was not read to its end. */
export const refuseTooLong = ({ forHost }: ConsoleAddress, { message }: AnswerTooLong): Refusal =>
  refuse(
    'host_unavailable',
    `${forHost === undefined ? 'The run console at Service:PublisherUrl' : `The host ${forHost}`} ${message}, which is over the limit. Check that program.`,
  );

/** Enough to distinguish an answer from a proxy's error page. */
export const hasMembers =
  <Answer extends object>(...members: readonly (keyof Answer & string)[]) =>
  (body: unknown): body is Answer =>
    typeof body === 'object' && body !== null && members.every((member) => member in body);

/** The refusal for an answer that does not come from a console. */
export const refuseUnexpected = (address: ConsoleAddress): Refusal =>
  address.unavailableText === undefined ? refuse('host_unavailable', publisherUnexpected) : refuseUnavailable(address);

const refuseUnavailable = ({ unavailableText: unavailable }: ConsoleAddress): Refusal =>
  refuse('host_unavailable', unavailable ?? publisherUnavailable);

const publisherUnavailable =
  'The run console at Service:PublisherUrl does not answer. The list shows the last known runs; try again later.';

const publisherRefuses =
  'The run console at Service:PublisherUrl rejected the token. Set Service:PublisherToken to its token and restart this service.';

const publisherUnexpected =
  'The answer from Service:PublisherUrl was incomplete or did not come from a run console. Try again later, or correct the address (port 5525 of that machine by default).';

/** An internal error there counts as no answer; a publisher knows best which host it cannot reach. */
async function refusalOf(answer: Response, isPublisher: boolean, unavailable: Refusal): Promise<Refusal> {
  const problem = readProblem(await wholeJson(answer).catch(() => null));
  if (isPublisher && problem.code === unavailable.code) return refuse(unavailable.code, problem.detail ?? '');
  // The console rejects this service, which is not the fault of our caller.
  if (isPublisher && answer.status === 403)
    return refuse(
      unavailable.code,
      `The run console at Service:PublisherUrl refused the request. ${problem.detail ?? ''}`,
    );
  if (answer.status >= 500 || answer.status === 401 || answer.status === 403 || !isRefusalCode(problem.code))
    return unavailable;
  const { code, detail, errors } = problem;
  // Further members of the problem object, such as who ejected the run, are kept in the refusal.
  const { type, title, status, code: _, detail: __, errors: ___, ...more } = problem.body;
  return new Refusal(code, detail ?? '', errors.length > 0 ? errors : undefined, more);
}

export async function* bodyOf(answer: Response): AsyncIterable<Uint8Array> {
  if (answer.body) yield* answer.body;
}
