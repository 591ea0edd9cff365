import type { Clock } from '../../../kernel/clock.ts';
import type { ProcessTable } from '../../../platform/processes.ts';
import type { SourceStatus } from '../contract.ts';
import type { PollScope, RegistryEntry, SessionReader, SessionScan } from '../ports.ts';
import { EndedProcesses } from './ended-processes.ts';
import { staysInside } from './folder-listing.ts';
import { createFolderWatches } from './folder-watches.ts';
import { createSchedule } from './schedule.ts';
import { polledOnly, type SourceProblem, sourceProblem } from './source-problem.ts';

export type ReaderOptions = {
  path: string;
  clock: Pick<Clock, 'monotonic' | 'wall'>;
  /** False polls only, as it must where the system has no watches left. */
  watches?: boolean;
};

/** What a reader knows after it read. `failure` is what it could not read; the rest then says nothing. */
export type ReaderState = Pick<SessionScan, 'registry' | 'entries' | 'transcripts' | 'changed'> & {
  failure: string | null;
};

/** What all readers of one directory share: when they read, what wakes them, and how they report. */
export abstract class PolledReader implements SessionReader {
  abstract readonly tool: string;
  protected readonly path: string;
  protected readonly clock: ReaderOptions['clock'];
  protected readonly isDue: ReturnType<typeof createSchedule>;
  /** What must be there and must not lead elsewhere. */
  readonly #root: string;
  readonly #watches: boolean;
  readonly #ended: EndedProcesses;
  readonly #changedPaths = new Set<string>();
  #status: SourceStatus | null = null;
  #notifyChange: () => void = () => undefined;
  #wasFound = false;
  #processesCheckedAt = 0;
  #sessionsChecked = 0;
  readonly #folderWatches = createFolderWatches((paths) => {
    for (const path of paths) this.#changedPaths.add(path);
    this.#notifyChange();
  });

  constructor(
    { path, clock, watches = true }: ReaderOptions,
    root: string,
    processes: Pick<ProcessTable, 'startTimes'>,
  ) {
    this.path = path;
    this.clock = clock;
    this.isDue = createSchedule(clock);
    this.#root = root;
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
    const { failure, ...state } = this.state();
    const fine = {
      ok: failure === null,
      detail: failure ?? this.processTrouble() ?? (this.#watches ? this.#folderWatches.failure() : polledOnly),
    };
    const status = { tool: this.tool, path: this.path, ...(problem ?? fine) };
    this.#status = status;
    const entries: readonly RegistryEntry[] = problem ? [] : state.entries;
    const live = entries.filter(({ liveness }) => liveness === 'live');
    await this.#ended.check(new Map(live.map(({ pid }) => [pid, null])));
    return {
      ...state,
      ...status,
      entries,
      registry: problem ? 'unused' : state.registry,
      ended: this.#ended.all(),
      processes: [],
      processesCheckedAt: this.#processesCheckedAt,
    };
  }

  /** Reads what changed among these paths, and what is due. */
  protected abstract read(changedPaths: readonly string[], scope: PollScope): Promise<void>;
  protected abstract checkProcesses(): Promise<void>;
  protected abstract sessionCount(): number;
  protected abstract state(): ReaderState;
  /** Why running sessions cannot be told from ended ones; null where they can. */
  protected processTrouble(): string | null {
    return null;
  }
  protected abstract foldersToWatch(): readonly string[];

  async #read(scope: PollScope): Promise<void> {
    const changedPaths = [...this.#changedPaths];
    this.#changedPaths.clear();
    if (this.isDue('processes', processesMs) || scope !== 'due') {
      this.#processesCheckedAt = this.clock.monotonic();
      await this.checkProcesses();
    }
    await this.read(changedPaths, scope);
    // Whose process was never seen cannot be told to have ended, so a new session does not wait for its turn.
    const count = this.sessionCount();
    if (count > this.#sessionsChecked) await this.checkProcesses();
    this.#sessionsChecked = count;
    if (this.#watches) this.#folderWatches.watchOnly(this.foldersToWatch());
  }

  async #problem(): Promise<SourceProblem | null> {
    const problem = await sourceProblem(this.#root, this.#wasFound);
    if (problem) return problem;
    this.#wasFound = true;
    if (await staysInside(this.path, this.#root)) return null;
    return { ok: false, detail: 'a link leads out of it and is not followed' };
  }
}

const processesMs = 1_800;
