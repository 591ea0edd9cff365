import { createHub, type Hub } from '../edge/hub/hub.ts';
import { messagesRoute } from '../edge/hub/server-sent-events.ts';
import { socketCalls, socketRoute } from '../edge/socket/socket-route.ts';
import type { AnyCommand } from '../kernel/command.ts';
import type { DispatchContext } from '../kernel/dispatch.ts';
import type { ServiceDeps } from './port.ts';
import { systemClock } from './system-clock.ts';

/** Ids start at the boot's microseconds, so ids of an earlier start are lower or, if the clock was set back, higher. */
export function openHub<Ctx extends DispatchContext>(
  { config, clock, trust, quota, announcements, access, log }: ServiceDeps,
  commands: readonly AnyCommand<Ctx>[],
  ctx: Ctx,
): Hub {
  const { authenticator, audit, revocations } = access;
  const routes = new Map(
    [messagesRoute, socketRoute].map(({ method, path, scope, operation }) => [
      `${method} ${path}`,
      { name: String(operation.operationId), scope },
    ]),
  );
  return createHub({
    announcements,
    clock,
    policy: { trust, authenticator, routes, openIngest: new Set(), quota, audit: audit.record, revocations },
    hostName: config.hostName,
    firstIdAfter: systemClock.wall() * 1_000 + Math.floor(Math.random() * 1_000),
    calls: socketCalls(commands, { ...ctx, audit: audit.recordSoon }, log),
  });
}
