import { join } from 'node:path';
import type { Clock } from '../../../kernel/clock.ts';
import type { Scan, SessionSource } from '../ports.ts';
import { ClaudeProjects } from './claude-projects.ts';
import { createClaudeRegistry, type RegistryScan } from './claude-registry.ts';
import { createDue } from './due.ts';
import { eachOf, markOf, staysInside } from './inside.ts';
import { type ProcessTable, systemProcesses } from './process-table.ts';
import { systemToolProcesses, type ToolProcesses } from './tool-processes.ts';
import { createWakeUps } from './wake-ups.ts';

export type SessionDirectoryOptions = {
  path: string;
  clock: Pick<Clock, 'monotonic' | 'wall'>;
  processes?: ProcessTable;
  toolProcesses?: Pick<ToolProcesses, 'cwds'>;
  /** False polls only, as it must where the system has no watches left. */
  watches?: boolean;
};

/** How often what may have moved without a wake-up is looked at: where wake-ups come, and where only polling helps. */
const watchedMs = { registry: 1_800, tails: 2_800, folders: 10_000, allFiles: 30_000, links: 5_000 };
const polledMs = { registry: 900, tails: 900, folders: 4_000, allFiles: 15_000, links: 5_000 };
const mostWatches = 256;
const recentMs = 24 * 60 * 60_000;

/** One configuration directory of Claude Code, by its registry of living processes and its transcripts. */
export class SessionDirectory implements SessionSource {
  readonly #path: string;
  readonly #registryPath: string;
  readonly #projectsPath: string;
  readonly #clock: SessionDirectoryOptions['clock'];
  readonly #toolProcesses: Pick<ToolProcesses, 'cwds'>;
  readonly #watches: boolean;
  readonly #registry: { scan(): Promise<RegistryScan> };
  readonly #projects: ClaudeProjects;
  readonly #due: ReturnType<typeof createDue>;
  readonly #moved = new Set<string>();
  #wake: () => void = () => undefined;
  readonly #wakeUps = createWakeUps((paths) => {
    for (const path of paths) this.#moved.add(path);
    this.#wake();
  });
  #latest: RegistryScan = { registry: 'unused', entries: [], closed: false };
  #cwds: readonly string[] = [];
  #lookedAt = 0;
  #readable = true;
  #inside = true;
  #listed = false;
  #seen = false;

  constructor({ path, clock, processes, toolProcesses, watches }: SessionDirectoryOptions) {
    this.#path = path;
    this.#registryPath = join(path, 'sessions');
    this.#projectsPath = join(path, 'projects');
    this.#clock = clock;
    this.#toolProcesses = toolProcesses ?? systemToolProcesses('claude');
    this.#watches = watches ?? true;
    this.#registry = createClaudeRegistry(this.#registryPath, processes ?? systemProcesses());
    this.#projects = new ClaudeProjects(this.#projectsPath);
    this.#due = createDue(clock);
  }

  onMoved(wake: () => void): () => void {
    this.#wake = wake;
    return () => {
      this.#wake = () => undefined;
      this.#wakeUps.close();
    };
  }

  async scan(): Promise<Scan> {
    const found = { tool: 'claude-code', path: this.#path };
    const nothing = {
      ...found,
      registry: 'unused',
      entries: [],
      transcripts: [],
      processCwds: [],
      lookedAt: 0,
    } as const;
    const mark = await markOf(this.#path);
    if (!mark) return { ...nothing, ok: !this.#seen, detail: 'directory not found' };
    if (mark.isFile) return { ...nothing, ok: false, detail: 'not a directory' };
    if (this.#isDue('links')) {
      const inside = [this.#registryPath, this.#projectsPath].map((one) => staysInside(this.#path, one));
      this.#inside = !(await Promise.all(inside)).includes(false);
    }
    if (!this.#inside) return { ...nothing, ok: false, detail: 'a link leads out of it and is not followed' };
    this.#seen = true;
    await this.#look();
    const { registry, entries } = this.#latest;
    const transcripts = this.#projects.transcripts();
    return {
      ...found,
      registry,
      entries,
      transcripts,
      processCwds: this.#cwds,
      lookedAt: this.#lookedAt,
      ...this.#health(),
    };
  }

  parentsOf(agentIds: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    return this.#projects.parentsOf(agentIds);
  }

  async #look(): Promise<void> {
    const polled = this.#isDue('registry');
    const hints = [...this.#moved];
    this.#moved.clear();
    const ofProjects = hints.filter((one) => one.startsWith(this.#projectsPath));
    if (polled || ofProjects.length < hints.length) await this.#lookAtRegistry();
    await this.#lookAtFiles(ofProjects);
    if (polled || hints.some((one) => !one.endsWith('.jsonl'))) this.#followRecent();
    if (!polled) return;
    const unregistered = this.#latest.registry === 'unused' && this.#projects.transcripts().length > 0;
    this.#cwds = unregistered ? await this.#toolProcesses.cwds() : [];
  }

  #isDue(task: keyof typeof polledMs): boolean {
    const watched = this.#watches && this.#wakeUps.failure() === null;
    return this.#due(task, (watched ? watchedMs : polledMs)[task]);
  }

  async #lookAtRegistry(): Promise<void> {
    this.#lookedAt = this.#clock.monotonic();
    this.#latest = await this.#registry.scan();
    const known = new Set(this.#projects.transcripts().map(({ sessionId }) => sessionId));
    const fresh = this.#latest.entries.filter(
      ({ liveness, sessionId }) => liveness === 'live' && !known.has(sessionId),
    );
    await eachOf(fresh, 8, async ({ sessionId, cwd }) => {
      if (cwd !== null) await this.#projects.expect(sessionId, cwd);
    });
  }

  async #lookAtFiles(hints: readonly string[]): Promise<void> {
    const files = hints.filter((one) => one.endsWith('.jsonl'));
    const folders = this.#isDue('folders') || files.length < hints.length;
    if (folders) this.#readable = await this.#projects.list();
    // The first listing has just read them all.
    const first = this.#projects.transcripts().length > 0 && !this.#listed;
    this.#listed ||= first;
    if (this.#isDue('allFiles') && !first) return this.#projects.refresh();
    const living = this.#latest.entries.filter(({ liveness }) => liveness === 'live');
    const tailed = this.#isDue('tails')
      ? this.#projects.pathsOf(new Set(living.map(({ sessionId }) => sessionId)))
      : [];
    await this.#projects.refresh([...files, ...tailed]);
  }

  #followRecent(): void {
    if (!this.#watches) return;
    const since = this.#clock.wall() - recentMs;
    const named = new Set(this.#latest.entries.map(({ sessionId }) => sessionId));
    const folders = new Set<string>();
    for (const { sessionId, folder, lastAt } of this.#projects.transcripts()) {
      if (named.has(sessionId) || (lastAt ?? 0) > since) folders.add(join(this.#projectsPath, folder));
    }
    this.#wakeUps.follow([this.#registryPath, this.#projectsPath, ...folders].slice(0, mostWatches));
  }

  #health(): Pick<Scan, 'ok' | 'detail'> {
    const { closed, registry } = this.#latest;
    if (closed || !this.#readable) return { ok: false, detail: 'cannot be read' };
    if (registry === 'degraded') return { ok: true, detail: 'a registry file of a living process cannot be read' };
    return { ok: true, detail: this.#watches ? this.#wakeUps.failure() : 'polled' };
  }
}
