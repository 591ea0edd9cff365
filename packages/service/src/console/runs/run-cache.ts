import type { TimeBudget } from './ports.ts';
import { replayArchive } from './replay.ts';
import { type Run, stampOf } from './run.ts';
import { type BoardRun, isLive, type RunRegistry, retriedScenariosIn } from './run-registry.ts';
import type { RunStore } from './run-store.ts';

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

/** Bytes that folded events may take: those of all runs together, and those of ended ones. */
export type MemoryForRuns = { all: number; ended: number };

const mostForEnded = 128 * 1024 * 1024;

/** Ended runs are read again within a second; memory that they need not have is left to others. */
export const memoryForRuns = (heapBytes: number): MemoryForRuns => ({
  all: heapBytes / 2,
  ended: Math.min(mostForEnded, heapBytes / 4),
});

const bytesOfScenario = 300;

/** About what the folded events of a run take: measured, a run of many short events takes most for its size. */
const bytesOf = ({ run, bytes }: BoardRun): number => (run ? 2 * bytes + bytesOfScenario * run.scenarios.size : 0);

/** Runs whose folded events are in memory, the least recently used first. Their archives hold them all. */
class RunsInMemory {
  readonly #most: MemoryForRuns;
  readonly #live = new RecentlyUsed();
  readonly #ended = new RecentlyUsed();
  readonly #pinned = new Set<BoardRun>();

  constructor(most: MemoryForRuns) {
    this.#most = most;
  }

  /** It was used just now; the least recently used ones are let go where there is no room. */
  use(boardRun: BoardRun): void {
    this.forget(boardRun);
    if (!boardRun.run) return;
    (isLive(boardRun) ? this.#live : this.#ended).add(boardRun, bytesOf(boardRun));
    const isKept = (other: BoardRun) => other === boardRun || this.#pinned.has(other);
    while (this.#ended.total > this.#most.ended || this.#total > this.#most.all)
      if (!letGo(this.#ended.takeOldest(isKept))) break;
    while (this.#total > this.#most.all) if (!letGo(this.#live.takeOldest(isKept))) break;
  }

  forget(boardRun: BoardRun): void {
    this.#live.remove(boardRun);
    this.#ended.remove(boardRun);
  }

  /** It stays until what this returns is called. */
  pin(boardRun: BoardRun): () => void {
    this.#pinned.add(boardRun);
    return () => void this.#pinned.delete(boardRun);
  }

  /** Whether more of it can be kept: nothing else could be let go for it. */
  hasRoomFor(boardRun: BoardRun): boolean {
    return bytesOf(boardRun) <= this.#most.all;
  }

  get #total(): number {
    return this.#live.total + this.#ended.total;
  }
}

function letGo(boardRun: BoardRun | undefined): boolean {
  if (boardRun?.run) {
    boardRun.retried = retriedScenariosIn(boardRun.run);
    boardRun.run = null;
  }
  return boardRun !== undefined;
}

class RecentlyUsed {
  readonly #bytes = new Map<BoardRun, number>();
  total = 0;

  add(boardRun: BoardRun, bytes: number): void {
    this.#bytes.set(boardRun, bytes);
    this.total += bytes;
  }

  remove(boardRun: BoardRun): void {
    this.total -= this.#bytes.get(boardRun) ?? 0;
    this.#bytes.delete(boardRun);
  }

  takeOldest(isKept: (boardRun: BoardRun) => boolean): BoardRun | undefined {
    for (const oldest of this.#bytes.keys()) {
      if (isKept(oldest)) continue;
      this.remove(oldest);
      return oldest;
    }
    return undefined;
  }
}
