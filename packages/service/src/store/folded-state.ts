import type { Projection, RecordedEvent, SavableProjection } from '../kernel/event-log.ts';
import type { Ledger } from './ledger.ts';
import type { Snapshot } from './snapshot.ts';
import { StreamVersions } from './versions.ts';

/** The log folded into memory: its length, the version of each stream, every projection. */
export class FoldedState {
  sequence = 0;
  readonly versions = new StreamVersions();
  readonly #projections: Projection[] = [];
  #isOpen = false;

  /** Without projections only the versions are read; projections attached later replay the log themselves. */
  open(ledger: Pick<Ledger, 'versions' | 'newest'>): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    for (const [stream, version] of ledger.versions()) this.versions.reach(stream, version);
    this.sequence = ledger.newest();
  }

  /**
   * Folds the log into what is attached. The first time the log is read once for all of it and for the versions of the
   * streams, from the snapshot on where there is one that fits.
   */
  openWith(
    ledger: Ledger,
    projections: readonly Projection[],
    snapshots: { read(): Snapshot | null; discard?(): void },
  ): void {
    if (this.#isOpen) {
      this.attach(projections, ledger.all());
      return;
    }
    this.#isOpen = true;
    this.attach(projections, []);
    const snapshot = snapshots.read();
    const isHeld =
      snapshot !== null && ledger.epoch() === snapshot.epoch && ledger.idAt(snapshot.sequence) === snapshot.id;
    if (isHeld) this.load(snapshot);
    else if (snapshot) snapshots.discard?.();
    for (const event of ledger.all(this.sequence)) this.apply(event);
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

  /** What is folded, for a snapshot; null where a projection cannot be saved. */
  save(): Pick<Snapshot, 'versions' | 'states'> | null {
    const savable = this.#projections.filter(isSavable);
    if (savable.length === 0) return null;
    return {
      versions: new Map(this.versions.all()),
      states: new Map(savable.map((projection) => [projection.savedAs, projection.save()])),
    };
  }

  /** Loads a snapshot; false, with nothing folded, if it lacks the state of a projection. */
  load({ sequence, versions, states }: Snapshot): boolean {
    const savable = this.#projections.filter(isSavable);
    if (savable.length === 0 || !savable.every(({ savedAs }) => states.has(savedAs))) return false;
    try {
      for (const projection of savable) projection.load(states.get(projection.savedAs));
      for (const [stream, version] of versions) this.versions.reach(stream, version);
      this.sequence = sequence;
      return true;
    } catch {
      this.reset();
      return false;
    }
  }

  /** Forgets everything folded so far. */
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

const isSavable = (projection: Projection): projection is SavableProjection => 'savedAs' in projection;
