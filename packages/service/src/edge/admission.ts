import type { IncomingMessage } from 'node:http';
import { anonymousIdentity, checkScope, type Identity, mayCall, type RequiredScope } from '../kernel/access.ts';
import { type AuditEntry, auditName, type RecordAudit } from '../kernel/audit.ts';
import type { CallOrigin } from '../kernel/dispatch.ts';
import { isRefusal, type Refusal, refuse } from '../kernel/outcome.ts';
import type { RunSender } from '../kernel/run-summary.ts';
import { mcpPath, socketPath } from '../kernel/service-paths.ts';
import { traceParentText } from '../telemetry/trace-parent.ts';
import type { Authenticator, Revocations } from './authenticator.ts';
import { queryIn } from './rest-input.ts';
import type { Sender, SenderQuota } from './sender-quota.ts';
import { bearerIn, type Credentials, cookieOf } from './token.ts';

/** The name of a route and the scope it requires. */
export type RouteAccess = { name: string; scope: RequiredScope };

export type AccessPolicy = {
  trust: Trust;
  authenticator: Authenticator;
  /** Access by method and route, such as `PUT /api/event-model/:source`. Routes that are not listed require admin. */
  routes: ReadonlyMap<string, RouteAccess>;
  /** Routes that are open although a token is set, in the same notation. */
  openIngest: ReadonlySet<string>;
  quota: SenderQuota;
  audit: RecordAudit;
  revocations: Pick<Revocations, 'listen'>;
  /** The address where an unknown caller can sign in. */
  challenge?: ((request: IncomingMessage) => string) | undefined;
};

/** Caches the decision per request, because a shortcut may pass a request on to the routes after checking it. */
const admissionCache = new WeakMap<IncomingMessage, Identity | Refusal>();

/** The sender of an admitted request, and where it came from. */
export function originOf(request: IncomingMessage): CallOrigin {
  const identity = admissionCache.get(request);
  if (!identity || isRefusal(identity)) throw new Error('a request was answered without having been admitted');
  return { identity, address: request.socket.remoteAddress ?? '' };
}

const hasShown: ReadonlySet<Identity['kind']> = new Set(['named', 'operator', 'person']);

/** Whether a request was admitted by a token or a login, which may be revoked. */
export function hasCredentials(request: IncomingMessage): boolean {
  const identity = admissionCache.get(request);
  return identity !== undefined && !isRefusal(identity) && hasShown.has(identity.kind);
}

/** The sender whose quota a request uses; a refused request counts for its address. */
export function quotaSenderOf(request: IncomingMessage): Sender {
  const identity = admissionCache.get(request);
  const name = !identity || isRefusal(identity) ? null : identity.name;
  return { name, address: request.socket.remoteAddress ?? '' };
}

/**
 * The same check for every HTTP request, including WebSocket upgrades. The required scope is decided by the matched route, never by the text of the address: `/%61pi/plans` is the same route as `/api/plans`.
 */
export function admit(request: IncomingMessage, policy: AccessPolicy, route: string | undefined): Refusal | undefined {
  const before = admissionCache.get(request);
  const decision = before ?? decideAdmission(request, policy, route);
  if (!before) admissionCache.set(request, decision);
  return isRefusal(decision) ? decision : undefined;
}

/**
 * Asks the sign-in provider before a request is admitted; undefined if that is not needed.
 */
export function askProvider(
  request: IncomingMessage,
  { authenticator }: AccessPolicy,
  route: string | undefined,
): Promise<void> | undefined {
  return admissionCache.has(request) || !authenticator.people
    ? undefined
    : authenticator.learn(credentialsOf(request, route));
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

/** Any admitted caller gets a 404 here. */
const unknownRoute: RouteAccess = { name: 'nowhere', scope: 'token' };

function decideAdmission(
  request: IncomingMessage,
  policy: AccessPolicy,
  route: string | undefined,
): Identity | Refusal {
  const { method = '', url = '' } = request;
  const key = `${method === 'HEAD' ? 'GET' : method} ${route}`;
  const isUnknown = route === undefined || route === staticFiles;
  const isPage = isUnknown && !isReserved(url);
  const access = isUnknown ? unknownRoute : (policy.routes.get(key) ?? { name: route, scope: 'admin' });
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
    door: transportOf(route),
    command: access.name,
    ref: null,
    outcome: refusal.code,
  });
  return refusal;
}

/** A token for one run publishes to that run; the run of a batch is known only once it is read. */
const checkRun = ({ run }: Identity, key: string): Refusal | undefined =>
  run === undefined || key === 'POST /api/ingest'
    ? undefined
    : refuse('scope_required', `This token may only publish to the run ${run}.`);

function transportOf(route: string | undefined): AuditEntry['door'] {
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

export const isTls = (socket: IncomingMessage['socket']): boolean => 'encrypted' in socket && socket.encrypted === true;

const trustOfKind = { named: 'named', person: 'named', local: 'local', operator: 'local', anonymous: 'open' } as const;

/**
 * The sender of a batch of events. If a token is set and the sender has none, the batch came through
 * `Service:OpenIngest`, also from loopback. The operator's token has no name.
 */
export function senderOfRun(request: IncomingMessage): RunSender {
  const { identity, address } = originOf(request);
  const traceparent = traceParentText(request.headers.traceparent);
  const origin = { publisher: identity.name, trust: trustOfKind[identity.kind], ...(traceparent && { traceparent }) };
  return { ...origin, address, onlyRun: identity.run };
}

/** The route of the web's own files, which need no token. */
export const staticFiles = '/*';

/** Unknown API addresses are treated like known ones, so that answers reveal nothing. */
const isReserved = (url: string): boolean => /^\/(api|metrics)\b/.test(url);

/** Only WebSocket and event-stream routes accept a token in the address: a browser cannot send a header with them. */
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

/** The names by which this process may be addressed. `names` are host names without port, in lower case. */
export type Trust = {
  names: ReadonlySet<string>;
  ports: ReadonlySet<string>;
  /** The scheme of our own addresses. */
  scheme: 'http' | 'https';
  /** Full origins from Service:AllowedOrigins. */
  origins: ReadonlySet<string>;
  /** Hosts, with their port, that a proxy serves over TLS. */
  secureHosts?: ReadonlySet<string>;
  /** With a token set, any name is accepted: an attacker who rebinds a name cannot guess the token. */
  anyName: boolean;
};

/** The parts of a request that identify its sender. */
export type RequestSender = {
  method: string;
  hosts: readonly string[];
  origin: string | undefined;
  fetchSite: string | undefined;
  fetchMode: string | undefined;
};

/** Stops DNS rebinding and pages of other origins. Called on every route of both ports, before anything else. */
export function checkSender(sender: RequestSender, trust: Trust): Refusal | undefined {
  return checkHost(sender, trust) ?? checkOrigin(sender, trust) ?? checkFetchSite(sender);
}

function checkHost({ hosts }: RequestSender, trust: Trust): Refusal | undefined {
  const [host, ...others] = hosts;
  if (host === undefined || others.length > 0) return refuse('invalid_request', 'Send exactly one Host header.');
  const name = hostName(host);
  if (trust.anyName || (name !== undefined && trust.names.has(name))) return undefined;
  return refuse(
    'host_not_allowed',
    'The Host header is not allowed. Use localhost, or add the name to Service:AllowedHosts.',
  );
}

function checkOrigin({ origin }: RequestSender, trust: Trust): Refusal | undefined {
  if (origin === undefined || isTrusted(origin, trust)) return undefined;
  return refuse(
    'origin_not_allowed',
    'Pages of other origins may not call this service. If the origin is yours, add it to Service:AllowedOrigins.',
  );
}

/** A foreign page may link to us, but may not load, post to or embed us. Browsers send this header even without an Origin. */
function checkFetchSite({ method, origin, fetchSite, fetchMode }: RequestSender): Refusal | undefined {
  if (origin !== undefined || fetchSite === undefined || fetchSite === 'same-origin' || fetchSite === 'none')
    return undefined;
  if (method === 'GET' && fetchMode === 'navigate') return undefined;
  return refuse(
    'origin_not_allowed',
    'Pages of other sites may not call this service. Use the page this service serves, or call it from a program.',
  );
}

export function isTrusted(origin: string, { names, ports, origins, scheme }: Trust): boolean {
  if (origins.has(origin.toLowerCase())) return true;
  const own = /^(https?):\/\/(\[[0-9a-f:.]+\]|[^:/]+):(\d+)$/.exec(origin.toLowerCase());
  const [, ownScheme, name = '', port = ''] = own ?? [];
  return ownScheme === scheme && names.has(name) && ports.has(port);
}

/** `[::1]:5526` and `LOCALHOST:5526` without their port; undefined for an invalid host. */
function hostName(host: string): string | undefined {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/.exec(host.toLowerCase())?.[1];
}
