import { join } from 'node:path';
import type { Clock } from '../../../kernel/clock.ts';
import { platform } from '../../../platform/platform.ts';
import type { ProcessTable } from '../../../platform/processes.ts';
import { hasCwd, type ToolProcesses } from '../../../platform/processes.ts';
import type { SourceStatus } from '../contract.ts';
import { toolCallPattern } from '../hooks.ts';
import type { PollScope, SessionReader, SessionScan, ToolProcess } from '../ports.ts';
import { ClaudeProjects } from './claude-projects.ts';
import { createClaudeRegistry, type RegistryScan } from './claude-registry.ts';
import { fileStampOf, forEachLimited, staysInside } from './folder-listing.ts';
import { createFolderWatches } from './folder-watches.ts';
import { createSchedule } from './schedule.ts';
import { forbidden, polledOnly, type SourceProblem, sourceProblem } from './source-problem.ts';

export type ClaudeSessionsOptions = {
  path: string;
  clock: Pick<Clock, 'monotonic' | 'wall'>;
  processes?: ProcessTable;
  toolProcesses?: Pick<ToolProcesses, 'list'>;
  /** False polls only, as it must where the system has no watches left. */
  watches?: boolean;
};

/** How often to check for changes that no folder watch reported: while watches work, and where only polling helps. */
const watchedMs = { registry: 1_800, tails: 2_800, folders: 10_000, allFiles: 30_000, links: 5_000 };
const polledMs = { registry: 900, tails: 900, folders: 4_000, allFiles: 15_000, links: 5_000 };
const maxWatches = 256;
const recentMs = 24 * 60 * 60_000;
const toolCallMs = 5 * 60_000;

const emptyScan = {
  registry: 'unused',
  entries: [],
  ended: new Set<number>(),
  transcripts: new Map<string, never>(),
  changed: new Set<string>(),
  processes: [],
  processesCheckedAt: 0,
} as const;

/** One configuration directory of Claude Code, by its registry of living processes and its transcripts. */
export class ClaudeSessions implements SessionReader {
  readonly tool = 'claude-code';
  readonly #path: string;
  readonly #registryPath: string;
  readonly #projectsPath: string;
  readonly #clock: ClaudeSessionsOptions['clock'];
  readonly #toolProcesses: Pick<ToolProcesses, 'list'>;
  readonly #watches: boolean;
  readonly #registry: { scan(): Promise<RegistryScan> };
  readonly #projects: ClaudeProjects;
  readonly #due: ReturnType<typeof createSchedule>;
  readonly #changedPaths = new Set<string>();
  #notifyChange: () => void = () => undefined;
  readonly #folderWatches = createFolderWatches((paths) => {
    for (const path of paths) this.#changedPaths.add(path);
    this.#notifyChange();
  });
  #latestRegistry: RegistryScan = { registry: 'unused', entries: [], ended: new Set(), unreadable: false };
  #running: readonly ToolProcess[] = [];
  #status: SourceStatus;
  #processesCheckedAt = 0;
  #readable = true;
  #linksStayInside = true;
  #listed = false;
  #wasFound = false;

  constructor({ path, clock, processes, toolProcesses, watches }: ClaudeSessionsOptions) {
    this.#path = path;
    this.#status = { tool: this.tool, path, ok: true, detail: null };
    this.#registryPath = join(path, 'sessions');
    this.#projectsPath = join(path, 'projects');
    this.#clock = clock;
    this.#toolProcesses = toolProcesses ?? platform.toolProcesses('claude');
    this.#watches = watches ?? true;
    this.#registry = createClaudeRegistry(this.#registryPath, processes ?? platform.processes);
    this.#projects = new ClaudeProjects(this.#projectsPath);
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
    if (!problem) {
      this.#wasFound = true;
      await this.#read(scope);
    }
    this.#status = { tool: this.tool, path: this.#path, ...(problem ?? this.#health()) };
    if (problem) return { ...this.#status, ...emptyScan };
    const { registry, entries, ended } = this.#latestRegistry;
    return {
      ...this.#status,
      registry,
      entries,
      ended,
      transcripts: this.#projects.transcripts(),
      changed: this.#projects.takeChanged(),
      processes: this.#running,
      processesCheckedAt: this.#processesCheckedAt,
    };
  }

  /** Why nothing of it is read; null when it can be. */
  async #problem(): Promise<SourceProblem | null> {
    const problem = await sourceProblem(this.#path, this.#wasFound);
    if (problem) return problem;
    if ((await fileStampOf(this.#path))?.isFile) return { ok: false, detail: 'not a directory' };
    if (this.#isDue('links')) {
      const inside = [this.#registryPath, this.#projectsPath].map((one) => staysInside(this.#path, one));
      this.#linksStayInside = !(await Promise.all(inside)).includes(false);
    }
    return this.#linksStayInside ? null : { ok: false, detail: 'a link leads out of it and is not followed' };
  }

  parentsOf(agentIds: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    return this.#projects.parentsOf(agentIds);
  }

  /** New calls are at the end of files that were written just now. */
  async sessionOfToolCall(toolCallId: string): Promise<string | null> {
    if (!toolCallPattern.test(toolCallId)) return null;
    return this.#projects.sessionOfToolCall(toolCallId, this.#clock.wall() - toolCallMs);
  }

  async #read(scope: PollScope): Promise<void> {
    const polled = this.#isDue('registry') || scope !== 'due';
    const hints = [...this.#changedPaths];
    this.#changedPaths.clear();
    const ofProjects = hints.filter((one) => one.startsWith(this.#projectsPath));
    if (polled || ofProjects.length < hints.length) await this.#pollRegistry();
    await this.#pollFiles(ofProjects, scope === 'all');
    if (polled || hints.some((one) => !one.endsWith('.jsonl'))) this.#watchRecent();
    if (!polled) return;
    const unregistered = this.#latestRegistry.registry === 'unused' && this.#projects.transcripts().size > 0;
    this.#running = unregistered ? (await this.#toolProcesses.list()).filter(hasCwd) : [];
  }

  #isDue(task: keyof typeof polledMs): boolean {
    const watched = this.#watches && this.#folderWatches.failure() === null;
    return this.#due(task, (watched ? watchedMs : polledMs)[task]);
  }

  async #pollRegistry(): Promise<void> {
    this.#processesCheckedAt = this.#clock.monotonic();
    this.#latestRegistry = await this.#registry.scan();
    const withTranscript = this.#projects.transcripts();
    const fresh = this.#latestRegistry.entries.filter(
      ({ liveness, sessionId }) => liveness === 'live' && !withTranscript.has(sessionId),
    );
    await forEachLimited(fresh, 8, async ({ sessionId, cwd }) => {
      if (cwd !== null) await this.#projects.readExpected(sessionId, cwd);
    });
  }

  async #pollFiles(hints: readonly string[], all: boolean): Promise<void> {
    const files = hints.filter((one) => one.endsWith('.jsonl'));
    const folders = this.#isDue('folders') || all || files.length < hints.length;
    if (folders) this.#readable = await this.#projects.list();
    // The first listing has just read them all.
    const first = this.#projects.transcripts().size > 0 && !this.#listed;
    this.#listed ||= first;
    if (this.#isDue('allFiles') && !first) return this.#projects.refresh();
    const living = this.#latestRegistry.entries.filter(({ liveness }) => liveness === 'live');
    const tailed = this.#isDue('tails') || all ? this.#projects.pathsOf(living.map(({ sessionId }) => sessionId)) : [];
    await this.#projects.refresh(tailed, files);
  }

  #watchRecent(): void {
    if (!this.#watches) return;
    const since = this.#clock.wall() - recentMs;
    const named = new Set(this.#latestRegistry.entries.map(({ sessionId }) => sessionId));
    const folders = new Set<string>();
    for (const { sessionId, folder, lastAt } of this.#projects.transcripts().values()) {
      if (named.has(sessionId) || (lastAt ?? 0) > since) folders.add(join(this.#projectsPath, folder));
    }
    this.#folderWatches.watchOnly([this.#registryPath, this.#projectsPath, ...folders].slice(0, maxWatches));
  }

  #health(): SourceProblem {
    const { unreadable: closed, registry } = this.#latestRegistry;
    if (closed || !this.#readable) return { ok: false, detail: forbidden(this.#path) };
    if (registry === 'degraded') return { ok: true, detail: 'a registry file of a living process cannot be read' };
    return { ok: true, detail: this.#watches ? this.#folderWatches.failure() : polledOnly };
  }
}
