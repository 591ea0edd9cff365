import type { AddressInfo } from 'node:net';
import { systemClock } from '../packages/service/src/app/system-clock.ts';
import { coordinationCommands } from '../packages/service/src/coordination/registry.ts';
import { openWork } from '../packages/service/src/coordination/work/open-work.ts';
import { Authenticator, type NamedTokens } from '../packages/service/src/edge/authenticator.ts';
import { createHttp } from '../packages/service/src/edge/http.ts';
import { Logins } from '../packages/service/src/edge/logins.ts';
import { registerRoutes } from '../packages/service/src/edge/rest.ts';
import { SenderQuota } from '../packages/service/src/edge/sender-quota.ts';
import type { RecordAudit } from '../packages/service/src/kernel/audit.ts';
import type { EventLog } from '../packages/service/src/kernel/event-log.ts';

type AccessOptions = { token?: string; named?: NamedTokens; audit?: RecordAudit };

const noLogins = { read: () => [], write: async () => undefined };

/** The work loop over HTTP on a log, without observers. */
export async function serveWork(log: EventLog, { token, named, audit = () => undefined }: AccessOptions = {}) {
  const ctx = await openWork({ log, clock: systemClock });
  const trust = {
    names: new Set<string>(),
    ports: new Set<string>(),
    origins: new Set<string>(),
    scheme: 'http' as const,
    anyName: true,
  };
  const authenticator = new Authenticator({ token, clock: systemClock, logins: new Logins(systemClock, noLogins) });
  if (named) authenticator.useNamedTokens(named);
  const routes = new Map(
    coordinationCommands.flatMap(({ name, scope, rest }) =>
      rest ? [[`${rest.method} ${rest.path.replace(/\{(\w+)\}/g, ':$1')}`, { name, scope }] as const] : [],
    ),
  );
  const policy = {
    trust,
    authenticator,
    routes,
    openIngest: new Set<string>(),
    quota: new SenderQuota(),
    audit,
    revocations: { listen: () => () => undefined },
  };
  const app = createHttp(policy, console);
  registerRoutes(app, coordinationCommands as never, { ...ctx, audit } as never);
  await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, port: (app.server.address() as AddressInfo).port };
}

export async function createPlan(log: EventLog, plan: string, nodes: readonly object[]): Promise<void> {
  const event = { type: 'plan_created', data: { document: { plan, nodes }, source: 'api' }, by: 'bench' };
  await log.commit(() => ({ append: [{ stream: `plan:${plan}`, events: [event] }], answer: () => null }));
}
