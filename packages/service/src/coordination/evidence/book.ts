import type { Projection, Recorded } from '../../kernel/event-log.ts';
import type { Ref } from '../plans/refs.ts';
import type { EvidenceEvent } from './decide.ts';
import type { Evidence } from './evidence.ts';

export const evidenceStreamAt = (key: string): string => `evidence:${key}`;
export const evidenceStream = ({ plan, node }: Ref): string => evidenceStreamAt(`${plan}/${node}`.toLowerCase());

/** The last evidence of each node, by the lower-case ref. A new binding, or the node's removal, makes it void. */
export class EvidenceBook implements Projection {
  #known = new Map<string, Evidence>();

  of(key: string): Evidence | undefined {
    return this.#known.get(key);
  }

  apply(event: Recorded): void {
    if (event.stream.startsWith('evidence:')) {
      this.#observe(event.stream.slice('evidence:'.length), event as Recorded & EvidenceEvent);
    } else if (event.type === 'node_bound' || event.type === 'node_removed') {
      const { id } = event.data as { id: string };
      this.#known.delete(`${event.stream.slice('plan:'.length)}/${id}`.toLowerCase());
    }
  }

  reset(): void {
    this.#known.clear();
  }

  #observe(key: string, event: Recorded & EvidenceEvent): void {
    if (event.type === 'node_signed_off') {
      const { revoked, note } = event.data;
      if (revoked) this.#known.delete(key);
      else this.#known.set(key, signed(event.by, note, event.at));
      return;
    }
    const { to, settled, detail, url, runId } = event.data;
    this.#known.set(key, { state: to, settled, detail, url, runId, provenance: 'observed', observedAt: event.at });
  }
}

const signed = (by: string, note: string | null, at: string): Evidence => ({
  state: 'signed',
  settled: 'signed',
  detail: note === null ? `signed off by ${by}` : `signed off by ${by}: ${note}`,
  url: null,
  runId: null,
  provenance: 'asserted',
  observedAt: at,
});
