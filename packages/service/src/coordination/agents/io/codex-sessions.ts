import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../../kernel/clock.ts';
import { readCodexHead, readCodexTail } from '../codex.ts';
import type { Entry, Scan, SessionSource, Transcript } from '../ports.ts';
import { createDue } from './due.ts';
import { eachOf, isSameMark, type Mark, markOf, namesIn, staysInside } from './inside.ts';
import { systemToolProcesses, type ToolProcesses } from './tool-processes.ts';
import { TranscriptFiles } from './transcript-files.ts';
import { createWakeUps } from './wake-ups.ts';

export type CodexSessionsOptions = {
  path: string;
  clock: Pick<Clock, 'monotonic' | 'wall'>;
  processes?: Pick<ToolProcesses, 'openFiles'>;
  watches?: boolean;
};

const rollout = /^rollout-.*-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/i;
const everyMs = { processes: 1_800, folders: 4_000, allFiles: 20_000 };
const recentMs = 24 * 60 * 60_000;
const mostWatches = 16;
/** A desktop server keeps the files of old sessions open: of several only the fresh ones live. */
const freshMs = 30 * 60_000;

type Held = ReadonlyMap<number, readonly string[]>;

/** Sessions of the Codex CLI: `sessions/YYYY/MM/DD/rollout-*.jsonl`, which a living process holds open. */
export class CodexSessions implements SessionSource {
  readonly #path: string;
  readonly #root: string;
  readonly #clock: CodexSessionsOptions['clock'];
  readonly #processes: Pick<ToolProcesses, 'openFiles'>;
  readonly #watches: boolean;
  readonly #due: ReturnType<typeof createDue>;
  readonly #days = new Map<string, Mark>();
  readonly #moved = new Set<string>();
  readonly #files = new TranscriptFiles({ head: readCodexHead, tail: readCodexTail }, (path) => ({
    sessionId: rollout.exec(basename(path))?.[1]?.toLowerCase() ?? '',
    folder: dirname(path),
  }));
  #held: Held | null = new Map();
  #lookedAt = 0;
  #wake: () => void = () => undefined;
  readonly #wakeUps = createWakeUps((paths) => {
    for (const path of paths) this.#moved.add(path);
    this.#wake();
  });

  constructor({ path, clock, processes, watches }: CodexSessionsOptions) {
    this.#path = path;
    this.#root = join(path, 'sessions');
    this.#clock = clock;
    this.#processes = processes ?? systemToolProcesses('codex');
    this.#watches = watches ?? true;
    this.#due = createDue(clock);
  }

  onMoved(wake: () => void): () => void {
    this.#wake = wake;
    return () => {
      this.#wake = () => undefined;
      this.#wakeUps.close();
    };
  }

  async parentsOf(): Promise<ReadonlyMap<string, string>> {
    return new Map();
  }

  async scan(): Promise<Scan> {
    const found = { tool: 'codex', path: this.#path, processCwds: [], lookedAt: this.#lookedAt };
    const nothing = { ...found, registry: 'unused', entries: [], transcripts: [] } as const;
    const never = this.#files.transcripts().length === 0;
    if (!(await markOf(this.#root))) return { ...nothing, ok: never, detail: 'directory not found' };
    if (!(await staysInside(this.#path, this.#root))) {
      return { ...nothing, ok: false, detail: 'a link leads out of it and is not followed' };
    }
    await this.#look();
    const entries = this.#held ? this.#entries(this.#held) : [];
    const detail = this.#watches ? this.#wakeUps.failure() : 'polled';
    const registry = this.#held ? 'clean' : 'degraded';
    const transcripts = this.#files.transcripts().filter(({ subagent }) => !subagent);
    return { ...found, lookedAt: this.#lookedAt, registry, entries, transcripts, ok: true, detail };
  }

  async #look(): Promise<void> {
    const hints = [...this.#moved].filter((path) => rollout.test(basename(path)));
    this.#moved.clear();
    if (this.#due('folders', everyMs.folders)) await this.#list(this.#root, 0);
    const files = this.#files.paths();
    if (this.#due('processes', everyMs.processes)) {
      this.#lookedAt = this.#clock.monotonic();
      this.#held = files.length === 0 ? new Map() : await this.#processes.openFiles();
    }
    const open = [...(this.#held?.values() ?? [])].flat().filter((path) => this.#files.at(path));
    await this.#files.read(this.#due('allFiles', everyMs.allFiles) ? files : [...hints, ...open]);
    if (this.#watches) this.#followRecent();
  }

  /** Years, months, days. A day that did not change is not read again. */
  async #list(folder: string, depth: number): Promise<void> {
    const mark = await markOf(folder);
    const before = this.#days.get(folder);
    if (!mark || (before && isSameMark(before, mark))) return;
    const names = await namesIn(folder);
    if (typeof names === 'string') return;
    if (depth < 3) {
      const below = names.folders.filter((name) => /^\d{2,4}$/.test(name));
      await eachOf(below, 4, (name) => this.#list(join(folder, name), depth + 1));
      return;
    }
    this.#days.set(folder, mark);
    const files = names.files.filter((name) => rollout.test(name)).map((name) => join(folder, name));
    await this.#files.settle(files, (path) => dirname(path) === folder);
  }

  #followRecent(): void {
    const since = this.#clock.wall() - recentMs;
    const recent = this.#files.transcripts().filter(({ lastAt }) => (lastAt ?? 0) > since);
    this.#wakeUps.follow([...new Set(recent.map(({ folder }) => folder))].slice(0, mostWatches));
  }

  #entries(held: Held): Entry[] {
    const now = this.#clock.wall();
    return [...held].flatMap(([pid, paths]) => {
      const open = [...new Set(paths)].flatMap((path) => this.#files.at(path) ?? []).filter((one) => !one.subagent);
      const living = open.length === 1 ? open : open.filter(({ lastAt }) => now - (lastAt ?? 0) < freshMs);
      return living.map((transcript) => entryOf(pid, transcript));
    });
  }
}

const entryOf = (pid: number, { sessionId, cwd, firstAt }: Transcript): Entry => ({
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
