import type { SessionFacts } from '../agents/facts.ts';
import type { Health } from '../claims/contract.ts';
import type { Seen } from '../claims/lease.ts';

const byState: Readonly<Record<SessionFacts['state'], Health>> = {
  running: 'held',
  idle: 'stalled',
  gone: 'orphaned',
  unknown: 'unknown',
};

/** What a session says of the claim it holds. It is marked, never released: a stalled claim is still a claim. */
export function healthOf({ state, reason }: Pick<SessionFacts, 'state' | 'reason'>): Seen {
  return { health: byState[state], reason: state === 'running' ? null : reason };
}
