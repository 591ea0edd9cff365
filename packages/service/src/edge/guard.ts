import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AccessPolicy, admit } from './admission.ts';
import { sendRefusal } from './rest.ts';
import { isTrusted, type Trust } from './safety.ts';

export const safetyHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Runs before every route, including unknown ones: authenticates, then authorises. */
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

/** Liveness probes are always answered. */
const alwaysAnswered: ReadonlySet<string | undefined> = new Set(['/api/ping', '/api/health', '/metrics']);

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
