import type { Clock } from '../../kernel/clock.ts';
import { type BoardRun, newBoardRun, retriedScenariosIn } from './board-run.ts';
import { isLive } from './liveness.ts';
import { newestFirst, newestStartFirst } from './retention.ts';
import type { Run } from './run.ts';
import { headlineOf } from './run-views.ts';
import { SortedRuns } from './sorted-runs.ts';

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
  readonly #byArrival = new SortedRuns(newestFirst, (boardRun) => this.#isHere(boardRun));
  readonly #byStart = new SortedRuns(newestStartFirst, (boardRun) => this.#isHere(boardRun));
  #endings = 0;
  #lastArrivalMs = 0;

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

  /** Last received first. A later change makes a new list, so a reader can take its time. */
  all(): readonly BoardRun[] {
    return this.#byArrival.list();
  }

  /** As lists show them: newest start first; a run without a start counts as the oldest. */
  byStart(): readonly BoardRun[] {
    return this.#byStart.list();
  }

  #isHere(boardRun: BoardRun): boolean {
    return this.#boardRuns.get(boardRun.runId) === boardRun;
  }

  #move(boardRun: BoardRun): void {
    this.#byArrival.move(boardRun);
    this.#byStart.move(boardRun);
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

  /** Of two runs the one that came later gets the later time, also within one millisecond and when the clock is set back a little. */
  nextArrivalMs(): number {
    const now = this.#clock.wall();
    const isJustBefore = now <= this.#lastArrivalMs && this.#lastArrivalMs - now < 60_000;
    this.#lastArrivalMs = isJustBefore ? this.#lastArrivalMs + 1 : now;
    return this.#lastArrivalMs;
  }

  /** Puts a run of an earlier process on the board, unless a run of that id is there. */
  add(boardRun: BoardRun): void {
    if (this.#boardRuns.has(boardRun.runId)) return;
    this.#boardRuns.set(boardRun.runId, boardRun);
    this.#move(boardRun);
    this.#endings += 1;
  }

  /** Called after events of this run are durable and folded. */
  recordEvents(boardRun: BoardRun, run: Run, bytes: number): void {
    const before = boardRun.head;
    const isNew = !this.#isHere(boardRun);
    boardRun.run = run;
    boardRun.head = headlineOf(run);
    boardRun.heardAtMs = this.#clock.wall();
    boardRun.heardAt = this.#clock.monotonic();
    boardRun.orphaned = false;
    boardRun.unreadable = false;
    boardRun.bytes += bytes;
    this.#boardRuns.set(boardRun.runId, boardRun);
    const isMoved = before.start.startedAt !== boardRun.head.start.startedAt;
    if (isNew || isMoved || before.receivedAt !== boardRun.head.receivedAt) this.#move(boardRun);
    if (isLive(boardRun)) this.#live.add(boardRun);
    if (before.start.repository !== boardRun.head.start.repository) this.#tell('repositoryChanged', boardRun);
    if (boardRun.head.finish) this.ended(boardRun);
  }

  /** Called after late events were archived, which change nothing but their count. */
  recordLate(boardRun: BoardRun, run: Run): void {
    boardRun.run = run;
    boardRun.head = headlineOf(run);
    if (boardRun.head.finish) this.ended(boardRun);
  }

  /** Called after the whole archive of a run was read. */
  recordFullRead(boardRun: BoardRun, run: Run, skipped: number): void {
    boardRun.head = headlineOf(run);
    boardRun.retried = retriedScenariosIn(run);
    boardRun.skipped = skipped;
    boardRun.unreadable = false;
    const isNew = !this.#boardRuns.has(boardRun.runId);
    this.add(boardRun);
    if (isNew) this.#tell('repositoryChanged', boardRun);
    this.#move(boardRun);
    this.#endings += 1;
    this.#tell('changed', boardRun);
  }

  /** Called when the archive of a run cannot be read. It stays on the board, so that somebody sees it. */
  recordUnreadable(boardRun: BoardRun): void {
    boardRun.unreadable = true;
    this.add(boardRun);
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
    this.#move(boardRun);
    this.#endings += 1;
    this.#tell('removed', boardRun);
  }

  #tell(what: keyof RunListener, boardRun: BoardRun): void {
    for (const listener of this.#listeners) listener[what]?.(boardRun);
  }
}
