import type { Projection, Recorded } from '../../kernel/event-log.ts';
import { type ClaimEvent, end, evolve, type Holding, hasLapsed, type Seen, unheld } from './lease.ts';

export const claimStream = (ref: string): string => `claim:${ref.toLowerCase()}`;

/** Who holds what, by the lower-case ref. */
export class ClaimBook implements Projection {
  #holdings = new Map<string, Holding>();
  #open = new Set<string>();

  of(key: string): Holding {
    return this.#holdings.get(key) ?? unheld;
  }

  /** Keys of the claims that no event has ended; some may have run out. */
  open(): ReadonlySet<string> {
    return this.#open;
  }

  apply(event: Recorded): void {
    if (event.stream.startsWith('claim:')) {
      const key = event.stream.slice('claim:'.length);
      this.#set(key, evolve(this.of(key), event as Recorded & ClaimEvent, event.at));
    } else if (event.type === 'node_removed') {
      const { id, ended } = event.data as { id: string; ended?: Seen };
      const key = `${event.stream.slice('plan:'.length)}/${id}`.toLowerCase();
      const holding = this.of(key);
      const seen: Seen = ended ?? { health: 'unlinked', reason: null };
      const isOver = hasLapsed(holding.lease, event.at);
      const endedAt = isOver ? holding.lease.expiresAt : event.at;
      if (holding.lease) this.#set(key, end(holding, { how: isOver ? 'expired' : 'removed', endedAt, ...seen }));
    }
  }

  reset(): void {
    this.#holdings.clear();
    this.#open.clear();
  }

  #set(key: string, holding: Holding): void {
    this.#holdings.set(key, holding);
    if (holding.lease) this.#open.add(key);
    else this.#open.delete(key);
  }
}
