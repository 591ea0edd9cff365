import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../../kernel/clock.ts';
import { platform } from '../../../platform/platform.ts';
import type { RunningProcess, ToolProcesses } from '../../../platform/processes.ts';
import { codexEntries } from '../codex-processes.ts';
import { codexHeadReader, codexTailReader } from '../codex-transcript.ts';
import type { SourceStatus } from '../contract.ts';
import type { PollScope, RegistryEntry, SessionReader, SessionScan } from '../ports.ts';
import { codexUsage } from '../usage-formats.ts';
import { EndedProcesses } from './ended-processes.ts';
import { type FileStamp, fileStampOf, forEachLimited, isSameStamp, listFolder, staysInside } from './folder-listing.ts';
import { createFolderWatches } from './folder-watches.ts';
import { createSchedule } from './schedule.ts';
import { polledOnly, type SourceProblem, sourceProblem } from './source-problem.ts';
import { TranscriptFiles } from './transcript-files.ts';

export type CodexSessionsOptions = {
  path: string;
  clock: Pick<Clock, 'monotonic' | 'wall'>;
  processes?: ToolProcesses;
  watches?: boolean;
};

/** The rest of the name is the time it began. */
const rollout = /^rollout-[\dT:.-]{0,40}-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/i;
const pollMs = { processes: 1_800, folders: 4_000, allFiles: 20_000 };
const recentMs = 24 * 60 * 60_000;
const maxWatches = 16;
const format = { head: codexHeadReader, tail: codexTailReader, usage: codexUsage };

/** Sessions of the Codex CLI: `sessions/YYYY/MM/DD/rollout-*.jsonl`, which a living process holds open. */
export class CodexSessions implements SessionReader {
  readonly tool = 'codex';
  readonly #path: string;
  readonly #root: string;
  readonly #clock: CodexSessionsOptions['clock'];
  readonly #processes: ToolProcesses;
  readonly #watches: boolean;
  readonly #due: ReturnType<typeof createSchedule>;
  readonly #days = new Map<string, FileStamp>();
  readonly #changedPaths = new Set<string>();
  readonly #files = new TranscriptFiles(format, (path) => ({
    sessionId: rollout.exec(basename(path))?.[1]?.toLowerCase() ?? '',
    folder: dirname(path),
  }));
  readonly #hadTerminal = new Set<string>();
  readonly #ended = new EndedProcesses({ startTimes: async () => this.#startTimes() });
  /** Null where the system does not tell which files are open. */
  #openFiles: ReadonlyMap<number, readonly string[]> | null = new Map();
  #running: readonly RunningProcess[] = [];
  #status: SourceStatus;
  #processesCheckedAt = 0;
  #filesChecked = 0;
  #notifyChange: () => void = () => undefined;
  readonly #folderWatches = createFolderWatches((paths) => {
    for (const path of paths) this.#changedPaths.add(path);
    this.#notifyChange();
  });

  constructor({ path, clock, processes, watches }: CodexSessionsOptions) {
    this.#path = path;
    this.#status = { tool: this.tool, path, ok: true, detail: null };
    this.#root = join(path, 'sessions');
    this.#clock = clock;
    this.#processes = processes ?? platform.toolProcesses('codex');
    this.#watches = watches ?? true;
    this.#due = createSchedule(clock);
  }

  onChange(wake: () => void): () => void {
    this.#notifyChange = wake;
    return () => {
      this.#notifyChange = () => undefined;
      this.#folderWatches.close();
    };
  }

  sources(): readonly SourceStatus[] {
    return [this.#status];
  }

  async poll(scope: PollScope = 'due'): Promise<SessionScan> {
    const problem = await this.#problem();
    if (!problem) await this.#read(scope);
    const detail = this.#processes.trouble?.() ?? (this.#watches ? this.#folderWatches.failure() : polledOnly);
    this.#status = { tool: this.tool, path: this.#path, ...(problem ?? { ok: true, detail }) };
    const entries = problem ? [] : this.#entries();
    await this.#ended.check(new Map(entries.map(({ pid }) => [pid, this.#startTimes().get(pid) ?? null])));
    return {
      ...this.#status,
      registry: problem ? 'unused' : this.#openFiles ? 'clean' : 'degraded',
      entries,
      ended: this.#ended.all(),
      transcripts: this.#files.bySession(),
      changed: this.#files.takeChanged(),
      processes: [],
      processesCheckedAt: this.#processesCheckedAt,
    };
  }

  async #problem(): Promise<SourceProblem | null> {
    const problem = await sourceProblem(this.#root, this.#files.bySession().size > 0);
    if (problem) return problem;
    if (await staysInside(this.#path, this.#root)) return null;
    return { ok: false, detail: 'a link leads out of it and is not followed' };
  }

  async #read(scope: PollScope): Promise<void> {
    const hints = [...this.#changedPaths].filter((path) => rollout.test(basename(path)));
    this.#changedPaths.clear();
    await this.#files.readChanged(hints);
    if (this.#due('folders', pollMs.folders) || scope === 'all') await this.#listDays(this.#root, 0);
    const files = this.#files.paths();
    // Whose process was never seen cannot be told to have ended, so a new file does not wait for its turn.
    const isNew = files.length > this.#filesChecked;
    this.#filesChecked = files.length;
    if (this.#due('processes', pollMs.processes) || scope !== 'due' || isNew) {
      this.#processesCheckedAt = this.#clock.monotonic();
      this.#openFiles = files.length === 0 ? new Map() : await this.#processes.openFiles();
      this.#running = files.length === 0 ? [] : await this.#processes.list();
    }
    const open = [...(this.#openFiles?.values() ?? [])].flat().filter((path) => this.#files.get(path));
    await this.#files.read(this.#due('allFiles', pollMs.allFiles) ? files : open);
    if (this.#watches) this.#watchRecent();
  }

  /** Years, months, days. A day that did not change is not read again. */
  async #listDays(folder: string, depth: number): Promise<void> {
    const mark = await fileStampOf(folder);
    const before = this.#days.get(folder);
    if (!mark || (before && isSameStamp(before, mark))) return;
    const names = await listFolder(folder);
    if (typeof names === 'string') return;
    if (depth < 3) {
      const below = names.folders.filter((name) => /^\d{2,4}$/.test(name));
      await forEachLimited(below, 4, (name) => this.#listDays(join(folder, name), depth + 1));
      return;
    }
    this.#days.set(folder, mark);
    const files = names.files.filter((name) => rollout.test(name)).map((name) => join(folder, name));
    await this.#files.syncFolder(files, (path) => dirname(path) === folder);
  }

  #watchRecent(): void {
    const since = this.#clock.wall() - recentMs;
    const recent = [...this.#files.bySession().values()].filter(({ lastAt }) => (lastAt ?? 0) > since);
    this.#folderWatches.watchOnly([...new Set(recent.map(({ folder }) => folder))].slice(0, maxWatches));
  }

  #entries(): RegistryEntry[] {
    const openFiles = this.#openFiles ?? new Map<number, readonly string[]>();
    const running = new Map(this.#running.map((one) => [one.pid, one]));
    const pids = new Set([...openFiles.keys(), ...running.keys()]);
    const processes = [...pids].map((pid) => {
      const { cwd = null, startedAt = null, args = [] } = running.get(pid) ?? {};
      const open = [...new Set(openFiles.get(pid))].flatMap((path) => this.#files.get(path) ?? []);
      return { pid, cwd, startedAt, args, rollouts: open.filter(({ subagent }) => !subagent) };
    });
    return this.#openFiles ? codexEntries(processes, this.#hadTerminal, this.#clock.wall()) : [];
  }

  #startTimes(): ReadonlyMap<number, string | null> {
    return new Map(this.#running.map(({ pid, startedAt }) => [pid, startedAt === null ? null : String(startedAt)]));
  }
}
