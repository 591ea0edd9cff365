import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type AccessPolicy, admit, hasCredentials, isStillAdmitted, learnOf, quotaSenderOf } from './admission.ts';
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
  const underWay = new Map<IncomingMessage, string>();
  policy.revocations.listen(() => {
    // Calls that wait: the answer is not for somebody whose token was revoked meanwhile.
    for (const [request, url] of underWay)
      if (!isStillAdmitted(request, policy, url, 'token')) request.socket.destroy();
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(safetyHeaders);
    allowOrigin(request, policy.trust, (name, value) => reply.header(name, value));
    const { url } = request.routeOptions;
    const learning = learnOf(request.raw, policy, url);
    if (learning) await learning;
    const refusal = admit(request.raw, policy, url);
    if (refusal) return sendRefusal(reply, refusal, policy.challenge?.(request.raw));
    const kind = url === streamPath ? 'lines' : 'requests';
    const busy = alwaysAnswered.has(url)
      ? undefined
      : policy.quota.enter(request.raw, reply.raw, quotaSenderOf(request.raw), kind);
    if (busy) return sendRefusal(reply, busy);
    if (url !== undefined && hasCredentials(request.raw)) {
      underWay.set(request.raw, url);
      reply.raw.once('close', () => underWay.delete(request.raw));
    }
    if (request.method === 'OPTIONS' && request.headers.origin !== undefined) return reply.code(204).send();
  });
}

/** Server-sent events: a line that stays open. */
const streamPath = '/api/messages';
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
