import type { LinkedBy, Tokens } from '../../kernel/claim-view.ts';
import type { RecordedEvent, SavableProjection } from '../../kernel/event-log.ts';
import type { ObservedHealth } from '../claims/lease.ts';

/** What is remembered of the session behind one claim: the link, how it was made, and how the session was last seen. */
export type RememberedLink = ObservedHealth & {
  fence: number;
  sessionId: string | null;
  /** The host that observes the session. */
  host: string;
  /** Missing in earlier logs, where every remembered link was inferred. */
  linkedBy?: LinkedBy | null;
  /** The claim or renewal after which the candidates were looked at. */
  judgedFor?: string;
  /** What the session had used when the link was made. */
  tokens?: Tokens | null;
};

export const linkStream = (ref: string): string => `link:${ref.toLowerCase()}`;

/**
 * Links and last health survive a restart in streams of their own, beside the claims': they are what an observer saw,
 * not what anyone did, and never stand in the way of a holder.
 */
export class LinkProjection implements SavableProjection {
  readonly savedAs = 'links';
  #links = new Map<string, RememberedLink>();

  /** Only for the claim with this fence; links of earlier claims on the node are ignored. */
  of(ref: string, fence: number): RememberedLink | null {
    const link = this.#links.get(linkStream(ref));
    return link?.fence === fence ? link : null;
  }

  apply(event: RecordedEvent): void {
    if (event.type === 'claim_seen' && event.stream.startsWith('link:'))
      this.#links.set(event.stream, event.data as RememberedLink);
  }

  reset(): void {
    this.#links.clear();
  }

  save(): unknown {
    return this.#links;
  }

  load(saved: unknown): void {
    this.#links = saved as Map<string, RememberedLink>;
  }
}
