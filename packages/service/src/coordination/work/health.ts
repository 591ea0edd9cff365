import type { Health } from '../../kernel/claim-view.ts';
import type { SessionFacts } from '../agents/session-facts.ts';
import type { ObservedHealth } from '../claims/lease.ts';

const byState: Readonly<Record<SessionFacts['state'], Health>> = {
  running: 'held',
  idle: 'stalled',
  gone: 'orphaned',
  unknown: 'unknown',
};

/** The health of a claim, from the state of its session. An unhealthy claim is only marked, never released. */
export function healthOf({ state, reason }: Pick<SessionFacts, 'state' | 'reason'>): ObservedHealth {
  return { health: byState[state], reason: state === 'running' ? null : reason };
}
