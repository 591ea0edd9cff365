import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import { isRefusal, type Refusal, RefusedError, refuse, refuseShape } from '../kernel/outcome.ts';
import {
  type AccessPolicy,
  admit,
  askProvider,
  hasCredentials,
  isStillAdmitted,
  isTrusted,
  quotaSenderOf,
  type Trust,
} from './admission.ts';
import { parseJson } from './json-body.ts';
import { faultProblem, problemMediaType } from './problem.ts';
import { PlainText, sendRefusal, unsupported } from './rest.ts';

export type Log = { error(details: object, text: string): void };

/** A port without routes: bodies, errors, unknown paths and safety checks are the same on both. */
export function createHttp(policy: AccessPolicy, log: Log): FastifyInstance {
  const app = Fastify({
    routerOptions: { maxParamLength: 4096, ignoreTrailingSlash: true },
    forceCloseConnections: true,
    // An address that cannot be decoded arrives here without passing the guard.
    frameworkErrors: (error, _, reply) =>
      sendRefusal(reply.headers(safetyHeaders), refusalOf(error) ?? refuse('not_found', unknownAddress)),
  });
  const routes = rememberRoutes(app);
  addGuard(app, policy);
  addParsers(app);

  app.setErrorHandler((error: FastifyError | RefusedError, request, reply) => {
    const refusal = error instanceof RefusedError ? error.refusal : refusalOf(error);
    if (refusal) return sendRefusal(reply, refusal);
    log.error(
      { err: error, method: request.method, path: request.routeOptions.url },
      'a request failed with an unexpected error',
    );
    return reply.code(500).type(problemMediaType).send(JSON.stringify(faultProblem));
  });

  app.setNotFoundHandler((request, reply) => {
    const methods = routes.methodsAt(request.url.split('?', 1)[0] ?? '');
    if (methods.length === 0) return sendRefusal(reply, refuse('not_found', unknownAddress));
    reply.header('allow', methods.join(', '));
    return sendRefusal(reply, refuse('method_not_allowed', `Use ${methods.join(' or ')} here.`));
  });
  return app;
}

const unknownAddress = 'Unknown address. GET /api/docs lists the routes.';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The limit of JSON values in a body, if it differs from the default. */
    mostJsonValues?: number | undefined;
    /** A body of any text, or of no type, is read as JSON. */
    takesJsonOfAnyType?: boolean | undefined;
  }
}

async function parseBody(request: FastifyRequest, body: Buffer): Promise<unknown> {
  if (request.headers['content-encoding'] !== undefined) throw new RefusedError(unsupported(['application/json']));
  if (body.length === 0) return undefined;
  const parsed = await parseJson(body, request.routeOptions.config.mostJsonValues);
  if (isRefusal(parsed)) throw new RefusedError(parsed);
  return parsed.value;
}

/** The types that `curl --data` and other clients send without declaring JSON. */
const unsaidTypes = /^(?:$|text\/|application\/x-www-form-urlencoded)/i;

const isReadAsJson = ({ headers, routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.takesJsonOfAnyType === true && unsaidTypes.test(headers['content-type'] ?? '');

/** JSON is parsed here; other text is passed on to commands that accept its media type. */
function addParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, parseBody);
  app.addContentTypeParser(
    ['application/yaml', 'application/x-yaml', 'text/yaml'],
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) =>
      isReadAsJson(request) ? parseBody(request, body) : new PlainText(body.toString('utf8')),
  );
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (!isReadAsJson(request)) throw new RefusedError(unsupported(['application/json']));
    return parseBody(request, body);
  });
}

/** Maps refusals of the framework to our problems. */
function refusalOf(error: FastifyError): Refusal | undefined {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return refuse('body_too_large', 'The body is too large for this route. Send less at once.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupported(['application/json']);
    case 'FST_ERR_BAD_URL':
      return refuse('not_found', unknownAddress);
    default:
      if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
        return refuseShape([{ path: '', message: 'the request cannot be read' }]);
      }
      return undefined;
  }
}

/** Remembers the methods of each path, so that a wrong method gets 405 and an unknown path 404. */
function rememberRoutes(app: FastifyInstance) {
  const registered: Array<{ method: string; pattern: RegExp }> = [];
  app.addHook('onRoute', ({ method, url }) => {
    // linear: one part of the path for each parameter, and parts do not overlap.
    const pattern = new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}/?$`);
    for (const one of [method].flat()) if (one !== 'HEAD') registered.push({ method: one, pattern });
  });
  return {
    methodsAt: (path: string): string[] => [
      ...new Set(registered.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)),
    ],
  };
}

export const safetyHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

/** Runs before every route, including unknown ones: authenticates, then authorises. */
export function addGuard(app: FastifyInstance, policy: AccessPolicy): void {
  const inProgress = new Map<IncomingMessage, string>();
  policy.revocations.listen(() => {
    // For waiting calls: a caller whose token was revoked meanwhile gets no answer.
    for (const [request, url] of inProgress)
      if (!isStillAdmitted(request, policy, url, 'token')) request.socket.destroy();
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(safetyHeaders);
    allowOrigin(request, policy.trust, (name, value) => reply.header(name, value));
    const { url } = request.routeOptions;
    const asking = askProvider(request.raw, policy, url);
    if (asking) await asking;
    const refusal = admit(request.raw, policy, url);
    if (refusal) return sendRefusal(reply, refusal, policy.challenge?.(request.raw));
    const kind = url === streamPath ? 'lines' : 'requests';
    const busy = alwaysAnswered.has(url)
      ? undefined
      : policy.quota.enter(request.raw, reply.raw, quotaSenderOf(request.raw), kind);
    if (busy) return sendRefusal(reply, busy);
    if (url !== undefined && hasCredentials(request.raw)) {
      inProgress.set(request.raw, url);
      reply.raw.once('close', () => inProgress.delete(request.raw));
    }
    if (request.method === 'OPTIONS' && request.headers.origin !== undefined) return reply.code(204).send();
  });
}

/** Server-sent events use a connection that stays open. */
const streamPath = '/api/messages';
/** Liveness probes are always answered. */
const alwaysAnswered: ReadonlySet<string | undefined> = new Set(['/api/ping', '/api/health', '/metrics']);

/** Answers a configured foreign origin with CORS headers. Our own pages need none, and nobody ever gets a wildcard. */
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
