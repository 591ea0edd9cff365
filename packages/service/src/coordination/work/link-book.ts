import type { Projection, Recorded } from '../../kernel/event-log.ts';
import type { Seen } from '../claims/lease.ts';

/** What is remembered of the session behind one claim: the inferred link, and how it was last seen, by which host. */
export type Kept = Seen & { fence: number; sessionId: string | null; host: string };

export const linkStream = (ref: string): string => `link:${ref.toLowerCase()}`;

/**
 * Links and last health survive a restart in streams of their own, beside the claims': they are what an observer saw,
 * not what anyone did, and never stand in the way of a holder.
 */
export class LinkBook implements Projection {
  readonly #kept = new Map<string, Kept>();

  /** Of this claim alone: what was remembered of one before it says nothing. */
  of(ref: string, fence: number): Kept | null {
    const kept = this.#kept.get(linkStream(ref));
    return kept?.fence === fence ? kept : null;
  }

  apply(event: Recorded): void {
    if (event.type === 'claim_seen' && event.stream.startsWith('link:'))
      this.#kept.set(event.stream, event.data as Kept);
  }

  reset(): void {
    this.#kept.clear();
  }
}
