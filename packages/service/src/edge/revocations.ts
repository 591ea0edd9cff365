import type { Clock } from '../kernel/clock.ts';
import type { Authenticator } from './authenticator.ts';

/** Tells when somebody who was let in may no longer be: a token was revoked, here or on another host, or a login ended. */
export type Revocations = { listen(listener: () => void): () => void; stop(): void };

/** A revoked token hears nothing after a second. */
const lookMs = 500;

export function watchRevocations(authenticator: Authenticator, clock: Clock): Revocations {
  const listeners = new Set<() => void>();
  let seen = authenticator.revocations();
  const stop = clock.every(lookMs, () => {
    const now = authenticator.revocations();
    if (now === seen) return;
    seen = now;
    for (const listener of listeners) listener();
  });
  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop,
  };
}
