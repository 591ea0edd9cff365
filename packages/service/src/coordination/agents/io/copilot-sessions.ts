import { basename, dirname, join } from 'node:path';
import { platform } from '../../../platform/platform.ts';
import { isOlderThan } from '../../../platform/process-start.ts';
import type { ProcessTable } from '../../../platform/processes.ts';
import { sessionIdPattern } from '../hooks.ts';
import type { PollScope, RegistryEntry } from '../ports.ts';
import { entryFor } from '../processes-by-directory.ts';
import { copilot } from '../tools/copilot.ts';
import { type FileStamp, fileStampOf, forEachLimited, isSameStamp, listFolder } from './folder-listing.ts';
import { PolledReader, type ReaderOptions, type ReaderState } from './polled-reader.ts';
import { TranscriptFiles } from './transcript-files.ts';

const lockFile = /^inuse\.([1-9]\d{0,9})\.lock$/;
const pollMs = { folders: 2_000, allFiles: 20_000 };
const maxWatches = 64;

/** A process that locked a session, identified by pid and lock time, because pids are reused. */
type SessionLock = { pid: number; at: number };

type StartOf = (pid: number) => Promise<number | null>;

type CopilotSessionsOptions = ReaderOptions & {
  processes?: Pick<ProcessTable, 'startTimes'>;
  startOf?: StartOf;
};

/** Sessions of the GitHub Copilot CLI: `session-state/<id>/events.jsonl`, with `inuse.<pid>.lock` beside it while it runs. */
export class CopilotSessions extends PolledReader {
  readonly tool = copilot.name;
  readonly #root: string;
  readonly #processes: Pick<ProcessTable, 'startTimes'>;
  readonly #startOf: StartOf;
  readonly #folders = new Map<string, FileStamp>();
  readonly #locks = new Map<string, readonly SessionLock[]>();
  readonly #files = new TranscriptFiles(copilot.sessions.format, (path) => ({
    sessionId: basename(dirname(path)).toLowerCase(),
    folder: dirname(path),
  }));
  /** The live pids with their start times, if known. */
  #living: ReadonlyMap<number, number | null> = new Map();

  constructor({ processes = platform.processes, startOf = platform.processStart, ...options }: CopilotSessionsOptions) {
    const root = join(options.path, 'session-state');
    super(options, { needed: root, inside: [root] }, processes);
    this.#root = root;
    this.#processes = processes;
    this.#startOf = startOf;
  }

  protected async checkProcesses(): Promise<void> {
    const pids = [...this.#locks.values()].flat().map(({ pid }) => pid);
    const living = [...(await this.#processes.startTimes(pids)).keys()];
    this.#living = new Map(await Promise.all(living.map(async (pid) => [pid, await this.#startOf(pid)] as const)));
  }

  protected async read(changedPaths: readonly string[], scope: PollScope): Promise<void> {
    const events = changedPaths.filter((path) => basename(path) === 'events.jsonl' && this.#files.get(path));
    const listed = events.length < changedPaths.length || scope === 'all' || this.isDue('folders', pollMs.folders);
    if (listed && (await this.#listSessions())) await this.checkProcesses();
    const live = [...this.#locks.keys()].map((folder) => join(folder, 'events.jsonl'));
    await this.#files.read(this.isDue('allFiles', pollMs.allFiles) ? this.#files.paths() : [...events, ...live]);
  }

  protected sessionCount(): number {
    return this.#files.paths().length;
  }

  protected state(): ReaderState {
    return {
      registry: 'clean',
      entries: [...this.#locks].flatMap(([folder, locks]) => this.#entriesOf(folder, locks)),
      transcripts: this.#files.bySession(),
      changed: this.#files.takeChanged(),
      failure: null,
    };
  }

  protected foldersToWatch(): readonly string[] {
    const folders = new Set([...this.#locks.keys(), ...this.#files.recentFolders(this.clock.wall())]);
    return [this.#root, ...folders].slice(0, maxWatches);
  }

  /** True if a session was locked since the last check. */
  async #listSessions(): Promise<boolean> {
    const names = await listFolder(this.#root);
    if (typeof names === 'string') return false;
    const present = new Set(
      names.folders.filter((name) => sessionIdPattern.test(name)).map((name) => join(this.#root, name)),
    );
    for (const folder of [...this.#folders.keys()].filter((one) => !present.has(one))) {
      this.#folders.delete(folder);
      this.#locks.delete(folder);
      await this.#files.syncFolder([], (path) => dirname(path) === folder);
    }
    let locked = false;
    await forEachLimited([...present], 8, async (folder) => {
      locked = (await this.#listSession(folder)) || locked;
    });
    return locked;
  }

  async #listSession(folder: string): Promise<boolean> {
    const stamp = await fileStampOf(folder);
    const before = this.#folders.get(folder);
    if (!stamp || (before && isSameStamp(before, stamp))) return false;
    const names = await listFolder(folder);
    if (typeof names === 'string') return false;
    this.#folders.set(folder, stamp);
    const locks: SessionLock[] = [];
    for (const name of names.files) {
      const pid = lockFile.exec(name)?.[1];
      const lock = pid === undefined ? null : await fileStampOf(join(folder, name));
      if (lock) locks.push({ pid: Number(pid), at: lock.mtimeMs });
    }
    if (locks.length > 0) this.#locks.set(folder, locks);
    else this.#locks.delete(folder);
    const files = names.files.includes('events.jsonl') ? [join(folder, 'events.jsonl')] : [];
    await this.#files.syncFolder(files, (path) => dirname(path) === folder);
    return locks.some(({ pid }) => !this.#living.has(pid));
  }

  /** A lock left by a killed process refers to a dead pid. */
  #entriesOf(folder: string, locks: readonly SessionLock[]): RegistryEntry[] {
    const transcript = this.#files.get(join(folder, 'events.jsonl'));
    return transcript
      ? locks.map((one) => ({ ...entryFor(one.pid, transcript), liveness: this.#livenessOf(one) }))
      : [];
  }

  #livenessOf({ pid, at }: SessionLock): RegistryEntry['liveness'] {
    if (!this.#living.has(pid)) return 'dead';
    return isOlderThan(at, this.#living.get(pid) ?? null) ? 'reused' : 'live';
  }
}
