import { type Snapshot, type Snapshots, snapshotEvery } from './snapshot.ts';

/** Writes a snapshot every so many events, and one at an orderly end. A failed write only makes the next start slower. */
export class SnapshotKeeper {
  readonly #snapshots: Snapshots | undefined;
  readonly #take: () => Snapshot | null;
  readonly #every: { running: number; atEnd: number };
  #writtenAt = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(snapshots: Snapshots | undefined, take: () => Snapshot | null) {
    this.#snapshots = snapshots;
    this.#take = take;
    this.#every = snapshots?.every ?? snapshotEvery;
  }

  /** Read at start-up; null if there is no snapshot from this program version. */
  read(): Snapshot | null {
    const snapshot = this.#snapshots?.read() ?? null;
    this.#writtenAt = snapshot?.sequence ?? 0;
    return snapshot;
  }

  /** The snapshot that was read does not belong to this log. */
  discard(): void {
    this.#snapshots?.discarded?.({ why: 'it was taken from another history', damaged: false });
  }

  /** The sequence up to which memory reflects the log. */
  reached(sequence: number): void {
    // The log of a restored store may be shorter.
    if (sequence < this.#writtenAt) this.#writtenAt = 0;
    if (sequence - this.#writtenAt >= this.#every.running) this.#write(sequence);
  }

  async close(sequence: number): Promise<void> {
    if (sequence - this.#writtenAt >= this.#every.atEnd) this.#write(sequence);
    await this.#writing;
  }

  /** The state is copied now, in one turn; only writing the bytes is awaited, after any write before it. */
  #write(sequence: number): void {
    const snapshots = this.#snapshots;
    if (!snapshots) return;
    this.#writtenAt = sequence;
    const snapshot = this.#take();
    if (!snapshot) return;
    this.#writing = this.#writing
      .then(() => snapshots.write(snapshot))
      .catch((fault: Error) => process.emitWarning(fault));
  }
}
