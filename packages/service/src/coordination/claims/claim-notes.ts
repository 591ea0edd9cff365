import type { RecordedEvent, SavableProjection } from '../../kernel/event-log.ts';
import { type NodeKey, type NodeRef, nodeKeyOf, nodeRef, planOf } from '../../kernel/streams.ts';
import { isStored } from '../stored-event.ts';

/** The last note of a holder on one claim; `text` is null if the note was removed. */
export type ClaimNote = { id: string; ref: NodeRef; text: string | null; by: string; at: string; sequence: number };

/** Hands on the note of each claim as it changes. */
export class ClaimNotes implements SavableProjection<Map<NodeKey, number>> {
  readonly savedAs = 'claimNotes';
  readonly #onNote: (note: ClaimNote) => void;
  #fences = new Map<NodeKey, number>();

  constructor(onNote: (note: ClaimNote) => void) {
    this.#onNote = onNote;
  }

  apply(event: RecordedEvent): void {
    if (!isStored(event, 'claim')) return;
    const key = nodeKeyOf(event);
    if (event.type === 'node_claimed') this.#fences.set(key, event.data.fence);
    if (event.type !== 'claim_reported' && event.type !== 'claim_released') return;
    const { id: node, agent, note } = event.data;
    if (note === undefined) return;
    this.#onNote({
      id: `${key}#${this.#fences.get(key) ?? 0}`,
      ref: nodeRef(planOf(event) ?? '', node),
      text: note,
      by: agent,
      at: event.at,
      sequence: event.sequence,
    });
  }

  reset(): void {
    this.#fences.clear();
  }

  save(): Map<NodeKey, number> {
    return this.#fences;
  }

  load(saved: Map<NodeKey, number>): void {
    this.#fences = saved;
  }
}
