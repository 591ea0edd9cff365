import type { Projection, RecordedEvent } from '../../kernel/event-log.ts';
import type { Ref } from '../plans/refs.ts';
import type { EvidenceEvent } from './decide.ts';
import type { Evidence } from './node-evidence.ts';

export const evidenceStreamAt = (key: string): string => `evidence:${key}`;
export const evidenceStream = ({ plan, node }: Ref): string => evidenceStreamAt(`${plan}/${node}`.toLowerCase());

/** The last evidence of each node, by the lower-case ref. A new binding, or the node's removal, makes it void. */
export class EvidenceProjection implements Projection {
  #evidence = new Map<string, Evidence>();
  /** Only in memory: an observation that changed nothing is not written. */
  #checkedAt = new Map<string, string>();

  /** Notes that an observer could check the node, changed or not. */
  markChecked(key: string, at: string): void {
    this.#checkedAt.set(key, at);
  }

  /** When an observer could last check the node; observations from before the start count too. */
  lastCheckedAt(key: string): string | null {
    return this.#checkedAt.get(key) ?? this.#evidence.get(key)?.observedAt ?? null;
  }

  of(key: string): Evidence | undefined {
    return this.#evidence.get(key);
  }

  apply(event: RecordedEvent): void {
    if (event.stream.startsWith('evidence:')) {
      this.#observe(event.stream.slice('evidence:'.length), event as RecordedEvent & EvidenceEvent);
    } else if (event.type === 'node_bound' || event.type === 'node_removed') {
      const { id } = event.data as { id: string };
      const key = `${event.stream.slice('plan:'.length)}/${id}`.toLowerCase();
      this.#evidence.delete(key);
      this.#checkedAt.delete(key);
    }
  }

  reset(): void {
    this.#evidence.clear();
    this.#checkedAt.clear();
  }

  save(): unknown {
    return this.#evidence;
  }

  load(saved: unknown): void {
    this.#evidence = saved as Map<string, Evidence>;
  }

  #observe(key: string, event: RecordedEvent & EvidenceEvent): void {
    if (event.type === 'node_signed_off') {
      const { revoked, note } = event.data;
      if (revoked) this.#evidence.delete(key);
      else this.#evidence.set(key, signedOff(event.by, note, event.at));
      return;
    }
    const { to, settled, settledBy = null, detail, url, runId } = event.data;
    const observed = { state: to, settled, settledBy, detail, url, runId };
    this.#evidence.set(key, { ...observed, provenance: 'observed', observedAt: event.at });
  }
}

const signedOff = (by: string, note: string | null, at: string): Evidence => ({
  state: 'signed',
  settled: 'signed',
  settledBy: null,
  detail: note === null ? `signed off by ${by}` : `signed off by ${by}: ${note}`,
  url: null,
  runId: null,
  provenance: 'asserted',
  observedAt: at,
});
