import type { Projection, RecordedEvent } from '../../kernel/event-log.ts';
import { type NodeKey, nodeKeyOf } from '../../kernel/streams.ts';
import { isStored, type StoredEvent } from '../stored-event.ts';
import { type Evidence, withdrawnEvidence } from './node-evidence.ts';

/** The last evidence of each node, by the key of the node. */
export class EvidenceProjection implements Projection {
  #evidence = new Map<NodeKey, Evidence>();
  /** Kept only in memory, because an observation that changed nothing is not written. */
  #checkedAt = new Map<NodeKey, string>();

  /** Records that an observer could check the node, whether or not anything changed. */
  markChecked(key: NodeKey, at: string): void {
    this.#checkedAt.set(key, at);
  }

  /** When an observer could last check the node; observations from before the start count too. */
  lastCheckedAt(key: NodeKey): string | null {
    return this.#checkedAt.get(key) ?? this.#evidence.get(key)?.observedAt ?? null;
  }

  of(key: NodeKey): Evidence | undefined {
    return this.#evidence.get(key);
  }

  apply(event: RecordedEvent): void {
    if (isStored(event, 'evidence')) this.#observe(nodeKeyOf(event), event);
  }

  /** The node got another binding or was removed, so its earlier proof is void. */
  forget(key: NodeKey): void {
    this.#evidence.delete(key);
    this.#checkedAt.delete(key);
  }

  reset(): void {
    this.#evidence.clear();
    this.#checkedAt.clear();
  }

  save(): Map<NodeKey, Evidence> {
    return this.#evidence;
  }

  load(saved: Map<NodeKey, Evidence>): void {
    this.#evidence = saved;
  }

  #observe(key: NodeKey, event: StoredEvent<'evidence'>): void {
    if (event.type === 'node_signed_off') {
      const { revoked, refused, note } = event.data;
      if (refused) this.#evidence.set(key, said('notSigned', `refused by ${event.by}`, note, event.at));
      else if (revoked) this.#evidence.delete(key);
      else this.#evidence.set(key, said('signed', `signed off by ${event.by}`, note, event.at));
      return;
    }
    const withdrawn = this.#evidence.get(key)?.withdrawn;
    if (event.type === 'evidence_withdrawn') {
      this.#evidence.set(key, withdrawnEvidence(event.data.runId, event.by, event.at, withdrawn));
      return;
    }
    const { to, settled, settledBy = null, detail, url, runId } = event.data;
    const observed = { state: to, settled, settledBy, detail, url, runId, ...(withdrawn && { withdrawn }) };
    this.#evidence.set(key, { ...observed, provenance: 'observed', observedAt: event.at });
  }
}

const said = (state: 'signed' | 'notSigned', what: string, note: string | null, at: string): Evidence => ({
  state,
  settled: state,
  settledBy: null,
  detail: note === null ? what : `${what}: ${note}`,
  url: null,
  runId: null,
  provenance: 'asserted',
  observedAt: at,
});
