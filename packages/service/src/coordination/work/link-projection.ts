import type { RecordedEvent, SavableProjection } from '../../kernel/event-log.ts';
import { type NodeKey, nodeKeyOf } from '../../kernel/streams.ts';
import { isStored } from '../stored-event.ts';
import type { RememberedLink } from './events.ts';

/**
 * Links and last health survive a restart in streams of their own, beside the claims': they are what an observer saw,
 * not what anyone did, and never stand in the way of a holder.
 */
export class LinkProjection implements SavableProjection {
  readonly savedAs = 'links';
  #links = new Map<NodeKey, RememberedLink>();

  /** Only for the claim with this fence; links of earlier claims on the node are ignored. */
  of(key: NodeKey, fence: number): RememberedLink | null {
    const link = this.#links.get(key);
    return link?.fence === fence ? link : null;
  }

  apply(event: RecordedEvent): void {
    if (isStored(event, 'link')) this.#links.set(nodeKeyOf(event), event.data);
  }

  reset(): void {
    this.#links.clear();
  }

  save(): unknown {
    return this.#links;
  }

  load(saved: unknown): void {
    this.#links = saved as Map<NodeKey, RememberedLink>;
  }
}
