import type { Clock } from '../../../kernel/clock.ts';
import type { ProcessTable } from '../../../platform/processes.ts';
import type { SourceStatus } from '../contract.ts';
import type { PollScope, RegistryEntry, SessionReader, SessionScan } from '../ports.ts';
import { EndedProcesses } from './ended-processes.ts';
import { staysInside } from './folder-listing.ts';
import { createFolderWatches } from './folder-watches.ts';
import { polledOnly, type SourceProblem, sourceProblem } from './source-problem.ts';

export type ReaderOptions = {
  path: string;
  clock: Pick<Clock, 'monotonic' | 'wall'>;
  /** False means polling only, for systems without free watches. */
  watches?: boolean;
};

/** The result of a read. If `failure` is set, the other members have no meaning. */
export type ReaderState = Pick<SessionScan, 'registry' | 'entries' | 'transcripts' | 'changed'> &
  Partial<Pick<SessionScan, 'ended' | 'processes'>> & { failure: string | null; detail?: string | null };

/** The path that must exist, and the folders below the directory that must not lead out of it. */
type ReaderRoots = { needed: string; inside: readonly string[] };

/** The common part of all tools' readers: when they read, what wakes them, and how they report. */
export abstract class PolledReader implements SessionReader {
  abstract readonly tool: string;
  protected readonly path: string;
  protected readonly clock: ReaderOptions['clock'];
  protected readonly isDue: ReturnType<typeof createSchedule>;
  readonly #roots: ReaderRoots;
  readonly #watches: boolean;
  readonly #ended: EndedProcesses;
  readonly #changedPaths = new Set<string>();
  #status: SourceStatus | null = null;
  #notifyChange: () => void = () => undefined;
  #wasFound = false;
  #linksStayInside = true;
  #processesCheckedAt = 0;
  #sessionsChecked = 0;
  readonly #folderWatches = createFolderWatches((paths) => {
    for (const path of paths) this.#changedPaths.add(path);
    this.#notifyChange();
  });

  constructor(
    { path, clock, watches = true }: ReaderOptions,
    roots: ReaderRoots,
    processes: Pick<ProcessTable, 'startTimes'>,
  ) {
    this.path = path;
    this.clock = clock;
    this.isDue = createSchedule(clock);
    this.#roots = roots;
    this.#watches = watches;
    this.#ended = new EndedProcesses(processes);
  }

  onChange(wake: () => void): () => void {
    this.#notifyChange = wake;
    return () => {
      this.#notifyChange = () => undefined;
      this.#folderWatches.close();
    };
  }

  sources(): readonly SourceStatus[] {
    return [this.#status ?? { tool: this.tool, path: this.path, ok: true, detail: null }];
  }

  async poll(scope: PollScope = 'due'): Promise<SessionScan> {
    const problem = await this.#problem();
    if (!problem) await this.#read(scope);
    const { failure, detail, ...state } = this.state(problem !== null);
    const watching = this.#watches ? this.#folderWatches.failure() : polledOnly;
    const fine = { ok: failure === null, detail: failure ?? detail ?? this.processTrouble() ?? watching };
    const status = { tool: this.tool, path: this.path, ...(problem ?? fine) };
    this.#status = status;
    const entries: readonly RegistryEntry[] = problem ? [] : state.entries;
    return {
      processes: [],
      ...state,
      ...status,
      entries,
      registry: problem ? 'unused' : state.registry,
      ended: state.ended ?? (await this.#endedAmong(entries)),
      processesCheckedAt: this.#processesCheckedAt,
    };
  }

  /** Reads the changed paths among these, and everything that is due. `checked`: the processes were checked just before. */
  protected abstract read(changedPaths: readonly string[], scope: PollScope, checked: boolean): Promise<void>;
  protected abstract checkProcesses(): Promise<void>;
  protected abstract sessionCount(): number;
  /** `unreadable`: nothing was read this time. */
  protected abstract state(unreadable: boolean): ReaderState;
  /** Why running and ended sessions cannot be distinguished; null if they can. */
  protected processTrouble(): string | null {
    return null;
  }
  protected abstract foldersToWatch(): readonly string[];
  /** Why an existing source cannot be read; null if it can. */
  protected async problem(): Promise<SourceProblem | null> {
    return null;
  }
  /** When a process started, to detect reused pids. */
  protected startOf(_pid: number): string | null {
    return null;
  }

  protected isWatched(): boolean {
    return this.#watches && this.#folderWatches.failure() === null;
  }

  protected processesMs(): number {
    return processesMs;
  }

  protected async checkNow(): Promise<void> {
    this.#processesCheckedAt = this.clock.monotonic();
    await this.checkProcesses();
  }

  async #read(scope: PollScope): Promise<void> {
    const changedPaths = [...this.#changedPaths];
    this.#changedPaths.clear();
    const isChecked = this.isDue('processes', this.processesMs()) || scope !== 'due';
    if (isChecked) await this.checkNow();
    await this.read(changedPaths, scope, isChecked);
    // We can only detect the exit of a process we have seen, so check processes as soon as a session appears.
    const count = this.sessionCount();
    if (count > this.#sessionsChecked) await this.checkNow();
    this.#sessionsChecked = count;
    if (this.#watches) this.#folderWatches.watchOnly(this.foldersToWatch());
  }

  async #problem(): Promise<SourceProblem | null> {
    const { needed, inside } = this.#roots;
    const problem = (await sourceProblem(needed, this.#wasFound)) ?? (await this.problem());
    if (problem) return problem;
    this.#wasFound = true;
    if (this.isDue('links', linksMs)) {
      const stays = await Promise.all(inside.map((folder) => staysInside(this.path, folder)));
      this.#linksStayInside = !stays.includes(false);
    }
    return this.#linksStayInside
      ? null
      : { ok: false, detail: 'contains a link that points outside; it is not followed' };
  }

  async #endedAmong(entries: readonly RegistryEntry[]): Promise<ReadonlySet<number>> {
    const live = entries.filter(({ liveness }) => liveness === 'live');
    await this.#ended.check(new Map(live.map(({ pid }) => [pid, this.startOf(pid)])));
    return this.#ended.all();
  }
}

const processesMs = 1_800;
const linksMs = 5_000;

/** Whether a task is due again; the first time is now. */
export function createSchedule(clock: Pick<Clock, 'monotonic'>): (task: string, everyMs: number) => boolean {
  const lastRun = new Map<string, number>();
  return (task, everyMs) => {
    const now = clock.monotonic();
    const before = lastRun.get(task);
    if (before !== undefined && now - before < everyMs) return false;
    lastRun.set(task, now);
    return true;
  };
}
