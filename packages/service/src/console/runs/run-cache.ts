import type { BoardRun } from './board-run.ts';
import { IdleRuns } from './idle-runs.ts';
import { isLive } from './liveness.ts';
import type { Archive, TimeBudget } from './ports.ts';
import { replayArchive } from './replay.ts';
import type { Run } from './run.ts';
import type { RunRegistry } from './run-registry.ts';

type RunCacheDeps = {
  archive: Archive;
  timeBudget: () => TimeBudget;
  registry: RunRegistry;
  /** Called after a run was read whole for the first time. */
  readWhole: (boardRun: BoardRun) => void;
};

/** The folded events of runs: always of live ones, of ended ones when someone asks and while there is room. */
export class RunCache {
  readonly #deps: RunCacheDeps;
  readonly #loading = new Map<string, Promise<Run | null>>();
  readonly #idle = new IdleRuns();

  constructor(deps: RunCacheDeps) {
    this.#deps = deps;
    deps.registry.listen({
      ended: (boardRun) => this.#keep(boardRun),
      removed: (boardRun) => this.#idle.forget(boardRun),
    });
  }

  /** Read from the run's archive unless they are in memory; null when there is no archive, or no longer. */
  load(boardRun: BoardRun): Promise<Run | null> {
    if (boardRun.run) {
      this.#keep(boardRun);
      return Promise.resolve(boardRun.run);
    }
    const underWay = this.#loading.get(boardRun.runId);
    if (underWay) return underWay;
    const loading = this.#replay(boardRun).finally(() => this.#loading.delete(boardRun.runId));
    this.#loading.set(boardRun.runId, loading);
    return loading;
  }

  async #replay(boardRun: BoardRun): Promise<Run | null> {
    const { archive, timeBudget, registry, readWhole } = this.#deps;
    const stored = await archive.lines(boardRun.runId);
    if (!stored) return null;
    const { run, skipped } = await replayArchive(boardRun.runId, stored, timeBudget());
    boardRun.run = run;
    boardRun.skipped = skipped;
    if (!boardRun.counted) {
      registry.recordFullRead(boardRun, run, skipped);
      readWhole(boardRun);
    }
    this.#keep(boardRun);
    return run;
  }

  #keep(boardRun: BoardRun): void {
    if (boardRun.run && !isLive(boardRun)) this.#idle.use(boardRun);
  }
}
