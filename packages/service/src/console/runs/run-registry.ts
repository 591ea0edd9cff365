import type { Clock } from '../../kernel/clock.ts';
import { type BoardRun, newBoardRun, retriedScenariosIn } from './board-run.ts';
import { isLive } from './liveness.ts';
import { newestFirst } from './retention.ts';
import type { Run } from './run.ts';
import { headlineOf } from './run-views.ts';

/** What others do when a run changes. Called in the order in which they began to listen. */
export type RunListener = {
  changed?(boardRun: BoardRun): void;
  /** It stopped being live, or changed after its end. */
  ended?(boardRun: BoardRun): void;
  /** It names another repository than before, or is new on the board. */
  repositoryChanged?(boardRun: BoardRun): void;
  removed?(boardRun: BoardRun): void;
};

/** Every run on the board, by id and newest first. */
export class RunRegistry {
  readonly #clock: Clock;
  readonly #boardRuns = new Map<string, BoardRun>();
  readonly #listeners: RunListener[] = [];
  readonly #live = new Set<BoardRun>();
  #newestFirst: readonly BoardRun[] = [];
  /** Runs that are new, gone, or have another start since the order was made. */
  readonly #moved = new Set<BoardRun>();
  #endings = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  listen(listener: RunListener): void {
    this.#listeners.push(listener);
  }

  get(runId: string): BoardRun | undefined {
    return this.#boardRuns.get(runId.toLowerCase());
  }

  get size(): number {
    return this.#boardRuns.size;
  }

  /** Newest start first. A later change makes a new list, so that whoever reads one may take its time. */
  all(): readonly BoardRun[] {
    if (this.#moved.size > 0) {
      const stayed = this.#newestFirst.filter((boardRun) => !this.#moved.has(boardRun));
      const moved = [...this.#moved]
        .filter((boardRun) => this.#boardRuns.get(boardRun.runId) === boardRun)
        .sort(newestFirst);
      this.#newestFirst = merged(stayed, moved);
      this.#moved.clear();
    }
    return this.#newestFirst;
  }

  get live(): ReadonlySet<BoardRun> {
    return this.#live;
  }

  /** Grows whenever the ended runs on the board are others, or their figures are. */
  get endings(): number {
    return this.#endings;
  }

  /** The board run to write to; a new one joins the board with `recordEvents`. */
  boardRunFor(runId: string): BoardRun {
    return this.#boardRuns.get(runId) ?? newBoardRun(runId, this.#clock.wall(), this.#clock.monotonic());
  }

  /** Puts a run that an archive tells of on the board, unless a run of that id is there. */
  add(boardRun: BoardRun): void {
    if (this.#boardRuns.has(boardRun.runId)) return;
    this.#boardRuns.set(boardRun.runId, boardRun);
    this.#moved.add(boardRun);
    this.#endings += 1;
  }

  /** Called after events of this run are durable and folded. */
  recordEvents(boardRun: BoardRun, run: Run, bytes: number): void {
    const before = boardRun.head;
    const isNew = this.#boardRuns.get(boardRun.runId) !== boardRun;
    boardRun.run = run;
    boardRun.head = headlineOf(run);
    boardRun.heardAtMs = this.#clock.wall();
    boardRun.heardAt = this.#clock.monotonic();
    boardRun.orphaned = false;
    boardRun.counted = true;
    boardRun.bytes += bytes;
    this.#boardRuns.set(boardRun.runId, boardRun);
    if (isNew || before.start !== boardRun.head.start) this.#moved.add(boardRun);
    if (isLive(boardRun)) this.#live.add(boardRun);
    if (before.start.repository !== boardRun.head.start.repository) this.#tell('repositoryChanged', boardRun);
    if (boardRun.head.finish) this.ended(boardRun);
  }

  /** Called after the whole archive of a run was read. */
  recordFullRead(boardRun: BoardRun, run: Run, skipped: number): void {
    boardRun.head = headlineOf(run);
    boardRun.retried = retriedScenariosIn(run);
    boardRun.skipped = skipped;
    boardRun.counted = true;
    const isNew = !this.#boardRuns.has(boardRun.runId);
    this.add(boardRun);
    if (isNew) this.#tell('repositoryChanged', boardRun);
    this.#moved.add(boardRun);
    this.#endings += 1;
    this.#tell('changed', boardRun);
  }

  /** Called whenever a run stops being live, or changed after its end. */
  ended(boardRun: BoardRun): void {
    this.#live.delete(boardRun);
    if (boardRun.run) boardRun.retried = retriedScenariosIn(boardRun.run);
    this.#endings += 1;
    this.#tell('changed', boardRun);
    this.#tell('ended', boardRun);
  }

  remove(boardRun: BoardRun): void {
    this.#boardRuns.delete(boardRun.runId);
    this.#live.delete(boardRun);
    this.#moved.add(boardRun);
    this.#endings += 1;
    this.#tell('removed', boardRun);
  }

  #tell(what: keyof RunListener, boardRun: BoardRun): void {
    for (const listener of this.#listeners) listener[what]?.(boardRun);
  }
}

/** Two lists, each newest first, as one: the order is never made anew for the sake of a few. */
function merged(some: readonly BoardRun[], others: readonly BoardRun[]): BoardRun[] {
  const all: BoardRun[] = [];
  let next = 0;
  for (const one of some) {
    for (; next < others.length && newestFirst(others[next] as BoardRun, one) < 0; next += 1)
      all.push(others[next] as BoardRun);
    all.push(one);
  }
  return all.concat(others.slice(next));
}
