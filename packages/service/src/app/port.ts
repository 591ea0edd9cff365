import type { RequestListener } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { AccessPolicy, RouteAccess, Trust } from '../edge/admission.ts';
import { addDocs, type MachineDocument } from '../edge/docs-page.ts';
import { addHealth, addReady, loginRoutes } from '../edge/extra-routes.ts';
import { createHttp, type Log } from '../edge/http.ts';
import type { Shortcut } from '../edge/ingest-route.ts';
import { type Listening, listen, stopListening } from '../edge/listen.ts';
import { addLogin } from '../edge/login.ts';
import { addMe } from '../edge/me-route.ts';
import { addMetrics, processMeasures, type RecordRequest } from '../edge/metrics.ts';
import { type ExtraRoute, openApiOf } from '../edge/openapi.ts';
import { registerRoutes } from '../edge/rest.ts';
import type { SenderQuota } from '../edge/sender-quota.ts';
import { addSignIn, challengeOf, signInAccess } from '../edge/sign-in.ts';
import { addSpa } from '../edge/spa.ts';
import { followTls } from '../edge/tls-files.ts';
import type { Upgrade } from '../edge/upgrades.ts';
import type { Installation } from '../kernel/access.ts';
import type { Announcements } from '../kernel/announcements.ts';
import type { Clock } from '../kernel/clock.ts';
import type { AnyCommand } from '../kernel/command.ts';
import type { DispatchContext } from '../kernel/dispatch.ts';
import type { LockedDataPath } from '../store/data-path.ts';
import type { Telemetry } from '../telemetry/io/open-telemetry.ts';
import type { Access } from './access.ts';
import type { ArrivalClock } from './arrival-clock.ts';
import { conditionMeasures } from './condition-measures.ts';
import type { ConditionWatch } from './condition-watch.ts';
import type { Config } from './config.ts';
import type { Logger } from './log.ts';
import { version } from './version.ts';

/** Everything that the parts of a running process share. */
export type ServiceDeps = {
  config: Config;
  clock: Clock;
  /** The clock of all arrivals. */
  arrivals: ArrivalClock;
  log: Logger;
  trust: Trust & { ports: Set<string> };
  /** Facts about this process for callers; the console's address is added once it listens. */
  installation: Installation;
  access: Access;
  /** Requests in progress per client address, on both ports. */
  quota: SenderQuota;
  /** Changes on either port; the hub passes them on. */
  announcements: Announcements;
  /** The conditions that keep this process from its work; every probe reads them. */
  conditions: ConditionWatch;
  /** Sends traces and metrics; null if none are configured. */
  telemetry: Telemetry | null;
  /** Records the addresses of this process in the data path. */
  describe: LockedDataPath['describe'];
};

export type Port<Ctx> = {
  title: string;
  /** Its default address, for the reference. */
  address: string;
  /** Machine-readable descriptions other than OpenAPI. */
  documents: readonly MachineDocument[];
  /** The kind of port, for its page. */
  name?: 'console';
  commands: readonly AnyCommand<Ctx>[];
  ctx: Ctx;
  web: string;
  /** Routes that are not commands: MCP, the hub, ingest. */
  extend?: (app: FastifyInstance, policy: AccessPolicy) => readonly ExtraRoute[];
  /** Metrics of its parts, for `/metrics`. */
  measures: Registry;
  /** Requests answered without the framework. */
  shortcut?: (policy: AccessPolicy, log: Log, note: RecordRequest) => Shortcut;
  /** Long-lived connections, closed when the port stops. */
  live?: { upgrade: Upgrade; end(): Promise<void> };
};

/** Routes that are not in the reference. */
const ownRoutes: ReadonlyArray<readonly [string, RouteAccess]> = [
  ['POST /api/mcp', { name: 'mcp', scope: 'token' }],
  ['GET /api/docs', { name: 'docs', scope: 'token' }],
  ['GET /api/docs.css', { name: 'docs', scope: 'token' }],
  ['GET /api/openapi.json', { name: 'docs', scope: 'token' }],
  ['GET /*', { name: 'page', scope: 'open' }],
];
const openForPublishers = [
  'POST /api/ingest',
  'GET /api/event-model',
  'PUT /api/event-model',
  'PUT /api/event-model/:source',
];

export function openPort<Ctx extends DispatchContext>(port: Port<Ctx>, deps: ServiceDeps): PreparedPort {
  const { config, log, trust, quota, installation, conditions, access } = deps;
  const { authenticator, audit, revocations, signIns } = access;
  const routes = new Map<string, RouteAccess>([
    ...ownRoutes,
    ...(signIns ? signInAccess : []),
    ...port.documents.map(({ path }) => [`GET ${path}`, { name: 'docs', scope: 'token' }] as const),
  ]);
  const openIngest = new Set(config.openIngest ? openForPublishers : []);
  const challenge = signIns && challengeOf(trust);
  const policy: AccessPolicy = {
    trust,
    authenticator,
    routes,
    openIngest,
    quota,
    audit: audit.record,
    revocations,
    challenge,
  };
  const app = createHttp(policy, log);
  const registered = watchRoutes(app);
  const metrics = addMetrics(app, version, [port.measures], sharedMeasures(deps));
  deps.telemetry?.addMeasures(metrics.own, port.name ?? 'coordination');
  const health = addHealth(app, version);
  addLogin(app, policy, signIns);
  const extraRoutes = [
    health,
    addReady(app, () => conditions.conditions()),
    metrics.route,
    ...loginRoutes,
    ...addSignIn(app, policy, signIns),
    addMe(app, policy, installation),
    ...(port.extend?.(app, policy) ?? []),
  ];
  const ctx = { ...port.ctx, audit: audit.recordSoon };
  registerRoutes(app, port.commands, ctx);
  for (const [key, required] of accessOf(port.commands, extraRoutes)) routes.set(key, required);
  const described = { title: port.title, version, server: port.address };
  addDocs(app, () => openApiOf(described, port.commands, extraRoutes), port.documents);
  addSpa(app, port.web, port.name ?? 'coordination');
  const shortcut = port.shortcut?.(policy, log, metrics.note);
  return {
    app,
    refuseUnscoped: () => {
      const without = registered.find((key) => !routes.has(key));
      if (without !== undefined) throw new Error(`the route ${without} declares no scope`);
    },
    answer: (request, response) => {
      if (!shortcut?.(request, response)) app.routing(request, response);
    },
  };
}

const measured = new WeakMap<ConditionWatch, readonly Registry[]>();

/** The measures that both ports serve. */
function sharedMeasures({ conditions, telemetry }: ServiceDeps): readonly Registry[] {
  const known = measured.get(conditions);
  if (known) return known;
  const shared = [conditionMeasures(conditions, telemetry), processMeasures()];
  measured.set(conditions, shared);
  for (const measures of shared) telemetry?.addMeasures(measures);
  return shared;
}

/** Ready to serve: `answer` handles every request. */
type PreparedPort = { app: FastifyInstance; answer: RequestListener; refuseUnscoped(): void };

/** Keyed by method and route in the framework's notation. */
function accessOf(
  commands: readonly AnyCommand<never>[],
  extraRoutes: readonly ExtraRoute[],
): Array<readonly [string, RouteAccess]> {
  const keyOf = (method: string, path: string) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`;
  return [
    ...commands.flatMap(({ name, scope, rest }) =>
      rest ? [[keyOf(rest.method, rest.path), { name, scope }] as const] : [],
    ),
    ...extraRoutes.map(
      ({ method, path, scope, operation }) =>
        [keyOf(method, path), { name: String(operation.operationId), scope }] as const,
    ),
  ];
}

/** Every route that is registered from now on. */
function watchRoutes(app: FastifyInstance): readonly string[] {
  const registered: string[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) if (one !== 'HEAD') registered.push(`${one} ${url}`);
  });
  return registered;
}

export type ListeningPort = Listening & { url: string; stop(): Promise<void> };

/** How long requests in progress may take when a port stops; the whole shutdown then takes less than ten seconds. */
const graceMs = 3_000;

/** Starts to listen, and passes its port to the safety checks. */
export async function serve(
  { app, answer, refuseUnscoped }: PreparedPort,
  what: string,
  variable: string,
  number: number,
  { config, trust, log, clock, access: { tls } }: ServiceDeps,
  live?: Port<never>['live'],
): Promise<ListeningPort> {
  await app.ready();
  refuseUnscoped();
  const options = { hosts: config.hosts, port: number, what, variable, hostVariable: 'HOST', tls };
  const listening = await listen(answer, options, live?.upgrade);
  const servers = listening.servers.filter((server) => server instanceof HttpsServer);
  const say = (details: object, text: string) => log.info(details, `${what}: ${text}`);
  const stopTls = config.tls && followTls(config.tls, servers, { clock, say });
  for (const host of listening.skipped)
    log.info(`${what}: this machine has no address ${host}, so the service does not listen on it`);
  trust.ports.add(String(listening.port));
  const [address = 'localhost'] = listening.addresses;
  const name = /^(127\.|::1$|0\.0\.0\.0$|::$)/.test(address)
    ? 'localhost'
    : address.includes(':')
      ? `[${address}]`
      : address;
  const stop = async () => {
    stopTls?.();
    await Promise.all([stopListening(listening.servers, graceMs), live?.end()]);
    await app.close();
  };
  return { ...listening, url: `${trust.scheme}://${name}:${listening.port}`, stop };
}
