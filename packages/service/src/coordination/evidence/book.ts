import type { Projection, Recorded } from '../../kernel/event-log.ts';
import type { Ref } from '../plans/refs.ts';
import type { EvidenceEvent } from './decide.ts';
import type { Evidence } from './evidence.ts';

export const evidenceStreamAt = (key: string): string => `evidence:${key}`;
export const evidenceStream = ({ plan, node }: Ref): string => evidenceStreamAt(`${plan}/${node}`.toLowerCase());

/** The last evidence of each node, by the lower-case ref. A new binding, or the node's removal, makes it void. */
export class EvidenceBook implements Projection {
  #known = new Map<string, Evidence>();
  /** Of this host and this run of the service; nothing is written where nothing changed. */
  #lookedAt = new Map<string, string>();

  /** An observer could look, whether or not it saw anything new. */
  looked(key: string, at: string): void {
    this.#lookedAt.set(key, at);
  }

  /** When an observer could last look; what it told before the service was started counts too. */
  lookedAt(key: string): string | null {
    return this.#lookedAt.get(key) ?? this.#known.get(key)?.observedAt ?? null;
  }

  of(key: string): Evidence | undefined {
    return this.#known.get(key);
  }

  apply(event: Recorded): void {
    if (event.stream.startsWith('evidence:')) {
      this.#observe(event.stream.slice('evidence:'.length), event as Recorded & EvidenceEvent);
    } else if (event.type === 'node_bound' || event.type === 'node_removed') {
      const { id } = event.data as { id: string };
      const key = `${event.stream.slice('plan:'.length)}/${id}`.toLowerCase();
      this.#known.delete(key);
      this.#lookedAt.delete(key);
    }
  }

  reset(): void {
    this.#known.clear();
    this.#lookedAt.clear();
  }

  #observe(key: string, event: Recorded & EvidenceEvent): void {
    if (event.type === 'node_signed_off') {
      const { revoked, note } = event.data;
      if (revoked) this.#known.delete(key);
      else this.#known.set(key, signed(event.by, note, event.at));
      return;
    }
    const { to, settled, settledBy = null, detail, url, runId } = event.data;
    const seen = { state: to, settled, settledBy, detail, url, runId };
    this.#known.set(key, { ...seen, provenance: 'observed', observedAt: event.at });
  }
}

const signed = (by: string, note: string | null, at: string): Evidence => ({
  state: 'signed',
  settled: 'signed',
  settledBy: null,
  detail: note === null ? `signed off by ${by}` : `signed off by ${by}: ${note}`,
  url: null,
  runId: null,
  provenance: 'asserted',
  observedAt: at,
});
