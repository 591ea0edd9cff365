import type { RequestListener } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { addDocs } from '../edge/docs-page.ts';
import { addHealth, loginRoutes } from '../edge/extra-routes.ts';
import type { AccessPolicy } from '../edge/guard.ts';
import { createHttp, type Log } from '../edge/http.ts';
import type { Upgrade } from '../edge/hub/websocket.ts';
import type { Shortcut } from '../edge/ingest-shortcut.ts';
import { type Listening, listen, stopListening } from '../edge/listen.ts';
import { addLogin } from '../edge/login.ts';
import { addMetrics, type RecordRequest } from '../edge/metrics.ts';
import { type ExtraRoute, openApiOf } from '../edge/openapi.ts';
import { registerRoutes } from '../edge/rest.ts';
import type { Trust } from '../edge/safety.ts';
import type { SenderQuota } from '../edge/sender-quota.ts';
import { addSpa } from '../edge/spa.ts';
import type { Announcements } from '../kernel/announcements.ts';
import type { Clock } from '../kernel/clock.ts';
import type { AnyCommand } from '../kernel/command.ts';
import type { DispatchContext } from '../kernel/dispatch.ts';
import type { Config } from './config.ts';
import type { Logger } from './log.ts';
import { version } from './version.ts';

/** What every part of a running process shares. */
export type ServiceDeps = {
  config: Config;
  clock: Clock;
  log: Logger;
  trust: Trust & { ports: Set<string> };
  /** What each address has under way on either port. */
  quota: SenderQuota;
  /** What moves on either port; the hub passes it on. */
  announcements: Announcements;
};

export type Port<Ctx> = {
  title: string;
  commands: readonly AnyCommand<Ctx>[];
  ctx: Ctx;
  web: string;
  /** Routes that are no commands: MCP, the hub, ingest. */
  extend?: (app: FastifyInstance, policy: AccessPolicy) => readonly ExtraRoute[];
  /** What its parts know of themselves, for `/metrics`. */
  measures: Registry;
  /** What is answered without the framework. */
  shortcut?: (policy: AccessPolicy, log: Log, note: RecordRequest) => Shortcut;
  /** Lines that stay open beside requests. They are let go when the port stops. */
  live?: { upgrade: Upgrade; end(): Promise<void> };
};

/** Always open, token or not: whoever asks whether we are alive has none. */
const alwaysOpen = [
  'GET /api/ping',
  'GET /api/health',
  'POST /api/login',
  'POST /api/logout',
  'POST /api/observations/github',
];
const openForPublishers = [
  'POST /api/ingest',
  'GET /api/event-model',
  'PUT /api/event-model',
  'PUT /api/event-model/:source',
];

export function openPort<Ctx extends DispatchContext>(
  port: Port<Ctx>,
  { config, clock, log, trust, quota }: ServiceDeps,
): PreparedPort {
  const open = new Set([...alwaysOpen, ...(config.openIngest ? openForPublishers : [])]);
  const policy = { trust, token: config.token, open, quota };
  const app = createHttp(policy, log);
  const metrics = addMetrics(app, version, port.measures);
  const health = addHealth(app, version);
  addLogin(app, config.token, clock);
  const extraRoutes = port.extend?.(app, policy) ?? [];
  registerRoutes(app, port.commands, port.ctx);
  addDocs(
    app,
    openApiOf(port.title, version, port.commands as readonly AnyCommand<never>[], [
      health,
      metrics.route,
      ...loginRoutes,
      ...extraRoutes,
    ]),
  );
  addSpa(app, port.web);
  const shortcut = port.shortcut?.(policy, log, metrics.note);
  return {
    app,
    answer: (request, response) => {
      if (!shortcut?.(request, response)) app.routing(request, response);
    },
  };
}

/** Ready to be served: `answer` takes every request. */
type PreparedPort = { app: FastifyInstance; answer: RequestListener };

export type ListeningPort = Listening & { url: string; stop(): Promise<void> };

/** What is under way when a port stops may take this long; with all that comes after it the end takes less than ten seconds. */
const graceMs = 3_000;

/** Starts to listen, and tells safety which port is its own. */
export async function serve(
  { app, answer }: PreparedPort,
  what: string,
  variable: string,
  number: number,
  { config, trust, log }: ServiceDeps,
  live?: Port<never>['live'],
): Promise<ListeningPort> {
  await app.ready();
  const options = { hosts: config.hosts, port: number, what, variable, hostVariable: 'HOST' };
  const listening = await listen(answer, options, live?.upgrade);
  for (const host of listening.skipped) log.info(`${what}: this machine has no ${host}, so it is not listened on`);
  trust.ports.add(String(listening.port));
  const [address = 'localhost'] = listening.addresses;
  const name = /^(127\.|::1$|0\.0\.0\.0$|::$)/.test(address)
    ? 'localhost'
    : address.includes(':')
      ? `[${address}]`
      : address;
  const stop = async () => {
    await Promise.all([stopListening(listening.servers, graceMs), live?.end()]);
    await app.close();
  };
  return { ...listening, url: `http://${name}:${listening.port}`, stop };
}
