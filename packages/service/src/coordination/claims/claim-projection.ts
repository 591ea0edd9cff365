import type { Projection, RecordedEvent } from '../../kernel/event-log.ts';
import { type NodeKey, nodeKeyOf } from '../../kernel/streams.ts';
import { isStored } from '../stored-event.ts';
import { endClaim, evolve, hasExpired, type NodeClaimState, type ObservedHealth, unclaimed } from './lease.ts';

/** Who holds what, by the key of the node. */
export class ClaimProjection implements Projection {
  #states = new Map<NodeKey, NodeClaimState>();
  #open = new Set<NodeKey>();

  of(key: NodeKey): NodeClaimState {
    return this.#states.get(key) ?? unclaimed;
  }

  /** Keys of the claims that no event has ended; some may have run out. */
  open(): ReadonlySet<NodeKey> {
    return this.#open;
  }

  apply(event: RecordedEvent): void {
    if (!isStored(event, 'claim')) return;
    const key = nodeKeyOf(event);
    this.#set(key, evolve(this.of(key), event, event.at));
  }

  /** Ends the claim of a node that is no longer there. */
  nodeRemoved(key: NodeKey, lastObserved: ObservedHealth | null, at: string): void {
    const state = this.of(key);
    if (!state.lease) return;
    const isExpired = hasExpired(state.lease, at);
    const endedAt = isExpired ? state.lease.expiresAt : at;
    const observedHealth = lastObserved ?? { health: 'unlinked', reason: null };
    this.#set(
      key,
      endClaim(state, { how: isExpired ? 'expired' : 'removed', endedAt, tokens: null, ...observedHealth }),
    );
  }

  reset(): void {
    this.#states.clear();
    this.#open.clear();
  }

  save(): unknown {
    return this.#states;
  }

  load(saved: unknown): void {
    for (const [key, state] of saved as Map<NodeKey, NodeClaimState>) this.#set(key, state);
  }

  #set(key: NodeKey, state: NodeClaimState): void {
    this.#states.set(key, state);
    if (state.lease) this.#open.add(key);
    else this.#open.delete(key);
  }
}
