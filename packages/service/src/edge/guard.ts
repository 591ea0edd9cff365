import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Refusal } from '../kernel/outcome.ts';
import { sendRefusal } from './rest.ts';
import { checkSender, isTrusted, type Sender, type Trust } from './safety.ts';
import { checkToken } from './token.ts';

export type Doorkeeper = {
  trust: Trust;
  token: string | undefined;
  /** Routes that are open although a token is set, as `GET /api/ping`. */
  open: ReadonlySet<string>;
};

const headers = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Stands before every route, the unknown ones included: who sent it, then whether it may. */
export function addGuard(app: FastifyInstance, keeper: Doorkeeper): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    allowOrigin(request, keeper.trust, (name, value) => reply.header(name, value));
    const refusal = admit(request.raw, keeper);
    if (refusal) return sendRefusal(reply, refusal);
    if (request.method === 'OPTIONS' && request.headers.origin !== undefined) return reply.code(204).send();
  });
}

/** The same question for everything that speaks HTTP, upgrades to WebSocket included. */
export function admit(request: IncomingMessage, { trust, token, open }: Doorkeeper): Refusal | undefined {
  const { method = '', url = '', headers } = request;
  const stranger = checkSender(senderOf(request), trust);
  if (stranger || token === undefined || method === 'OPTIONS') return stranger;
  const path = url.split('?', 1)[0] ?? '';
  if (!path.startsWith('/api/') && path !== '/metrics') return undefined;
  if (isOpen(method, path, open)) return undefined;
  const { authorization, cookie } = headers;
  return checkToken(token, { authorization, cookie, query: tokenInQuery(url, path) });
}

/** Only the hub takes it there: a browser's WebSocket cannot send a header. */
const tokenInQuery = (url: string, path: string): string | undefined =>
  path.startsWith('/api/messages')
    ? (new URL(url, 'http://localhost').searchParams.get('access_token') ?? undefined)
    : undefined;

const isOpen = (method: string, path: string, open: ReadonlySet<string>): boolean => {
  const asked = `${method === 'HEAD' ? 'GET' : method} ${path}`;
  if (open.has(asked)) return true;
  return open.has(`${asked.slice(0, asked.lastIndexOf('/'))}/*`);
};

function senderOf({ method = '', headers, rawHeaders }: IncomingMessage): Sender {
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
