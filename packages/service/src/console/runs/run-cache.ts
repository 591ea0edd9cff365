import { BytesAtOnce } from './bytes-at-once.ts';
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

/** Four large archives, or more of small ones. Reading takes memory, and each piece that arrives takes part of a turn of the event loop. */
const bytesReadAtOnce = 8 * 1024 * 1024;
const bytesCountedAtMost = bytesReadAtOnce / 4;

/** The folded events of runs in memory: of live runs, and of ended ones that were read recently, while there is room. */
export class RunCache {
  readonly #deps: RunCacheDeps;
  readonly #loading = new Map<string, Promise<Run | null>>();
  readonly #reading = new BytesAtOnce(bytesReadAtOnce);
  readonly #inMemory: RunsInMemory;

  constructor(deps: RunCacheDeps) {
    this.#deps = deps;
    this.#inMemory = new RunsInMemory(deps.memory);
    deps.registry.listen({
      ended: (boardRun) => this.#inMemory.use(boardRun),
      removed: (boardRun) => this.#inMemory.forget(boardRun),
    });
  }

  /** Reads the archive unless the events are in memory; null if there is no archive. */
  load(boardRun: BoardRun): Promise<Run | null> {
    if (boardRun.run) {
      this.#inMemory.use(boardRun);
      return Promise.resolve(boardRun.run);
    }
    const underWay = this.#loading.get(boardRun.runId);
    if (underWay) return underWay;
    const loading = this.#reading
      .run(Math.min(boardRun.bytes, bytesCountedAtMost), () => this.#replay(boardRun))
      .finally(() => this.#loading.delete(boardRun.runId));
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

  /** Keeps a run in memory until the returned function is called, because events that its archive lacks are being written. */
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

/** Limits for the memory of folded events, in bytes: of all runs, and of the ended ones. */
export type MemoryForRuns = { all: number; ended: number };

const mostForEnded = 128 * 1024 * 1024;

/** Ended runs get less: reading one again takes less than a second. */
export const memoryForRuns = (heapBytes: number): MemoryForRuns => ({
  all: heapBytes / 2,
  ended: Math.min(mostForEnded, heapBytes / 4),
});

const bytesOfScenario = 300;

/**
 * Estimates the memory of folded events. By measurement, a run of many short events takes the most memory for its size.
 */
const bytesOf = ({ run, bytes }: BoardRun): number => (run ? 2 * bytes + bytesOfScenario * run.scenarios.size : 0);

/** Runs whose folded events are in memory, the least recently used first. Evicting one loses nothing: its archive has it all. */
class RunsInMemory {
  readonly #most: MemoryForRuns;
  readonly #live = new RecentlyUsed();
  readonly #ended = new RecentlyUsed();
  readonly #pinned = new Set<BoardRun>();

  constructor(most: MemoryForRuns) {
    this.#most = most;
  }

  /** Marks a run as used just now, and evicts the least recently used ones if there is no room. */
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

  /** Keeps a run in memory until the returned function is called. */
  pin(boardRun: BoardRun): () => void {
    this.#pinned.add(boardRun);
    return () => void this.#pinned.delete(boardRun);
  }

  /** Whether the run alone fits into memory; if not, evicting others would not help. */
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
