import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../../kernel/clock.ts';
import { codexHeadReader, codexTailReader } from '../codex-transcript.ts';
import type { RegistryEntry, SessionSource, SourceScan, Transcript } from '../ports.ts';
import { type FileStamp, fileStampOf, forEachLimited, isSameStamp, listFolder, staysInside } from './folder-listing.ts';
import { createFolderWatches } from './folder-watches.ts';
import { createSchedule } from './schedule.ts';
import { systemToolProcesses, type ToolProcesses } from './tool-processes.ts';
import { TranscriptFiles } from './transcript-files.ts';

export type CodexSessionsOptions = {
  path: string;
  clock: Pick<Clock, 'monotonic' | 'wall'>;
  processes?: Pick<ToolProcesses, 'openFiles'>;
  watches?: boolean;
};

const rollout = /^rollout-.*-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/i;
const pollMs = { processes: 1_800, folders: 4_000, allFiles: 20_000 };
const recentMs = 24 * 60 * 60_000;
const maxWatches = 16;
/** A desktop server keeps the files of old sessions open: of several only the fresh ones live. */
const freshMs = 30 * 60_000;

type OpenFiles = ReadonlyMap<number, readonly string[]>;

/** Sessions of the Codex CLI: `sessions/YYYY/MM/DD/rollout-*.jsonl`, which a living process holds open. */
export class CodexSessions implements SessionSource {
  readonly #path: string;
  readonly #root: string;
  readonly #clock: CodexSessionsOptions['clock'];
  readonly #processes: Pick<ToolProcesses, 'openFiles'>;
  readonly #watches: boolean;
  readonly #due: ReturnType<typeof createSchedule>;
  readonly #days = new Map<string, FileStamp>();
  readonly #changedPaths = new Set<string>();
  readonly #files = new TranscriptFiles({ head: codexHeadReader, tail: codexTailReader }, (path) => ({
    sessionId: rollout.exec(basename(path))?.[1]?.toLowerCase() ?? '',
    folder: dirname(path),
  }));
  #openFiles: OpenFiles | null = new Map();
  #processesCheckedAt = 0;
  #notifyChange: () => void = () => undefined;
  readonly #folderWatches = createFolderWatches((paths) => {
    for (const path of paths) this.#changedPaths.add(path);
    this.#notifyChange();
  });

  constructor({ path, clock, processes, watches }: CodexSessionsOptions) {
    this.#path = path;
    this.#root = join(path, 'sessions');
    this.#clock = clock;
    this.#processes = processes ?? systemToolProcesses('codex');
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

  async parentsOf(): Promise<ReadonlyMap<string, string>> {
    return new Map();
  }

  async scan(): Promise<SourceScan> {
    const found = { tool: 'codex', path: this.#path, processCwds: [], processesCheckedAt: this.#processesCheckedAt };
    const emptyScan = { ...found, registry: 'unused', entries: [], transcripts: [] } as const;
    const hasNoTranscripts = this.#files.transcripts().length === 0;
    if (!(await fileStampOf(this.#root))) return { ...emptyScan, ok: hasNoTranscripts, detail: 'directory not found' };
    if (!(await staysInside(this.#path, this.#root))) {
      return { ...emptyScan, ok: false, detail: 'a link leads out of it and is not followed' };
    }
    await this.#poll();
    const entries = this.#openFiles ? this.#entries(this.#openFiles) : [];
    const detail = this.#watches ? this.#folderWatches.failure() : 'polled';
    const registry = this.#openFiles ? 'clean' : 'degraded';
    const transcripts = this.#files.transcripts().filter(({ subagent }) => !subagent);
    return { ...found, processesCheckedAt: this.#processesCheckedAt, registry, entries, transcripts, ok: true, detail };
  }

  async #poll(): Promise<void> {
    const hints = [...this.#changedPaths].filter((path) => rollout.test(basename(path)));
    this.#changedPaths.clear();
    if (this.#due('folders', pollMs.folders)) await this.#listDays(this.#root, 0);
    const files = this.#files.paths();
    if (this.#due('processes', pollMs.processes)) {
      this.#processesCheckedAt = this.#clock.monotonic();
      this.#openFiles = files.length === 0 ? new Map() : await this.#processes.openFiles();
    }
    const open = [...(this.#openFiles?.values() ?? [])].flat().filter((path) => this.#files.get(path));
    await this.#files.read(this.#due('allFiles', pollMs.allFiles) ? files : [...hints, ...open]);
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
    const recent = this.#files.transcripts().filter(({ lastAt }) => (lastAt ?? 0) > since);
    this.#folderWatches.watchOnly([...new Set(recent.map(({ folder }) => folder))].slice(0, maxWatches));
  }

  #entries(openFiles: OpenFiles): RegistryEntry[] {
    const now = this.#clock.wall();
    return [...openFiles].flatMap(([pid, paths]) => {
      const open = [...new Set(paths)].flatMap((path) => this.#files.get(path) ?? []).filter((one) => !one.subagent);
      const living = open.length === 1 ? open : open.filter(({ lastAt }) => now - (lastAt ?? 0) < freshMs);
      return living.map((transcript) => entryOf(pid, transcript));
    });
  }
}

const entryOf = (pid: number, { sessionId, cwd, firstAt }: Transcript): RegistryEntry => ({
  pid,
  sessionId,
  liveness: 'live',
  status: null,
  waitingFor: null,
  cwd,
  entrypoint: null,
  name: null,
  startedAt: firstAt,
  updatedAt: null,
  statusUpdatedAt: null,
});
