import type { Append, Projection, RecordedEvent, SavableProjection } from '../kernel/event-log.ts';
import { checksummedId } from './event-checksum.ts';
import type { Ledger, StampedEvent } from './ledger.ts';
import type { Snapshot } from './snapshot.ts';
import { storable } from './storable.ts';

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
   * Folds the log into all attached projections. The first time, the log is read once for all of them and for the
   * versions of the streams; a valid snapshot replaces the events before it.
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

  /** The folded state for a snapshot; null if a projection cannot be saved. */
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

  /** Memory may contain events that the ledger lacks: clear it and fold the ledger again. */
  rebuild(ledger: Pick<Ledger, 'all'>): void {
    this.reset();
    for (const event of ledger.all()) this.apply(event);
  }
}

const isSavable = (projection: Projection): projection is SavableProjection => 'savedAs' in projection;

/**
 * Numbers and stamps the events of a decision. Names are converted to a form that every store can keep, and data is
 * read back from its text, so that this fold and a restart's fold get the same event.
 */
export function stampEvents(
  appends: readonly Append[],
  at: string,
  versions: StreamVersions,
  lastSequence: number,
): StampedEvent[] {
  const stamped: StampedEvent[] = [];
  const reached = new Map<string, number>();
  let sequence = lastSequence;
  for (const { stream: named, topic: told = named, events } of appends) {
    const [stream, topic] = [storable(named), storable(told)];
    let version = reached.get(stream) ?? versions.of(stream);
    for (const { type, data, by: label, provenance = 'asserted' } of events) {
      version += 1;
      sequence += 1;
      const by = storable(label);
      const text = JSON.stringify(data ?? null);
      const id = checksummedId({ stream, version, topic, type, at, by, provenance }, text);
      const event = { sequence, stream, version, topic, type, at, by, provenance, id, data: asStored(data, text) };
      stamped.push({ text, event });
    }
    reached.set(stream, version);
  }
  return stamped;
}

/** A flat object survives JSON unchanged, unless it contains a value that JSON cannot express. */
function asStored(data: unknown, text: string): unknown {
  if (typeof data !== 'object' || data === null || Object.getPrototypeOf(data) !== Object.prototype)
    return JSON.parse(text);
  for (const value of Object.values(data)) if (!isKept(value)) return JSON.parse(text);
  return { ...data };
}

const isKept = (value: unknown): boolean =>
  value === null ||
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0));

/** The version each stream has reached; a stream without events is at 0. */
export class StreamVersions {
  readonly #reached = new Map<string, number>();

  of(stream: string): number {
    return this.#reached.get(storable(stream)) ?? 0;
  }

  reach(stream: string, version: number): void {
    this.#reached.set(stream, version);
  }

  all(): Iterable<readonly [stream: string, version: number]> {
    return this.#reached;
  }

  clear(): void {
    this.#reached.clear();
  }
}
