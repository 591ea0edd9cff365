import { join } from 'node:path';
import { platform } from '../../../platform/platform.ts';
import { hasCwd, type ProcessTable, type ToolProcesses } from '../../../platform/processes.ts';
import { toolCallPattern } from '../hooks.ts';
import type { PollScope, ToolProcess } from '../ports.ts';
import { claude } from '../tools/claude.ts';
import { ClaudeProjects } from './claude-projects.ts';
import { createClaudeRegistry, type RegistryScan } from './claude-registry.ts';
import { fileStampOf, forEachLimited } from './folder-listing.ts';
import { PolledReader, type ReaderOptions, type ReaderState } from './polled-reader.ts';
import { forbidden, type SourceProblem } from './source-problem.ts';

type ClaudeSessionsOptions = ReaderOptions & {
  processes?: ProcessTable;
  toolProcesses?: Pick<ToolProcesses, 'list'>;
};

/** How often to check for changes that no folder watch reported: while watches work, and where only polling helps. */
const watchedMs = { registry: 1_800, tails: 2_800, folders: 10_000, allFiles: 30_000 };
const polledMs = { registry: 900, tails: 900, folders: 4_000, allFiles: 15_000 };
const maxWatches = 256;
const recentMs = 24 * 60 * 60_000;
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

  /** New calls are at the end of files that were written just now. */
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
    // The first listing has just read them all.
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
