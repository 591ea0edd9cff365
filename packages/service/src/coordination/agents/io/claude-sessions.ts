import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readFileStart, withSafeFile } from '../../../files/safe-file.ts';
import { platform } from '../../../platform/platform.ts';
import { hasCwd, type ProcessTable, type ToolProcesses } from '../../../platform/processes.ts';
import { sessionIdPattern, toolCallPattern } from '../hooks.ts';
import type { PollScope, RegistryEntry, SessionScan, ToolProcess, Transcript } from '../ports.ts';
import { parseRegistryFile, type RegistryFile } from '../registry-file.ts';
import { livenessOf, type RunningProcesses } from '../session-observation.ts';
import { claude } from '../tools/claude.ts';
import { EndedProcesses } from './ended-processes.ts';
import { type FileStamp, fileStampOf, forEachLimited, isSameStamp, listFolder } from './folder-listing.ts';
import { PolledReader, type ReaderOptions, type ReaderState } from './polled-reader.ts';
import { forbidden, type SourceProblem } from './source-problem.ts';
import { recentMs, TranscriptFiles } from './transcript-files.ts';

type ClaudeSessionsOptions = ReaderOptions & {
  processes?: ProcessTable;
  toolProcesses?: Pick<ToolProcesses, 'list'>;
};

/** How often to check for changes that no folder watch reported: while watches work, and if only polling is possible. */
const watchedMs = { registry: 1_800, tails: 2_800, folders: 10_000, allFiles: 30_000 };
const polledMs = { registry: 900, tails: 900, folders: 4_000, allFiles: 15_000 };
const maxWatches = 256;
const toolCallMs = 5 * 60_000;

const nothingRead: ReaderState = {
  registry: 'unused',
  entries: [],
  ended: new Set(),
  transcripts: new Map(),
  changed: new Set(),
  processes: [],
  failure: null,
};

/** One configuration directory of Claude Code: its registry of live processes and its transcripts. */
export class ClaudeSessions extends PolledReader {
  readonly tool = claude.name;
  readonly #registryPath: string;
  readonly #projectsPath: string;
  readonly #toolProcesses: Pick<ToolProcesses, 'list'>;
  readonly #registry: { scan(): Promise<RegistryScan> };
  readonly #projects: ClaudeProjects;
  #latestRegistry: RegistryScan = { registry: 'unused', entries: [], ended: new Set(), unreadable: false };
  #running: readonly ToolProcess[] = [];
  #watched: readonly string[] = [];
  #readable = true;
  #listed = false;

  constructor({
    processes = platform.processes,
    toolProcesses = platform.toolProcesses('claude'),
    ...options
  }: ClaudeSessionsOptions) {
    const [registry, projects] = [join(options.path, 'sessions'), join(options.path, 'projects')];
    super(options, { needed: options.path, inside: [registry, projects] }, processes);
    this.#registryPath = registry;
    this.#projectsPath = projects;
    this.#toolProcesses = toolProcesses;
    this.#registry = createClaudeRegistry(registry, processes);
    this.#projects = new ClaudeProjects(projects);
  }

  parentsOf(agentIds: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    return this.#projects.parentsOf(agentIds);
  }

  /** A new call is at the end of a recently written file. */
  async sessionOfToolCall(toolCallId: string): Promise<string | null> {
    if (!toolCallPattern.test(toolCallId)) return null;
    return this.#projects.sessionOfToolCall(toolCallId, this.clock.wall() - toolCallMs);
  }

  protected override async problem(): Promise<SourceProblem | null> {
    return (await fileStampOf(this.path))?.isFile ? { ok: false, detail: 'not a directory' } : null;
  }

  protected override processesMs(): number {
    return this.#every('registry');
  }

  protected async checkProcesses(): Promise<void> {
    this.#latestRegistry = await this.#registry.scan();
    const withTranscript = this.#projects.transcripts();
    const fresh = this.#latestRegistry.entries.filter(
      ({ liveness, sessionId }) => liveness === 'live' && !withTranscript.has(sessionId),
    );
    await forEachLimited(fresh, 8, async ({ sessionId, cwd }) => {
      if (cwd !== null) await this.#projects.readExpected(sessionId, cwd);
    });
    const isUnregistered = this.#latestRegistry.registry === 'unused' && withTranscript.size > 0;
    this.#running = isUnregistered ? (await this.#toolProcesses.list()).filter(hasCwd) : [];
  }

  protected async read(changedPaths: readonly string[], scope: PollScope, checked: boolean): Promise<void> {
    const ofProjects = changedPaths.filter((one) => one.startsWith(this.#projectsPath));
    if (!checked && ofProjects.length < changedPaths.length) await this.checkNow();
    await this.#readFiles(ofProjects, scope === 'all');
    if (checked || changedPaths.some((one) => !one.endsWith('.jsonl'))) this.#watched = this.#recentFolders();
  }

  protected sessionCount(): number {
    return this.#projects.transcripts().size;
  }

  protected state(unreadable: boolean): ReaderState {
    if (unreadable) return nothingRead;
    const { registry, entries, ended, unreadable: isClosed } = this.#latestRegistry;
    return {
      registry,
      entries,
      ended,
      transcripts: this.#projects.transcripts(),
      changed: this.#projects.takeChanged(),
      processes: this.#running,
      failure: isClosed || !this.#readable ? forbidden(this.path) : null,
      detail: registryDetail(registry, entries),
    };
  }

  protected foldersToWatch(): readonly string[] {
    return this.#watched;
  }

  #every(task: keyof typeof polledMs): number {
    return (this.isWatched() ? watchedMs : polledMs)[task];
  }

  async #readFiles(hints: readonly string[], all: boolean): Promise<void> {
    const files = hints.filter((one) => one.endsWith('.jsonl'));
    const isListed = this.isDue('folders', this.#every('folders')) || all || files.length < hints.length;
    if (isListed) this.#readable = await this.#projects.list();
    // The first listing has just read all of them.
    const first = this.#projects.transcripts().size > 0 && !this.#listed;
    this.#listed ||= first;
    if (this.isDue('allFiles', this.#every('allFiles')) && !first) return this.#projects.refresh();
    const isTailed = this.isDue('tails', this.#every('tails')) || all;
    const living = this.#latestRegistry.entries.filter(({ liveness }) => liveness === 'live');
    const tailed = isTailed ? this.#projects.pathsOf(living.map(({ sessionId }) => sessionId)) : [];
    await this.#projects.refresh(tailed, files);
  }

  #recentFolders(): readonly string[] {
    const since = this.clock.wall() - recentMs;
    const named = new Set(this.#latestRegistry.entries.map(({ sessionId }) => sessionId));
    const folders = new Set<string>();
    for (const { sessionId, folder, lastAt } of this.#projects.transcripts().values()) {
      if (named.has(sessionId) || (lastAt ?? 0) > since) folders.add(join(this.#projectsPath, folder));
    }
    return [this.#registryPath, this.#projectsPath, ...folders].slice(0, maxWatches);
  }
}

function registryDetail(registry: RegistryScan['registry'], entries: RegistryScan['entries']): string | null {
  if (registry === 'degraded') return 'cannot read the registry file of a live process';
  const isShared = entries.some(({ liveness }) => liveness === 'foreign');
  return isShared
    ? 'shared with a container or another system, whose processes cannot be seen from here; run "signalbox observe" there'
    : null;
}

export type RegistryScan = Pick<SessionScan, 'registry' | 'entries' | 'ended'> & { unreadable: boolean };

type CachedFile = {
  stamp: FileStamp;
  content: RegistryFile | 'broken' | 'empty';
  entry: RegistryEntry | null;
  /** Sessions that the same process served before. */
  formerIds: readonly string[];
  /** Its process was seen on this machine, so a missing process has ended. */
  wasHere: boolean;
};

const maxBytes = 64 * 1024;
const maxFormerIds = 20;
/** A file read in the middle of a write is complete by then. */
const retryMs = 150;

/** The live-process registry of Claude Code: `sessions/<pid>.json`, one small file per process. */
export function createClaudeRegistry(folder: string, processes: ProcessTable): { scan(): Promise<RegistryScan> } {
  const cache = new Map<number, CachedFile>();
  const ended = new EndedProcesses(processes);
  const pathOf = (pid: number) => join(folder, `${pid}.json`);

  async function refresh(pid: number): Promise<void> {
    const mark = await fileStampOf(pathOf(pid));
    if (!mark) {
      cache.delete(pid);
      return;
    }
    const cached = cache.get(pid);
    if (cached && cached.content !== 'broken' && isSameStamp(cached.stamp, mark)) return;
    const text = mark.isFile ? await readFileStart(pathOf(pid), maxBytes) : null;
    const content = text === null ? 'broken' : parseRegistryFile(pid, text);
    cache.set(pid, { stamp: mark, content, entry: null, formerIds: formerIdsOf(cached, content), wasHere: false });
  }

  const broken = () => [...cache].filter(([, { content: read }]) => read === 'broken').map(([pid]) => pid);

  return {
    async scan() {
      const names = await listFolder(folder);
      const none = { entries: [], ended: ended.all() };
      if (names === 'closed') return { ...none, registry: 'degraded', unreadable: true };
      if (names === 'missing') return { ...none, registry: 'unused', unreadable: false };
      const pids = names.files.flatMap((name) => /^([1-9]\d{0,9})\.json$/.exec(name)?.[1] ?? []).map(Number);
      const present = new Set(pids);
      for (const pid of cache.keys()) if (!present.has(pid)) cache.delete(pid);
      await forEachLimited(pids, 8, refresh);

      const living = await processes.startTimes(pids);
      const unread = () => broken().filter((pid) => living.has(pid));
      if (unread().length > 0) {
        await pause(retryMs);
        await forEachLimited(unread(), 8, refresh);
      }
      const legacyOnly = pids.length === 0 && names.files.some((name) => /^pid-\d+\.json$/.test(name));
      // A half-written file of a dead process identifies no process.
      const registry = legacyOnly ? 'unused' : unread().length > 0 ? 'degraded' : 'clean';
      const entries = entriesOf(cache, { living, own: processes.startFormat }, processes);
      await ended.check(new Map([...living].filter(([pid]) => cache.get(pid)?.entry?.liveness === 'live')));
      return { registry, entries, ended: ended.all(), unreadable: false };
    },
  };
}

/** After `/clear` or `/resume` the file of a process names another session. */
function formerIdsOf(before: CachedFile | undefined, content: CachedFile['content']): readonly string[] {
  if (!before || typeof before.content === 'string' || typeof content === 'string') return before?.formerIds ?? [];
  if (before.content.procStart !== content.procStart) return [];
  const { sessionId } = before.content;
  const former = before.formerIds.filter((id) => id !== content.sessionId && id !== sessionId);
  return sessionId === content.sessionId ? former : [...former, sessionId].slice(-maxFormerIds);
}

/** Returns the same objects while neither the file nor its process has changed. */
function entriesOf(
  cache: ReadonlyMap<number, CachedFile>,
  running: RunningProcesses,
  processes: Pick<ProcessTable, 'inOtherNamespaces'>,
): RegistryEntry[] {
  const found = [...cache.values()].flatMap((cached) => {
    if (typeof cached.content === 'string') return [];
    const { procStart, ...entry } = cached.content;
    const liveness = livenessOf(entry.pid, procStart, running);
    cached.wasHere ||= liveness === 'live';
    return [{ cached, entry, procStart, liveness }];
  });
  // An ended process never returns with the same start time, so one check is enough.
  const missing = found.flatMap(({ cached, entry, procStart, liveness }) =>
    (liveness === 'dead' || liveness === 'reused') && !cached.wasHere && procStart !== null
      ? [[entry.pid, procStart] as const]
      : [],
  );
  const elsewhere = processes.inOtherNamespaces?.(new Map(missing)) ?? new Set();
  return found.map(({ cached, entry, liveness: seen }) => {
    const liveness = elsewhere.has(entry.pid) ? 'foreign' : seen;
    if (cached.entry?.liveness !== liveness) cached.entry = { ...entry, liveness, formerIds: cached.formerIds };
    return cached.entry;
  });
}

const isTranscript = (name: string) => name.endsWith('.jsonl') && sessionIdPattern.test(name.slice(0, -6));

/** The tool's folder name for a directory; the directory cannot be derived from it. */
const folderNameOf = (cwd: string): string => cwd.replace(/[^a-zA-Z0-9]/g, '-');

/** How many bytes at the end of a file are searched for a tool call. */
const searchedBytes = 2 * 1024 * 1024;

const endHolds = async (path: string, text: string, writtenSince: number): Promise<boolean> =>
  (await withSafeFile(path, async (file) => {
    if (file.mtimeMs < writtenSince) return false;
    const from = Math.max(0, file.size - searchedBytes);
    return (await file.read(from, file.size - from)).includes(`"${text}"`);
  })) ?? false;

/** The transcripts of Claude Code: `projects/<folder>/<sessionId>.jsonl`. */
export class ClaudeProjects {
  readonly #root: string;
  readonly #folders = new Map<string, FileStamp>();
  readonly #files = new TranscriptFiles(claude.sessions.format, (path) => ({
    sessionId: basename(path, '.jsonl').toLowerCase(),
    folder: basename(dirname(path)),
  }));

  constructor(root: string) {
    this.#root = root;
  }

  transcripts(): ReadonlyMap<string, Transcript> {
    return this.#files.bySession();
  }

  takeChanged(): ReadonlySet<string> {
    return this.#files.takeChanged();
  }

  /** Finds folders and files that appeared or disappeared. False when the folder of projects cannot be read. */
  async list(): Promise<boolean> {
    const names = await listFolder(this.#root);
    if (names === 'closed') return false;
    const present = new Set(names === 'missing' ? [] : names.folders);
    for (const folder of [...this.#folders.keys()]) {
      if (present.has(folder)) continue;
      this.#folders.delete(folder);
      await this.#files.syncFolder([], (path) => dirname(path) === join(this.#root, folder));
    }
    await forEachLimited([...present], 16, (folder) => this.#listFolder(folder));
    return true;
  }

  /** Reads the paths in `paths` (default: all) that have changed, and all paths in `changed`. */
  async refresh(paths: readonly string[] = this.#files.paths(), changed: readonly string[] = []): Promise<void> {
    const isOwn = (path: string) => dirname(dirname(path)) === this.#root && isTranscript(basename(path));
    if (changed.length > 0) await this.#files.readChanged(changed.filter(isOwn));
    await this.#files.read(paths.filter(isOwn));
  }

  /** Looks for the file of a session where its tool would put it, before the next listing finds it. */
  readExpected(sessionId: string, cwd: string): Promise<void> {
    return this.refresh([join(this.#root, folderNameOf(cwd), `${sessionId}.jsonl`)]);
  }

  pathsOf(sessionIds: Iterable<string>): string[] {
    return this.#files.pathsOf(sessionIds);
  }

  /** A subagent's records are below a folder that is named after the session it serves. One walk finds all of them. */
  async parentsOf(agentIds: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    await forEachLimited([...this.#folders.keys()], 4, async (folder) => {
      const names = await listFolder(join(this.#root, folder));
      const sessions = typeof names === 'string' ? [] : names.folders.filter((name) => sessionIdPattern.test(name));
      await forEachLimited(sessions, 4, async (sessionId) => {
        const records = await listFolder(join(this.#root, folder, sessionId, 'subagents'));
        for (const name of typeof records === 'string' ? [] : records.files) {
          const agentId = /^agent-(.+)\.jsonl$/.exec(name)?.[1];
          if (agentId !== undefined && agentIds.has(agentId)) found.set(agentId, sessionId.toLowerCase());
        }
      });
    });
    return found;
  }

  /** Finds the record of a tool call: at the end of a recently written transcript of the session or of a subagent. */
  async sessionOfToolCall(toolCallId: string, writtenSince: number): Promise<string | null> {
    const isRecent = ({ lastAt }: Transcript) => (lastAt ?? 0) >= writtenSince;
    const recent = [...this.#files.bySession().values()].filter(isRecent);
    const found: string[] = [];
    await forEachLimited(recent, 4, async ({ sessionId }) => {
      for (const path of this.#files.pathsOf([sessionId])) {
        const folder = join(path.slice(0, -'.jsonl'.length), 'subagents');
        const names = await listFolder(folder);
        const served = typeof names === 'string' ? [] : names.files.filter((name) => name.endsWith('.jsonl'));
        for (const file of [path, ...served.map((name) => join(folder, name))]) {
          if (found.length === 0 && (await endHolds(file, toolCallId, writtenSince))) found.push(sessionId);
        }
      }
    });
    return found[0] ?? null;
  }

  async #listFolder(folder: string): Promise<void> {
    const path = join(this.#root, folder);
    const stamp = await fileStampOf(path);
    const before = this.#folders.get(folder);
    if (!stamp || (before && isSameStamp(before, stamp))) return;
    const names = await listFolder(path);
    if (typeof names === 'string') return;
    this.#folders.set(folder, stamp);
    const files = names.files.filter(isTranscript).map((name) => join(path, name));
    await this.#files.syncFolder(files, (file) => dirname(file) === path);
  }
}
