import type { Clock } from '../../kernel/clock.ts';
import { iso } from '../../kernel/clock.ts';
import type { RunSummary } from './contract.ts';
import { type Entry, foundEntry, indexOf, newEntry, retriedIn } from './entry.ts';
import { expectedRuns } from './expected.ts';
import { forgetOld } from './forget-old.ts';
import { listStored } from './list-stored.ts';
import { isLive } from './liveness.ts';
import type { Archive, Breathe, RepositoryNames, Stored } from './ports.ts';
import { replayArchive } from './replay.ts';
import { newestFirst } from './retention.ts';
import type { Run } from './run.ts';
import { headOf, summaryOf } from './views.ts';

export type RegistryDeps = {
  archive: Archive;
  clock: Clock;
  breathe: () => Breathe;
  host: string;
  repositoryNames: RepositoryNames;
  warn: (details: object, text: string) => void;
};

/** Who wants to know what becomes of runs. */
export type Watcher = { changed(runId: string): void; ended(): void };

/** Every run on the board, by id. What a run's events say is loaded when someone asks, and always while it lives. */
export class RunRegistry {
  readonly #deps: RegistryDeps;
  readonly #entries = new Map<string, Entry>();
  readonly #loading = new Map<string, Promise<Run | null>>();
  readonly #unsaved = new Set<Entry>();
  #sorted: readonly Entry[] | null = null;
  #expected: ((head: Entry['head']) => number | null) | null = null;
  #watcher: Watcher | null = null;
  #ready: Promise<void> = Promise.resolve();
  #counted: Promise<void> = Promise.resolve();
  #halted = false;

  constructor(deps: RegistryDeps) {
    this.#deps = deps;
  }

  get archive(): Archive {
    return this.#deps.archive;
  }

  tell(watcher: Watcher): void {
    this.#watcher = watcher;
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
    const listed = listStored(this.#deps, this.#entries).finally(() => this.#resort());
    this.#ready = listed.then(() => undefined);
    this.#counted = listed.then((unread) => this.#countAll(unread)).catch(() => undefined);
    return this.#ready;
  }

  /** Stops reading archives that are not on the board yet; the next start reads them. */
  halt(): void {
    this.#halted = true;
    for (const entry of this.#entries.values()) if (isLive(entry)) this.#unsaved.add(entry);
  }

  get(runId: string): Entry | undefined {
    return this.#entries.get(runId.toLowerCase());
  }

  /** Newest start first. */
  all(): readonly Entry[] {
    this.#sorted ??= [...this.#entries.values()].sort(newestFirst);
    return this.#sorted;
  }

  summary(entry: Entry): RunSummary {
    this.#expected ??= expectedRuns(this.#heads());
    return summaryOf(entry.head, {
      host: this.#deps.host,
      orphaned: entry.orphaned,
      repositoryName: entry.repositoryName,
      lastEventAt: iso(entry.heardAtMs),
      expectedMs: this.#expected(entry.head),
      counted: entry.counted,
    });
  }

  *#heads() {
    for (const entry of this.all()) yield entry.head;
  }

  /** The run's folded events, read from its archive unless they are in memory; null when there is no archive, or no longer. */
  load(entry: Entry): Promise<Run | null> {
    entry.usedAt = this.#deps.clock.monotonic();
    if (entry.run) return Promise.resolve(entry.run);
    const under = this.#loading.get(entry.runId);
    if (under) return under;
    const loading = this.#replay(entry).finally(() => this.#loading.delete(entry.runId));
    this.#loading.set(entry.runId, loading);
    return loading;
  }

  async #replay(entry: Entry): Promise<Run | null> {
    const { archive, breathe } = this.#deps;
    const stored = await archive.lines(entry.runId);
    if (!stored) return null;
    const { run, skipped } = await replayArchive(entry.runId, stored, breathe());
    entry.run = run;
    entry.skipped = skipped;
    if (!entry.counted) {
      this.#take(entry, run, skipped);
      this.#unsaved.add(entry);
    }
    forgetOld(this.#entries.values());
    return run;
  }

  /** The entry of a run about to be written to; it joins the board with `heard`. */
  entryOf(runId: string): Entry {
    const { clock } = this.#deps;
    return this.#entries.get(runId) ?? newEntry(runId, clock.wall(), clock.monotonic());
  }

  /** Events of this run are durable and folded. */
  heard(entry: Entry, run: Run, bytes: number): void {
    const { clock } = this.#deps;
    const before = entry.head;
    const wasLive = isLive(entry) && this.#entries.get(entry.runId) === entry;
    entry.run = run;
    entry.head = headOf(run);
    entry.heardAtMs = clock.wall();
    entry.heardAt = clock.monotonic();
    entry.usedAt = entry.heardAt;
    entry.orphaned = false;
    entry.counted = true;
    entry.bytes += bytes;
    if (!wasLive || before.start !== entry.head.start) this.#sorted = null;
    this.#entries.set(entry.runId, entry);
    if (before.start.repository !== entry.head.start.repository) this.#nameRepository(entry);
    if (entry.head.finish) this.ended(entry);
  }

  /** Called whenever a run stops being live, or changed after its end. */
  ended(entry: Entry): void {
    if (entry.run) entry.retried = retriedIn(entry.run);
    this.#expected = null;
    this.#unsaved.add(entry);
    forgetOld(this.#entries.values());
    this.#watcher?.changed(entry.runId);
    this.#watcher?.ended();
  }

  remove(entry: Entry): void {
    this.#entries.delete(entry.runId);
    this.#unsaved.delete(entry);
    this.#sorted = null;
    this.#expected = null;
  }

  /** Writes the index of every ended run that changed. That of a live run would not last. */
  async saveIndexes(): Promise<void> {
    const { archive, warn } = this.#deps;
    for (const entry of [...this.#unsaved]) {
      this.#unsaved.delete(entry);
      try {
        const stored = await archive.size(entry.runId);
        if (stored) await archive.saveIndex(entry.runId, indexOf(entry, stored.bytes, stored.changedAtMs));
      } catch (err) {
        warn({ err, runId: entry.runId }, 'an index could not be written; it is made again at the next start');
      }
    }
  }

  async #countAll(unread: readonly Stored[]): Promise<void> {
    for (const stored of unread) {
      if (this.#halted) return;
      await this.#count(stored);
    }
  }

  async #count({ runId, bytes, changedAtMs }: Stored): Promise<void> {
    const { archive, breathe, warn } = this.#deps;
    const known = this.#entries.get(runId);
    if (known?.counted) return;
    try {
      const stored = await archive.lines(runId);
      if (!stored) return;
      const { run, lines, skipped } = await replayArchive(runId, stored, breathe());
      const entry = this.#entries.get(runId);
      // Heard of, loaded or ejected meanwhile.
      if (lines === 0 || entry !== known || entry?.counted) return;
      const counted = entry ?? foundEntry(runId, headOf(run), { bytes, changedAtMs }, this.#deps.clock.monotonic());
      this.#take(counted, run, skipped);
      await archive.saveIndex(runId, indexOf(counted, bytes, changedAtMs));
    } catch (err) {
      warn({ err, runId }, 'an archive could not be read');
    }
  }

  /** All of its archive is read. */
  #take(entry: Entry, run: Run, skipped: number): void {
    entry.head = headOf(run);
    entry.retried = retriedIn(run);
    entry.skipped = skipped;
    entry.counted = true;
    if (skipped > 0) {
      const { runId } = entry;
      this.#deps.warn({ runId, skipped }, 'lines of an archive could not be read and were skipped');
    }
    if (!this.#entries.has(entry.runId)) {
      this.#entries.set(entry.runId, entry);
      this.#nameRepository(entry);
    }
    this.#resort();
    this.#watcher?.changed(entry.runId);
  }

  #resort(): void {
    this.#sorted = null;
    this.#expected = null;
  }

  #nameRepository(entry: Entry): void {
    const { repository } = entry.head.start;
    if (repository === null) return;
    this.#deps
      .repositoryNames(repository)
      .catch(() => null)
      .then((name) => {
        if (name === entry.repositoryName) return;
        entry.repositoryName = name;
        if (!isLive(entry)) this.#unsaved.add(entry);
        this.#watcher?.changed(entry.runId);
      });
  }
}
