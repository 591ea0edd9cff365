import { type BoardRun, isLive, type RunRegistry, runRowOf } from './run-registry.ts';
import type { RunStore } from './run-store.ts';

type RunRowsDeps = {
  store: RunStore;
  registry: RunRegistry;
  warn: (details: object, text: string) => void;
};

/** Keeps the rows of ended runs up to date. A live run has none, since it would be stale at once. */
export class RunRows {
  readonly #deps: RunRowsDeps;
  readonly #unsaved = new Set<BoardRun>();

  constructor(deps: RunRowsDeps) {
    this.#deps = deps;
    deps.registry.listen({
      ended: (boardRun) => this.markChanged(boardRun),
      removed: (boardRun) => void this.#unsaved.delete(boardRun),
    });
  }

  markChanged(boardRun: BoardRun): void {
    this.#unsaved.add(boardRun);
  }

  /** Called at shutdown: the rows of runs that are still live are written too. */
  markLive(): void {
    for (const boardRun of this.#deps.registry.all()) if (isLive(boardRun)) this.markChanged(boardRun);
  }

  /**
   * Skips runs that are being written to: their archives are ahead of their rows. A run that was ejected after it changed
   * is dropped: another run may have its id by now.
   */
  async save(isWriting: (runId: string) => boolean): Promise<void> {
    const { store, registry, warn } = this.#deps;
    if (this.#unsaved.size === 0) return;
    try {
      await store.save(() => {
        for (const boardRun of this.#unsaved)
          if (registry.get(boardRun.runId) !== boardRun) this.#unsaved.delete(boardRun);
        const changed = [...this.#unsaved].filter(({ runId, unreadable }) => !isWriting(runId) && !unreadable);
        for (const boardRun of changed) this.#unsaved.delete(boardRun);
        return new Map(changed.map((boardRun) => [boardRun.runId, runRowOf(boardRun)]));
      });
    } catch (err) {
      warn({ err }, 'rows of runs could not be written; they are rebuilt at the next start');
    }
  }
}
