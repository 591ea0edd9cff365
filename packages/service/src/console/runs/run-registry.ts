import { type Clock, iso } from '../../kernel/clock.ts';
import type { RunState } from '../../kernel/run-summary.ts';
import { current } from './fold-scenarios.ts';
import { newRun, type Run } from './run.ts';
import type { RetriedScenario, RunRow } from './run-store.ts';
import { compare, headlineOf, type RunHeadline, retryReasonsOf, shownTime } from './run-views.ts';

/** A run on the board. Its folded events are in memory while it is live, and while it was read recently. */
export type BoardRun = {
  runId: string;
  head: RunHeadline;
  run: Run | null;
  orphaned: boolean;
  /** When its last event arrived: wall time and monotonic time. */
  heardAtMs: number;
  heardAt: number;
  /** When its archive was first written, by its file times: the arrival time of a run without a stamp. */
  firstWrittenAtMs: number;
  repositoryName: string | null;
  skipped: number;
  retried: readonly RetriedScenario[];
  /** Whether its archive could not be read. */
  unreadable: boolean;
  /** About the size of the archive; used to estimate memory. */
  bytes: number;
  /** Whether the test history has the newest state of the run. */
  recorded: boolean;
};

function newBoardRun(runId: string, heardAtMs: number, heardAt: number): BoardRun {
  return {
    runId,
    head: headlineOf(newRun(runId)),
    run: null,
    orphaned: false,
    heardAtMs,
    heardAt,
    firstWrittenAtMs: heardAtMs,
    repositoryName: null,
    skipped: 0,
    retried: [],
    unreadable: false,
    bytes: 0,
    recorded: false,
  };
}

/** An unfinished run that is found at start-up counts as orphaned until its publisher sends again. */
export function boardRunFromRow(runId: string, row: RunRow, heardAt: number): BoardRun {
  const orphaned = row.head.finish === null;
  return { ...newBoardRun(runId, row.heardAtMs, heardAt), ...row, orphaned };
}

/** A run without a row: the modification time of its archive is taken as the time of its last event. */
export function boardRunFromArchive(
  runId: string,
  head: RunHeadline,
  { bytes, changedAtMs, createdAtMs }: { bytes: number; changedAtMs: number; createdAtMs: number },
  heardAt: number,
): BoardRun {
  const boardRun = newBoardRun(runId, Math.round(changedAtMs), heardAt);
  // A copied file is younger than its contents.
  const firstWrittenAtMs = Math.round(Math.min(createdAtMs, changedAtMs));
  return { ...boardRun, firstWrittenAtMs, head, orphaned: head.finish === null, bytes };
}

/** When a run arrived, by the console's clock; it decides which run is newest, independent of the publishers' clocks. */
export const receivedAtOf = ({ head, firstWrittenAtMs }: Pick<BoardRun, 'head' | 'firstWrittenAtMs'>): string =>
  head.receivedAt ?? iso(firstWrittenAtMs);

export const runRowOf = (boardRun: BoardRun): Omit<RunRow, 'bytes'> => ({
  heardAtMs: boardRun.heardAtMs,
  firstWrittenAtMs: boardRun.firstWrittenAtMs,
  skipped: boardRun.skipped,
  repositoryName: boardRun.repositoryName,
  head: boardRun.head,
  retried: boardRun.retried,
  recorded: boardRun.recorded,
});

/** Keeps the row much smaller than the archive. */
const retriedAtMost = 1000;

export function retriedScenariosIn(run: Run): RetriedScenario[] {
  const found: RetriedScenario[] = [];
  for (const scenario of run.scenarios.values()) {
    const { number, outcome, attempts } = current(scenario);
    if (!scenario.retries && number === 1 && outcome !== 'PassOnRetry') continue;
    const passed = outcome === 'PassOnRetry' || outcome === 'CleanPass';
    found.push({ uid: scenario.uid, attempts: attempts ?? number, passed, reasons: retryReasonsOf(scenario) });
    if (found.length === retriedAtMost) break;
  }
  return found;
}

/** Called when a run changes, in the order in which the listeners were added. */
type RunListener = {
  changed?(boardRun: BoardRun): void;
  /** The run stopped being live, or changed after its end. */
  ended?(boardRun: BoardRun): void;
  /** The run names another repository than before, or is new on the board. */
  repositoryChanged?(boardRun: BoardRun): void;
  removed?(boardRun: BoardRun): void;
};

/** Every run on the board, by id and newest first. */
export class RunRegistry {
  readonly #clock: Clock;
  readonly #boardRuns = new Map<string, BoardRun>();
  readonly #listeners: RunListener[] = [];
  readonly #live = new Set<BoardRun>();
  readonly #byArrival = new SortedRuns(newestFirst, (boardRun) => this.#isOnBoard(boardRun));
  readonly #byStart = new SortedRuns(newestStartFirst, (boardRun) => this.#isOnBoard(boardRun));
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

  /** Last received first. A change makes a new list, so a list that was returned never changes. */
  all(): readonly BoardRun[] {
    return this.#byArrival.list();
  }

  /** The runs in the order of lists: newest start first; a run without a start counts as the oldest. */
  byStart(): readonly BoardRun[] {
    return this.#byStart.list();
  }

  #isOnBoard(boardRun: BoardRun): boolean {
    return this.#boardRuns.get(boardRun.runId) === boardRun;
  }

  #move(boardRun: BoardRun): void {
    this.#byArrival.move(boardRun);
    this.#byStart.move(boardRun);
  }

  get live(): ReadonlySet<BoardRun> {
    return this.#live;
  }

  /** Incremented whenever a run is added, ends or is removed, and when the figures of an ended run change. */
  get endings(): number {
    return this.#endings;
  }

  /** The board run to write to; a new one is added to the board by `recordEvents`. */
  boardRunFor(runId: string): BoardRun {
    return this.#boardRuns.get(runId) ?? newBoardRun(runId, this.#clock.wall(), this.#clock.monotonic());
  }

  /** A new arrival time. It is later than the one before, even in the same millisecond or if the clock was set back by less than a minute. */
  nextArrivalMs(): number {
    const now = this.#clock.wall();
    const isJustBefore = now <= this.#lastArrivalMs && this.#lastArrivalMs - now < 60_000;
    this.#lastArrivalMs = isJustBefore ? this.#lastArrivalMs + 1 : now;
    return this.#lastArrivalMs;
  }

  /** Adds a run of an earlier process to the board, unless the board has a run with that id. */
  add(boardRun: BoardRun): void {
    if (this.#boardRuns.has(boardRun.runId)) return;
    this.#boardRuns.set(boardRun.runId, boardRun);
    this.#move(boardRun);
    this.#endings += 1;
  }

  /** Called after events of this run are durable and folded. */
  recordEvents(boardRun: BoardRun, run: Run, bytes: number): void {
    const before = boardRun.head;
    const isNew = !this.#isOnBoard(boardRun);
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
    if (before.start.repository !== boardRun.head.start.repository) this.#notify('repositoryChanged', boardRun);
    if (boardRun.head.finish) this.ended(boardRun);
  }

  /** Called after late events were recorded; they only change their count. */
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
    if (isNew) this.#notify('repositoryChanged', boardRun);
    this.#move(boardRun);
    this.#endings += 1;
    this.#notify('changed', boardRun);
  }

  /** Called when the archive of a run cannot be read. The run stays on the board, so that it is noticed. */
  recordUnreadable(boardRun: BoardRun): void {
    boardRun.unreadable = true;
    this.add(boardRun);
    this.#notify('changed', boardRun);
  }

  /** Called whenever a run stops being live, or changed after its end. */
  ended(boardRun: BoardRun): void {
    this.#live.delete(boardRun);
    if (boardRun.run) boardRun.retried = retriedScenariosIn(boardRun.run);
    this.#endings += 1;
    this.#notify('changed', boardRun);
    this.#notify('ended', boardRun);
  }

  remove(boardRun: BoardRun): void {
    this.#boardRuns.delete(boardRun.runId);
    this.#live.delete(boardRun);
    this.#move(boardRun);
    this.#endings += 1;
    this.#notify('removed', boardRun);
  }

  #notify(what: keyof RunListener, boardRun: BoardRun): void {
    for (const listener of this.#listeners) listener[what]?.(boardRun);
  }
}

type Compare = (a: BoardRun, b: BoardRun) => number;

/** The runs of the board in one order. Only runs that changed are sorted again. */
class SortedRuns {
  readonly #compare: Compare;
  readonly #isOnBoard: (boardRun: BoardRun) => boolean;
  /** Runs that were added, removed or changed their sort key since the list was made. */
  readonly #moved = new Set<BoardRun>();
  #list: readonly BoardRun[] = [];

  constructor(compare: Compare, isOnBoard: (boardRun: BoardRun) => boolean) {
    this.#compare = compare;
    this.#isOnBoard = isOnBoard;
  }

  move(boardRun: BoardRun): void {
    this.#moved.add(boardRun);
  }

  /** A later change makes a new list. */
  list(): readonly BoardRun[] {
    if (this.#moved.size === 0) return this.#list;
    const stayed = this.#list.filter((boardRun) => !this.#moved.has(boardRun));
    const moved = [...this.#moved].filter(this.#isOnBoard).sort(this.#compare);
    this.#list = merged(stayed, moved, this.#compare);
    this.#moved.clear();
    return this.#list;
  }
}

/** Two sorted lists as one. */
function merged(some: readonly BoardRun[], others: readonly BoardRun[], compare: Compare): BoardRun[] {
  const all: BoardRun[] = [];
  let next = 0;
  for (const one of some) {
    for (let other = others[next]; other && compare(other, one) < 0; other = others[next]) {
      all.push(other);
      next += 1;
    }
    all.push(one);
  }
  return all.concat(others.slice(next));
}

/** Whether the publisher of a run may still send. A live run is never ejected. */
export const isLive = ({ head, orphaned }: { head: RunHeadline; orphaned: boolean }): boolean =>
  head.finish === null && !orphaned;

export function stateOf(boardRun: BoardRun): RunState {
  if (boardRun.unreadable) return 'unreadable';
  if (boardRun.head.finish) return 'finished';
  return boardRun.orphaned ? 'orphaned' : 'running';
}

/** Publishers send a heartbeat every ten seconds; one that was silent for this long is considered gone. */
export const isSilent = (heardAt: number, now: number, orphanSeconds: number): boolean =>
  now - heardAt > orphanSeconds * 1000;

type Received = Pick<BoardRun, 'head' | 'firstWrittenAtMs'>;

/** Compares by the time of arrival, independent of the publishers' clocks. */
export const newestFirst = (a: Received, b: Received): number =>
  compare(receivedAtOf(b), receivedAtOf(a)) || compare(a.head.runId, b.head.runId);

/** Compares by the start time that lists show. */
const newestStartFirst = (a: Received, b: Received): number =>
  compare(shownStartOf(b) ?? '', shownStartOf(a) ?? '') || compare(a.head.runId, b.head.runId);

const shownStartOf = (run: Received): string | null => shownTime(run.head.start.startedAt, receivedAtOf(run));
