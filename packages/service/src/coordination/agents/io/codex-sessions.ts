import { basename, dirname, join } from 'node:path';
import { platform } from '../../../platform/platform.ts';
import type { RunningProcess, ToolProcesses } from '../../../platform/processes.ts';
import { codexEntries } from '../codex-processes.ts';
import type { PollScope, RegistryEntry } from '../ports.ts';
import { codex } from '../tools/codex.ts';
import { type FileStamp, fileStampOf, forEachLimited, isSameStamp, listFolder } from './folder-listing.ts';
import { PolledReader, type ReaderOptions, type ReaderState } from './polled-reader.ts';
import { TranscriptFiles } from './transcript-files.ts';

/** The rest of the name is the start time. */
const rollout = /^rollout-[\dT:.-]{0,40}-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/i;
const pollMs = { folders: 4_000, allFiles: 20_000 };
const maxWatches = 16;

/** Sessions of the Codex CLI: `sessions/YYYY/MM/DD/rollout-*.jsonl`, which a living process holds open. */
export class CodexSessions extends PolledReader {
  readonly tool = codex.name;
  readonly #root: string;
  readonly #processes: ToolProcesses;
  readonly #days = new Map<string, FileStamp>();
  readonly #files = new TranscriptFiles(codex.sessions.format, (path) => ({
    sessionId: rollout.exec(basename(path))?.[1]?.toLowerCase() ?? '',
    folder: dirname(path),
  }));
  readonly #hadTerminal = new Set<string>();
  /** Null if the system does not report which files are open. */
  #openFiles: ReadonlyMap<number, readonly string[]> | null = new Map();
  #running: readonly RunningProcess[] = [];

  constructor({
    processes = platform.toolProcesses('codex'),
    ...options
  }: ReaderOptions & { processes?: ToolProcesses }) {
    const root = join(options.path, 'sessions');
    super(options, { needed: root, inside: [root] }, { startTimes: async () => this.#startTimes() });
    this.#root = root;
    this.#processes = processes;
  }

  protected override processTrouble(): string | null {
    return this.#processes.trouble?.() ?? null;
  }

  protected override startOf(pid: number): string | null {
    return this.#startTimes().get(pid) ?? null;
  }

  protected async checkProcesses(): Promise<void> {
    const isUsed = this.#files.paths().length > 0;
    this.#openFiles = isUsed ? await this.#processes.openFiles() : new Map();
    this.#running = isUsed ? await this.#processes.list() : [];
  }

  protected async read(changedPaths: readonly string[], scope: PollScope): Promise<void> {
    await this.#files.readChanged(changedPaths.filter((path) => rollout.test(basename(path))));
    if (this.isDue('folders', pollMs.folders) || scope === 'all') await this.#listDays(this.#root, 0);
    const open = [...(this.#openFiles?.values() ?? [])].flat().filter((path) => this.#files.get(path));
    await this.#files.read(this.isDue('allFiles', pollMs.allFiles) ? this.#files.paths() : open);
  }

  protected sessionCount(): number {
    return this.#files.paths().length;
  }

  protected state(): ReaderState {
    return {
      registry: this.#openFiles ? 'clean' : 'degraded',
      entries: this.#entries(),
      transcripts: this.#files.bySession(),
      changed: this.#files.takeChanged(),
      failure: null,
    };
  }

  protected foldersToWatch(): readonly string[] {
    return this.#files.recentFolders(this.clock.wall()).slice(0, maxWatches);
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

  #entries(): RegistryEntry[] {
    const openFiles = this.#openFiles ?? new Map<number, readonly string[]>();
    const running = new Map(this.#running.map((one) => [one.pid, one]));
    const pids = new Set([...openFiles.keys(), ...running.keys()]);
    const processes = [...pids].map((pid) => {
      const { cwd = null, startedAt = null, args = [] } = running.get(pid) ?? {};
      const open = [...new Set(openFiles.get(pid))].flatMap((path) => this.#files.get(path) ?? []);
      return { pid, cwd, startedAt, args, rollouts: open.filter(({ subagent }) => !subagent) };
    });
    return this.#openFiles ? codexEntries(processes, this.#hadTerminal, this.clock.wall()) : [];
  }

  #startTimes(): ReadonlyMap<number, string | null> {
    return new Map(this.#running.map(({ pid, startedAt }) => [pid, startedAt === null ? null : String(startedAt)]));
  }
}
