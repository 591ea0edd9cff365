import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { anonymousIdentity, checkScope, type Identity, mayCall, type RequiredScope } from '../kernel/access.ts';
import { type AuditEntry, auditName, type RecordAudit } from '../kernel/audit.ts';
import type { CallOrigin } from '../kernel/dispatch.ts';
import { isRefusal, type Refusal, refuse } from '../kernel/outcome.ts';
import type { RunSender } from '../kernel/run-summary.ts';
import { mcpPath, socketPath } from '../kernel/service-paths.ts';
import { traceParentText } from '../telemetry/trace-parent.ts';
import type { Authenticator } from './authenticator.ts';
import { queryIn } from './query.ts';
import type { Revocations } from './revocations.ts';
import { checkSender, type RequestSender, type Trust } from './safety.ts';
import type { Sender, SenderQuota } from './sender-quota.ts';
import { bearerIn, type Credentials, cookieOf } from './token.ts';

/** The name of a route and the scope it requires. */
export type RouteAccess = { name: string; scope: RequiredScope };

export type AccessPolicy = {
  trust: Trust;
  authenticator: Authenticator;
  /** By method and route, as `PUT /api/event-model/:source`. Routes that are not listed require admin. */
  routes: ReadonlyMap<string, RouteAccess>;
  /** Routes that are open although a token is set, in the same form. */
  openIngest: ReadonlySet<string>;
  quota: SenderQuota;
  audit: RecordAudit;
  revocations: Pick<Revocations, 'listen'>;
  /** What a caller who is not known is pointed to, where people can sign in. */
  challenge?: ((request: IncomingMessage) => string) | undefined;
};

/** Caches the decision per request: a shortcut may pass a request on to the routes after checking it. */
const judged = new WeakMap<IncomingMessage, Identity | Refusal>();

/** Who sent a request that was let in, and from where. */
export function originOf(request: IncomingMessage): CallOrigin {
  const identity = judged.get(request);
  if (!identity || isRefusal(identity)) throw new Error('a request was answered without having been admitted');
  return { identity, address: request.socket.remoteAddress ?? '' };
}

const hasShown: ReadonlySet<Identity['kind']> = new Set(['named', 'operator', 'person']);

/** Whether a request was let in by a token or a login, which may be revoked. */
export function hasCredentials(request: IncomingMessage): boolean {
  const identity = judged.get(request);
  return identity !== undefined && !isRefusal(identity) && hasShown.has(identity.kind);
}

/** Whom a request counts for; a refused one counts for its address. */
export function quotaSenderOf(request: IncomingMessage): Sender {
  const identity = judged.get(request);
  const name = !identity || isRefusal(identity) ? null : identity.name;
  return { name, address: request.socket.remoteAddress ?? '' };
}

/**
 * The same check for every HTTP request, including WebSocket upgrades. The required scope is decided by the matched route, never by the text of the address: `/%61pi/plans` is the same route as `/api/plans`.
 */
export function admit(request: IncomingMessage, policy: AccessPolicy, route: string | undefined): Refusal | undefined {
  const before = judged.get(request);
  const judgement = before ?? judge(request, policy, route);
  if (!before) judged.set(request, judgement);
  return isRefusal(judgement) ? judgement : undefined;
}

/**
 * What has to be asked of the provider of sign-ins before a request can be admitted; undefined if nothing has to be.
 */
export function learnOf(
  request: IncomingMessage,
  { authenticator }: AccessPolicy,
  route: string | undefined,
): Promise<void> | undefined {
  return judged.has(request) || !authenticator.people ? undefined : authenticator.learn(credentialsOf(request, route));
}

/** Whether the opener of an open connection would still be admitted: its token may have been revoked. */
export function isStillAdmitted(
  request: IncomingMessage,
  { authenticator }: AccessPolicy,
  route: string,
  scope: RequiredScope = 'read',
): boolean {
  const identity = authenticator.recognise(credentialsOf(request, route));
  return identity !== undefined && mayCall(identity, scope);
}

/** Any admitted caller gets a 404. */
const nowhere: RouteAccess = { name: 'nowhere', scope: 'token' };

function judge(request: IncomingMessage, policy: AccessPolicy, route: string | undefined): Identity | Refusal {
  const { method = '', url = '' } = request;
  const key = `${method === 'HEAD' ? 'GET' : method} ${route}`;
  const isNowhere = route === undefined || route === staticFiles;
  const isPage = isNowhere && !isReserved(url);
  const access = isNowhere ? nowhere : (policy.routes.get(key) ?? { name: route, scope: 'admin' });
  const mayBeUnknown = method === 'OPTIONS' || isPage || access.scope === 'open';
  const identity =
    checkSender(senderOf(request), policy.trust) ??
    identify(request, policy, route, { mayBeUnknown, isOpen: policy.openIngest.has(key) });
  const refusal = isRefusal(identity)
    ? identity
    : mayBeUnknown
      ? undefined
      : (checkScope(identity, access.name, access.scope) ?? checkRun(identity, key));
  if (!refusal) return identity;
  policy.audit({
    name: isRefusal(identity) ? 'anonymous' : auditName(identity),
    address: request.socket.remoteAddress ?? '',
    door: doorOf(route),
    command: access.name,
    ref: null,
    outcome: refusal.code,
  });
  return refusal;
}

/** A token for one run publishes to it; which run a batch is for is seen when it is read. */
const checkRun = ({ run }: Identity, key: string): Refusal | undefined =>
  run === undefined || key === 'POST /api/ingest'
    ? undefined
    : refuse('scope_required', `This token publishes to the run ${run} and is good for nothing else.`);

function doorOf(route: string | undefined): AuditEntry['door'] {
  if (route === mcpPath) return 'mcp';
  if (route === socketPath) return 'socket';
  return route?.startsWith('/api/messages') ? 'hub' : route === '/api/ingest' ? 'ingest' : 'rest';
}

type Openness = { mayBeUnknown: boolean; isOpen: boolean };

/** If no token is required, none is checked, so a wrong one does no harm; open publishers may still send theirs. */
function identify(
  request: IncomingMessage,
  { authenticator }: AccessPolicy,
  route: string | undefined,
  { mayBeUnknown, isOpen }: Openness,
): Identity | Refusal {
  if (mayBeUnknown) return anonymousIdentity;
  const credentials = credentialsOf(request, route);
  const identity = authenticator.identify(credentials, request.socket.remoteAddress ?? '');
  return isOpen && isRefusal(identity) ? anonymousIdentity : identity;
}

export function credentialsOf({ headers, socket, url = '' }: IncomingMessage, route: string | undefined): Credentials {
  const { authorization, cookie } = headers;
  return {
    bearer: bearerIn(authorization) ?? tokenInQuery(url, route),
    login: cookieOf(cookie, 'login', socket.localPort ?? 0, isTls(socket)),
  };
}

export const isTls = (socket: IncomingMessage['socket']): boolean => (socket as Partial<TLSSocket>).encrypted === true;

const trustOfKind = { named: 'named', person: 'named', local: 'local', operator: 'local', anonymous: 'open' } as const;

/**
 * Who sends a batch of events. Without a token, where one is set, it came through `Service:OpenIngest`, from loopback too.
 * The operator's token has no name.
 */
export function senderOfRun(request: IncomingMessage): RunSender {
  const { identity, address } = originOf(request);
  const traceparent = traceParentText(request.headers.traceparent);
  const origin = { publisher: identity.name, trust: trustOfKind[identity.kind], ...(traceparent && { traceparent }) };
  return { ...origin, address, onlyRun: identity.run };
}

/** The route of the web's own files, which need no token. */
export const staticFiles = '/*';

/** Unknown API addresses are treated like known ones, so that they reveal nothing. */
const isReserved = (url: string): boolean => /^\/(api|metrics)\b/.test(url);

/** Only what a browser opens as a WebSocket takes it there: it cannot send a header. */
const tokenInQuery = (url: string, route: string | undefined): string | undefined =>
  route === socketPath || route?.startsWith('/api/messages')
    ? (queryIn(url).get('access_token') ?? undefined)
    : undefined;

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
