import { type Call, callOver } from '../browser/call.ts';
import type { RestRequest, Route } from '../browser/rest-request.ts';
import { Refused, Unreachable } from './refused.ts';

export type Fetch = typeof globalThis.fetch;

export type RestOptions = {
  /** Without a trailing slash; empty for the origin of a page. */
  url: string;
  token?: string | undefined;
  fetch?: Fetch | undefined;
  /** Called with every response, for callers that need its headers. */
  onResponse?: ((response: Response) => void) | undefined;
};

export type RestCallOptions = {
  signal?: AbortSignal | undefined;
  idempotencyKey?: string | undefined;
  accept?: string | undefined;
};

/** Calls over REST by name; a refusal is thrown. */
export const restCalls = (
  routes: Readonly<Record<string, Route>>,
  options: RestOptions,
): Call<Record<string, { input: object; output: unknown }>, RestCallOptions> =>
  callOver(routes, {
    async send(request, call) {
      const response = await sendRest(request, options, call);
      const text = await response.text().catch((fault: unknown) => {
        throw new Unreachable(options.url, fault);
      });
      return { status: response.status, text };
    },
    refused: ({ status, text }) => new Refused(status, parsed(text)),
    part: pathPart,
  });

/** The raw response, whatever its status. */
export async function sendRest(
  request: RestRequest,
  { url, token, fetch = globalThis.fetch, onResponse }: RestOptions,
  call: RestCallOptions = {},
): Promise<Response> {
  const { method, path, body } = request;
  const { signal } = call;
  try {
    const sent = {
      method,
      headers: restHeaders(request, token, call),
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    };
    const response = await fetch(`${url}${path}`, sent);
    onResponse?.(response);
    return response;
  } catch (fault) {
    if (signal?.aborted) throw signal.reason;
    throw new Unreachable(url, fault);
  }
}

export const restHeaders = (
  { body, mediaType }: RestRequest,
  token: string | undefined,
  { idempotencyKey, accept }: RestCallOptions = {},
): Record<string, string> => ({
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
  ...(body !== undefined && { 'content-type': mediaType }),
  ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  ...(accept !== undefined && { accept }),
});

/** A name as one URL segment. `.` and `..` would lead to another URL, and nothing has these names. */
function pathPart(name: string): string {
  if (!/^\.{1,2}$/.test(name)) return encodeURIComponent(name);
  throw new Refused(404, { code: 'not_found', detail: `"${name}" is not a valid name.` });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { detail: `The response is not from Signalbox: ${text.slice(0, 200)}` };
  }
}
