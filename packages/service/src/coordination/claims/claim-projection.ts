import type { Projection, RecordedEvent } from '../../kernel/event-log.ts';
import {
  type ClaimEvent,
  endClaim,
  evolve,
  hasExpired,
  type NodeClaimState,
  type ObservedHealth,
  unclaimed,
} from './lease.ts';

export const claimStream = (ref: string): string => `claim:${ref.toLowerCase()}`;

/** Who holds what, by the lower-case ref. */
export class ClaimProjection implements Projection {
  #states = new Map<string, NodeClaimState>();
  #open = new Set<string>();

  of(key: string): NodeClaimState {
    return this.#states.get(key) ?? unclaimed;
  }

  /** Keys of the claims that no event has ended; some may have run out. */
  open(): ReadonlySet<string> {
    return this.#open;
  }

  apply(event: RecordedEvent): void {
    if (event.stream.startsWith('claim:')) {
      const key = event.stream.slice('claim:'.length);
      this.#set(key, evolve(this.of(key), event as RecordedEvent & ClaimEvent, event.at));
    } else if (event.type === 'node_removed') {
      const { id, ended } = event.data as { id: string; ended?: ObservedHealth };
      const key = `${event.stream.slice('plan:'.length)}/${id}`.toLowerCase();
      const state = this.of(key);
      const observedHealth: ObservedHealth = ended ?? { health: 'unlinked', reason: null };
      const isExpired = hasExpired(state.lease, event.at);
      const endedAt = isExpired ? state.lease.expiresAt : event.at;
      if (state.lease)
        this.#set(
          key,
          endClaim(state, { how: isExpired ? 'expired' : 'removed', endedAt, tokens: null, ...observedHealth }),
        );
    }
  }

  reset(): void {
    this.#states.clear();
    this.#open.clear();
  }

  save(): unknown {
    return this.#states;
  }

  load(saved: unknown): void {
    for (const [key, state] of saved as Map<string, NodeClaimState>) this.#set(key, state);
  }

  #set(key: string, state: NodeClaimState): void {
    this.#states.set(key, state);
    if (state.lease) this.#open.add(key);
    else this.#open.delete(key);
  }
}
