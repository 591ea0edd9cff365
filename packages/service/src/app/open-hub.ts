import { createHub, type Hub } from '../edge/hub/hub.ts';
import { messagesRoute } from '../edge/hub/server-sent-events.ts';
import type { ServiceDeps } from './port.ts';
import { systemClock } from './system-clock.ts';

/** Ids start at the boot's microseconds, so those of an earlier life lie below them or, after the clock was set back, above. */
export function openHub({ config, clock, trust, quota, announcements, access }: ServiceDeps): Hub {
  const { authenticator, audit } = access;
  const { method, path, scope } = messagesRoute;
  const routes = new Map([[`${method} ${path}`, { name: 'messages', scope }]]);
  return createHub({
    announcements,
    clock,
    policy: { trust, authenticator, routes, openIngest: new Set(), quota, audit: audit.record },
    hostName: config.hostName,
    firstIdAfter: systemClock.wall() * 1_000 + Math.floor(Math.random() * 1_000),
  });
}
