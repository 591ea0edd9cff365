import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Refusal } from '../kernel/outcome.ts';
import type { RunSender } from '../kernel/run-summary.ts';
import { queryIn } from './query.ts';
import { sendRefusal } from './rest.ts';
import { checkSender, isTrusted, type RequestSender, type Trust } from './safety.ts';
import type { SenderQuota } from './sender-quota.ts';
import { checkToken } from './token.ts';

export type AccessPolicy = {
  trust: Trust;
  token: string | undefined;
  /** Routes that are open although a token is set, as `GET /api/ping` or `PUT /api/event-model/:source`. */
  open: ReadonlySet<string>;
  quota: SenderQuota;
};

export const safetyHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Stands before every route, the unknown ones included: who sent it, then whether it may. */
export function addGuard(app: FastifyInstance, policy: AccessPolicy): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(safetyHeaders);
    allowOrigin(request, policy.trust, (name, value) => reply.header(name, value));
    const refusal = admit(request.raw, policy, request.routeOptions.url);
    if (refusal) return sendRefusal(reply, refusal);
    const busy = alwaysAnswered.has(request.routeOptions.url) ? undefined : policy.quota.enter(request.raw, reply.raw);
    if (busy) return sendRefusal(reply, busy);
    if (request.method === 'OPTIONS' && request.headers.origin !== undefined) return reply.code(204).send();
  });
}

/** Whoever asks whether we are alive is told, whatever else is going on. */
const alwaysAnswered: ReadonlySet<string | undefined> = new Set(['/api/ping', '/api/health', '/metrics']);

/**
 * The same question for everything that speaks HTTP, upgrades to WebSocket included. What needs the token is decided by the
 * route that will answer, never by the text of the address: `/%61pi/plans` is the same route as `/api/plans`.
 */
export function admit(request: IncomingMessage, policy: AccessPolicy, route: string | undefined): Refusal | undefined {
  const { method = '', url = '', headers } = request;
  const { trust, token, open } = policy;
  const refusal = checkSender(senderOf(request), trust);
  if (refusal || token === undefined || method === 'OPTIONS') return refusal;
  const isPage = route === undefined || route === staticFiles;
  if (isPage ? !isReserved(url) : open.has(`${method === 'HEAD' ? 'GET' : method} ${route}`)) return undefined;
  const { authorization, cookie } = headers;
  return checkToken(token, { authorization, cookie, query: tokenInQuery(url, route) });
}

/**
 * Who sends a batch of events. Without a token, where one is set, it came through `Service:OpenIngest`, from loopback too.
 * The operator's token has no name.
 */
export function senderOfRun({ headers, socket }: IncomingMessage, { token }: AccessPolicy): RunSender {
  const address = socket.remoteAddress ?? '';
  if (token === undefined) return { publisher: null, trust: 'local', address };
  const { authorization, cookie } = headers;
  const refusal = checkToken(token, { authorization, cookie, query: undefined });
  return { publisher: null, trust: refusal ? 'open' : 'local', address };
}

/** The route of the web's own files, which need no token. */
export const staticFiles = '/*';

/** An address of the API that leads nowhere is not told apart from one that does. */
const isReserved = (url: string): boolean => /^\/(api|metrics)\b/.test(url);

/** Only the hub takes it there: a browser's WebSocket cannot send a header. */
const tokenInQuery = (url: string, route: string | undefined): string | undefined =>
  route?.startsWith('/api/messages') ? (queryIn(url).get('access_token') ?? undefined) : undefined;

function senderOf({ method = '', headers, rawHeaders }: IncomingMessage): RequestSender {
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host');
  const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(', ') : value);
  return {
    method,
    hosts,
    origin: one(headers.origin),
    fetchSite: one(headers['sec-fetch-site']),
    fetchMode: one(headers['sec-fetch-mode']),
  };
}

/** Answers a configured foreign origin as CORS asks. Our own pages need none of it, and nobody ever gets a wildcard. */
function allowOrigin(request: FastifyRequest, trust: Trust, set: (name: string, value: string) => void): void {
  const { origin } = request.headers;
  if (origin === undefined || !trust.origins.has(origin.toLowerCase()) || !isTrusted(origin, trust)) return;
  set('access-control-allow-origin', origin);
  set('vary', 'Origin');
  set('access-control-allow-methods', 'GET, POST, PUT, DELETE');
  set(
    'access-control-allow-headers',
    'authorization, content-type, idempotency-key, last-event-id, mcp-protocol-version',
  );
}
