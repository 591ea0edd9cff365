import { createHub, type Hub } from '../edge/hub/hub.ts';
import type { ServiceDeps } from './port.ts';
import { systemClock } from './system-clock.ts';

/** Ids start at the boot's microseconds, so those of an earlier life lie below them or, after the clock was set back, above. */
export function openHub({ config, clock, trust, quota, announcements }: ServiceDeps): Hub {
  return createHub({
    announcements,
    clock,
    policy: { trust, token: config.token, open: new Set(), quota },
    hostName: config.hostName,
    firstIdAfter: systemClock.wall() * 1_000 + Math.floor(Math.random() * 1_000),
  });
}
