import type { BoardRun } from './board-run.ts';
import type { TimeBudget } from './ports.ts';
import { replayArchive } from './replay.ts';
import type { Run } from './run.ts';
import type { RunRegistry } from './run-registry.ts';
import { stampOf } from './run-stamp.ts';
import type { RunStore } from './run-store.ts';
import { type MemoryForRuns, RunsInMemory } from './runs-in-memory.ts';

type RunCacheDeps = {
  store: RunStore;
  timeBudget: () => TimeBudget;
  registry: RunRegistry;
  memory: MemoryForRuns;
};

/** The folded events of runs: of live ones, and of ended ones when someone asks, while there is room. */
export class RunCache {
  readonly #deps: RunCacheDeps;
  readonly #loading = new Map<string, Promise<Run | null>>();
  readonly #inMemory: RunsInMemory;

  constructor(deps: RunCacheDeps) {
    this.#deps = deps;
    this.#inMemory = new RunsInMemory(deps.memory);
    deps.registry.listen({
      ended: (boardRun) => this.#inMemory.use(boardRun),
      removed: (boardRun) => this.#inMemory.forget(boardRun),
    });
  }

  /** Read from the run's archive unless they are in memory; null when there is no archive, or no longer. */
  load(boardRun: BoardRun): Promise<Run | null> {
    if (boardRun.run) {
      this.#inMemory.use(boardRun);
      return Promise.resolve(boardRun.run);
    }
    const underWay = this.#loading.get(boardRun.runId);
    if (underWay) return underWay;
    const loading = this.#replay(boardRun).finally(() => this.#loading.delete(boardRun.runId));
    this.#loading.set(boardRun.runId, loading);
    return loading;
  }

  async #replay(boardRun: BoardRun): Promise<Run | null> {
    const { store, timeBudget, registry } = this.#deps;
    const stored = await store.lines(boardRun.runId);
    if (!stored) return null;
    const { run, lines, skipped } = await replayArchive(boardRun.runId, stored, timeBudget(), stampOf(boardRun.head));
    if (boardRun.unreadable && lines === 0) return null;
    boardRun.run = run;
    boardRun.skipped = skipped;
    if (boardRun.unreadable) registry.recordFullRead(boardRun, run, skipped);
    this.#inMemory.use(boardRun);
    return run;
  }

  /** For one that is written to: it stays until what this returns is called, since it is ahead of what another would read. */
  pin(boardRun: BoardRun): () => void {
    const unpin = this.#inMemory.pin(boardRun);
    return () => {
      unpin();
      this.#inMemory.use(boardRun);
    };
  }

  hasRoomFor(boardRun: BoardRun): boolean {
    return this.#inMemory.hasRoomFor(boardRun);
  }
}
