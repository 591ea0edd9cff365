import type { Clock } from '../../kernel/clock.ts';
import { iso } from '../../kernel/clock.ts';
import { archiveIndexOf, type BoardRun, boardRunFromArchive, newBoardRun, retriedScenariosIn } from './board-run.ts';
import type { RunSummary } from './contract.ts';
import { expectedRunDurations } from './expected-duration.ts';
import { listArchives } from './list-archives.ts';
import { isLive } from './liveness.ts';
import type { Archive, RepositoryNames, StoredArchive, TimeBudget } from './ports.ts';
import { replayArchive } from './replay.ts';
import { newestFirst } from './retention.ts';
import type { Run } from './run.ts';
import { headlineOf, summaryOf } from './run-views.ts';
import { unloadIdleRuns } from './unload-idle-runs.ts';

export type RegistryDeps = {
  archive: Archive;
  clock: Clock;
  timeBudget: () => TimeBudget;
  host: string;
  repositoryNames: RepositoryNames;
  warn: (details: object, text: string) => void;
};

/** Is called when a run changes or ends. */
export type RunListener = { changed(runId: string): void; ended(): void };

/** Every run on the board, by id. What a run's events say is loaded when someone asks, and always while it lives. */
export class RunRegistry {
  readonly #deps: RegistryDeps;
  readonly #boardRuns = new Map<string, BoardRun>();
  readonly #loading = new Map<string, Promise<Run | null>>();
  readonly #unsaved = new Set<BoardRun>();
  #sorted: readonly BoardRun[] | null = null;
  #expected: ((headline: BoardRun['head']) => number | null) | null = null;
  #listener: RunListener | null = null;
  #ready: Promise<void> = Promise.resolve();
  #counted: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(deps: RegistryDeps) {
    this.#deps = deps;
  }

  get archive(): Archive {
    return this.#deps.archive;
  }

  listen(listener: RunListener): void {
    this.#listener = listener;
  }

  /** Resolves once every archive that was there at the start is on the board. */
  get ready(): Promise<void> {
    return this.#ready;
  }

  /** Resolves once each of them is read whole, or the reading was halted. */
  get counted(): Promise<void> {
    return this.#counted;
  }

  boot(): Promise<void> {
    const listed = listArchives(this.#deps, this.#boardRuns).finally(() => this.#invalidateOrder());
    this.#ready = listed.then(() => undefined);
    this.#counted = listed.then((unread) => this.#countAll(unread)).catch(() => undefined);
    return this.#ready;
  }

  /** Stops reading archives that are not on the board yet; the next start reads them. */
  stopReading(): void {
    this.#stopped = true;
    for (const boardRun of this.#boardRuns.values()) if (isLive(boardRun)) this.#unsaved.add(boardRun);
  }

  get(runId: string): BoardRun | undefined {
    return this.#boardRuns.get(runId.toLowerCase());
  }

  /** Newest start first. */
  all(): readonly BoardRun[] {
    this.#sorted ??= [...this.#boardRuns.values()].sort(newestFirst);
    return this.#sorted;
  }

  summary(boardRun: BoardRun): RunSummary {
    this.#expected ??= expectedRunDurations(this.#headlines());
    return summaryOf(boardRun.head, {
      host: this.#deps.host,
      orphaned: boardRun.orphaned,
      repositoryName: boardRun.repositoryName,
      lastEventAt: iso(boardRun.heardAtMs),
      expectedMs: this.#expected(boardRun.head),
      counted: boardRun.counted,
    });
  }

  *#headlines() {
    for (const boardRun of this.all()) yield boardRun.head;
  }

  /** The run's folded events, read from its archive unless they are in memory; null when there is no archive, or no longer. */
  load(boardRun: BoardRun): Promise<Run | null> {
    boardRun.usedAt = this.#deps.clock.monotonic();
    if (boardRun.run) return Promise.resolve(boardRun.run);
    const underWay = this.#loading.get(boardRun.runId);
    if (underWay) return underWay;
    const loading = this.#replay(boardRun).finally(() => this.#loading.delete(boardRun.runId));
    this.#loading.set(boardRun.runId, loading);
    return loading;
  }

  async #replay(boardRun: BoardRun): Promise<Run | null> {
    const { archive, timeBudget } = this.#deps;
    const stored = await archive.lines(boardRun.runId);
    if (!stored) return null;
    const { run, skipped } = await replayArchive(boardRun.runId, stored, timeBudget());
    boardRun.run = run;
    boardRun.skipped = skipped;
    if (!boardRun.counted) {
      this.#recordFullRead(boardRun, run, skipped);
      this.#unsaved.add(boardRun);
    }
    unloadIdleRuns(this.#boardRuns.values());
    return run;
  }

  /** The board run to write to; a new one joins the board with `recordEvents`. */
  boardRunFor(runId: string): BoardRun {
    const { clock } = this.#deps;
    return this.#boardRuns.get(runId) ?? newBoardRun(runId, clock.wall(), clock.monotonic());
  }

  /** Called after events of this run are durable and folded. */
  recordEvents(boardRun: BoardRun, run: Run, bytes: number): void {
    const { clock } = this.#deps;
    const before = boardRun.head;
    const wasLive = isLive(boardRun) && this.#boardRuns.get(boardRun.runId) === boardRun;
    boardRun.run = run;
    boardRun.head = headlineOf(run);
    boardRun.heardAtMs = clock.wall();
    boardRun.heardAt = clock.monotonic();
    boardRun.usedAt = boardRun.heardAt;
    boardRun.orphaned = false;
    boardRun.counted = true;
    boardRun.bytes += bytes;
    if (!wasLive || before.start !== boardRun.head.start) this.#sorted = null;
    this.#boardRuns.set(boardRun.runId, boardRun);
    if (before.start.repository !== boardRun.head.start.repository) this.#nameRepository(boardRun);
    if (boardRun.head.finish) this.ended(boardRun);
  }

  /** Called whenever a run stops being live, or changed after its end. */
  ended(boardRun: BoardRun): void {
    if (boardRun.run) boardRun.retried = retriedScenariosIn(boardRun.run);
    this.#expected = null;
    this.#unsaved.add(boardRun);
    unloadIdleRuns(this.#boardRuns.values());
    this.#listener?.changed(boardRun.runId);
    this.#listener?.ended();
  }

  remove(boardRun: BoardRun): void {
    this.#boardRuns.delete(boardRun.runId);
    this.#unsaved.delete(boardRun);
    this.#sorted = null;
    this.#expected = null;
  }

  /** Writes the index of every changed run that has ended. A live run's index would be stale at once. */
  async saveIndexes(): Promise<void> {
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

  async #countAll(unread: readonly StoredArchive[]): Promise<void> {
    for (const stored of unread) {
      if (this.#stopped) return;
      await this.#count(stored);
    }
  }

  async #count({ runId, bytes, changedAtMs }: StoredArchive): Promise<void> {
    const { archive, timeBudget, warn } = this.#deps;
    const known = this.#boardRuns.get(runId);
    if (known?.counted) return;
    try {
      const stored = await archive.lines(runId);
      if (!stored) return;
      const { run, lines, skipped } = await replayArchive(runId, stored, timeBudget());
      const boardRun = this.#boardRuns.get(runId);
      // Heard of, loaded or ejected meanwhile.
      if (lines === 0 || boardRun !== known || boardRun?.counted) return;
      const counted =
        boardRun ?? boardRunFromArchive(runId, headlineOf(run), { bytes, changedAtMs }, this.#deps.clock.monotonic());
      this.#recordFullRead(counted, run, skipped);
      await archive.saveIndex(runId, archiveIndexOf(counted, bytes, changedAtMs));
    } catch (err) {
      warn({ err, runId }, 'an archive could not be read');
    }
  }

  /** Called after the whole archive was read. */
  #recordFullRead(boardRun: BoardRun, run: Run, skipped: number): void {
    boardRun.head = headlineOf(run);
    boardRun.retried = retriedScenariosIn(run);
    boardRun.skipped = skipped;
    boardRun.counted = true;
    if (skipped > 0) {
      const { runId } = boardRun;
      this.#deps.warn({ runId, skipped }, 'lines of an archive could not be read and were skipped');
    }
    if (!this.#boardRuns.has(boardRun.runId)) {
      this.#boardRuns.set(boardRun.runId, boardRun);
      this.#nameRepository(boardRun);
    }
    this.#invalidateOrder();
    this.#listener?.changed(boardRun.runId);
  }

  #invalidateOrder(): void {
    this.#sorted = null;
    this.#expected = null;
  }

  #nameRepository(boardRun: BoardRun): void {
    const { repository } = boardRun.head.start;
    if (repository === null) return;
    this.#deps
      .repositoryNames(repository)
      .catch(() => null)
      .then((name) => {
        if (name === boardRun.repositoryName) return;
        boardRun.repositoryName = name;
        if (!isLive(boardRun)) this.#unsaved.add(boardRun);
        this.#listener?.changed(boardRun.runId);
      });
  }
}
