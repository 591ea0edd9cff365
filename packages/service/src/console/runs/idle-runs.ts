import type { BoardRun } from './board-run.ts';
import { isLive } from './liveness.ts';

/** Archive bytes of ended runs whose folded events stay in memory. */
const bytesInMemory = 64 * 1024 * 1024;

/** Ended runs whose folded events are in memory, the least recently used first. */
export class IdleRuns {
  readonly #most: number;
  readonly #bytes = new Map<BoardRun, number>();
  #total = 0;

  constructor(most = bytesInMemory) {
    this.#most = most;
  }

  /** It was used just now; the least recently used ones are let go where there is no room. Their archives still hold them. */
  use(boardRun: BoardRun): void {
    this.forget(boardRun);
    this.#bytes.set(boardRun, boardRun.bytes);
    this.#total += boardRun.bytes;
    for (const [oldest, bytes] of this.#bytes) {
      if (this.#total <= this.#most || oldest === boardRun) return;
      this.#bytes.delete(oldest);
      this.#total -= bytes;
      // One that came back to life is not idle any more.
      if (!isLive(oldest)) oldest.run = null;
    }
  }

  forget(boardRun: BoardRun): void {
    this.#total -= this.#bytes.get(boardRun) ?? 0;
    this.#bytes.delete(boardRun);
  }
}
