import { archiveIndexOf, type BoardRun } from './board-run.ts';
import { isLive } from './liveness.ts';
import type { Archive } from './ports.ts';
import type { RunRegistry } from './run-registry.ts';

type ArchiveIndexesDeps = {
  archive: Archive;
  registry: RunRegistry;
  warn: (details: object, text: string) => void;
};

/** Writes the index of every changed run that has ended. A live run's index would be stale at once. */
export class ArchiveIndexes {
  readonly #deps: ArchiveIndexesDeps;
  readonly #unsaved = new Set<BoardRun>();

  constructor(deps: ArchiveIndexesDeps) {
    this.#deps = deps;
    deps.registry.listen({
      ended: (boardRun) => this.markChanged(boardRun),
      removed: (boardRun) => void this.#unsaved.delete(boardRun),
    });
  }

  markChanged(boardRun: BoardRun): void {
    this.#unsaved.add(boardRun);
  }

  /** For the end of the process, after which no run is live here. */
  markLive(): void {
    for (const boardRun of this.#deps.registry.all()) if (isLive(boardRun)) this.markChanged(boardRun);
  }

  async save(): Promise<void> {
    const { archive, warn } = this.#deps;
    for (const boardRun of [...this.#unsaved]) {
      this.#unsaved.delete(boardRun);
      try {
        const stored = await archive.size(boardRun.runId);
        if (stored) await archive.saveIndex(boardRun.runId, archiveIndexOf(boardRun, stored.bytes, stored.changedAtMs));
      } catch (err) {
        warn({ err, runId: boardRun.runId }, 'an index could not be written; it is made again at the next start');
      }
    }
  }
}
