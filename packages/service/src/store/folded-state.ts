import type { Projection, RecordedEvent } from '../kernel/event-log.ts';
import type { Ledger } from './ledger.ts';
import { StreamVersions } from './versions.ts';

/** What the log amounts to in memory: how far it goes, the version of each stream, every projection. */
export class FoldedState {
  sequence = 0;
  readonly versions = new StreamVersions();
  readonly #projections: Projection[] = [];

  /** Takes the positions alone; projections replay for themselves when they are attached. */
  open(ledger: Pick<Ledger, 'versions'>): void {
    this.sequence = 0;
    this.versions.clear();
    for (const [stream, version] of ledger.versions()) {
      this.versions.reach(stream, version);
      this.sequence += version;
    }
  }

  attach(projections: readonly Projection[], past: Iterable<RecordedEvent>): void {
    for (const event of past) for (const projection of projections) projection.apply(event);
    this.#projections.push(...projections);
  }

  apply(event: RecordedEvent): void {
    this.sequence = event.sequence;
    this.versions.reach(event.stream, event.version);
    for (const projection of this.#projections) projection.apply(event);
  }

  /** As if nothing had ever been folded. */
  reset(): void {
    this.sequence = 0;
    this.versions.clear();
    for (const projection of this.#projections) projection.reset();
  }

  /** Memory may hold what the ledger does not: forget it and fold the ledger again. */
  rebuild(ledger: Pick<Ledger, 'all'>): void {
    this.reset();
    for (const event of ledger.all()) this.apply(event);
  }
}
