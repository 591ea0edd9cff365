import { join } from 'node:path';
import { errorMessage } from '../../../kernel/error-code.ts';
import { platform } from '../../../platform/platform.ts';
import { hasCwd, type ToolProcesses } from '../../../platform/processes.ts';
import type { ToolProcess, Transcript } from '../ports.ts';
import { createServedSessions, entriesByDirectory, withoutChildren } from '../processes-by-directory.ts';
import { openCodeTurnOf, opencode } from '../tools/opencode.ts';
import { type FileStamp, fileStampOf, isSameStamp } from './folder-listing.ts';
import { isWriteAhead, type OpenCodeRow, readOpenCode } from './opencode-database.ts';
import { PolledReader, type ReaderOptions, type ReaderState } from './polled-reader.ts';

const absent: FileStamp = { ino: 0, size: 0, mtimeMs: 0, isFile: false };

/** Sessions of OpenCode: one SQLite database, `opencode.db`, that its processes write to. */
export class OpenCodeSessions extends PolledReader {
  readonly tool = opencode.name;
  readonly #file: string;
  readonly #processes: ToolProcesses;
  #rows: ReadonlyMap<string, OpenCodeRow> = new Map();
  #transcripts: ReadonlyMap<string, Transcript> = new Map();
  #changed = new Set<string>();
  #stamps: readonly FileStamp[] | null = null;
  readonly #withFormer = createServedSessions();
  /** All processes with the name of the program, whatever they do. */
  #listed: ReadonlyMap<number, null> = new Map();
  #running: readonly ToolProcess[] = [];
  #knowsProcesses = true;
  #failure: string | null = null;

  constructor({
    processes = platform.toolProcesses('opencode'),
    ...options
  }: ReaderOptions & { processes?: ToolProcesses }) {
    const file = join(options.path, 'opencode.db');
    super(options, { needed: file, inside: [file] }, { startTimes: async () => this.#listed });
    this.#file = file;
    this.#processes = processes;
  }

  protected override processTrouble(): string | null {
    return this.#processes.trouble?.() ?? null;
  }

  protected async checkProcesses(): Promise<void> {
    this.#knowsProcesses = (await this.#processes.openFiles()) !== null;
    const listed = await this.#processes.list();
    this.#listed = new Map(listed.map(({ pid }) => [pid, null]));
    this.#running = withoutChildren(listed).filter(hasCwd);
  }

  protected async read(): Promise<void> {
    const log = await fileStampOf(`${this.#file}-wal`);
    const stamps = [(await fileStampOf(this.#file)) ?? absent, log ?? absent];
    if (this.#stamps?.every((stamp, at) => isSameStamp(stamp, stamps[at] ?? absent))) return;
    const isStill = log === null && (await isWriteAhead(this.#file)) === true;
    // A process has opened it but not written yet: reading it now would leave files beside it.
    if (isStill && (this.#running.length > 0 || !this.#knowsProcesses)) return;
    try {
      this.#accept(readOpenCode(this.#file, isStill, this.#rows));
      this.#stamps = stamps;
      this.#failure = null;
    } catch (fault) {
      this.#failure = `opencode.db cannot be read: ${errorMessage(fault)}`;
    }
  }

  protected sessionCount(): number {
    return this.#transcripts.size;
  }

  protected state(): ReaderState {
    const changed = this.#changed;
    this.#changed = new Set();
    return {
      registry: this.#knowsProcesses ? 'clean' : 'degraded',
      entries: this.#withFormer(entriesByDirectory(this.#running, [...this.#transcripts.values()])),
      transcripts: this.#transcripts,
      changed,
      failure: this.#failure,
    };
  }

  protected foldersToWatch(): readonly string[] {
    return [this.path];
  }

  /** Keeps the same object for a session that has not changed. */
  #accept(rows: readonly OpenCodeRow[]): void {
    const transcripts = new Map<string, Transcript>();
    for (const row of rows) {
      if (row.parent !== null) continue;
      const before = this.#transcripts.get(row.id);
      const isSame = before !== undefined && JSON.stringify(this.#rows.get(row.id)) === JSON.stringify(row);
      transcripts.set(row.id, isSame ? before : transcriptOf(row));
      if (!isSame) this.#changed.add(row.id);
    }
    for (const sessionId of this.#transcripts.keys()) if (!transcripts.has(sessionId)) this.#changed.add(sessionId);
    this.#rows = new Map(rows.map((row) => [row.id, row]));
    this.#transcripts = transcripts;
  }
}

const transcriptOf = ({ id, directory, createdAt, updatedAt, message, ...row }: OpenCodeRow): Transcript => ({
  sessionId: id,
  folder: directory,
  firstAt: createdAt,
  lastAt: updatedAt,
  launchCwd: directory,
  cwd: directory,
  branch: null,
  entrypoint: null,
  afterClear: false,
  subagent: false,
  turn: openCodeTurnOf(message),
  usage: {
    model: row.model,
    tokens: { input: row.input, cached: row.cached, output: row.output },
    turns: row.turns,
    contextPercent: null,
  },
});
