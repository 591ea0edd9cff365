import { join } from 'node:path';
import { withSafeFile } from '../../../files/safe-file.ts';
import { parsedJson } from '../../../kernel/parsed-json.ts';
import { platform } from '../../../platform/platform.ts';
import { hasCwd, type ToolProcesses } from '../../../platform/processes.ts';
import { type PollScope, type ToolProcess, type Transcript, unreadTranscript } from '../ports.ts';
import { createServedSessions, entriesByDirectory, withoutChildren } from '../processes-by-directory.ts';
import type { DocumentTool } from '../tools/tool.ts';
import { asObject, unclearTurn } from '../turn.ts';
import { type FileStamp, fileStampOf, forEachLimited, isSameStamp, listFolder } from './folder-listing.ts';
import { PolledReader, type ReaderOptions, type ReaderState } from './polled-reader.ts';

const pollMs = { folder: 2_000, allFiles: 20_000 };
/** A document is parsed in one go: a larger one would block the event loop. */
const maxBytes = 4 * 1024 * 1024;

type CachedDocument = { stamp: FileStamp; transcript: Transcript };

/** Sessions of a tool that keeps each in one JSON document. Which of them are running is inferred from the directories of its processes. */
export class DocumentSessions extends PolledReader {
  readonly tool: string;
  readonly #of: DocumentTool['sessions'];
  readonly #folder: string;
  readonly #processes: ToolProcesses;
  readonly #documents = new Map<string, CachedDocument>();
  readonly #withFormer = createServedSessions();
  #changed = new Set<string>();
  #listed: ReadonlyMap<number, null> = new Map();
  #running: readonly ToolProcess[] = [];
  #knowsProcesses = true;

  constructor(
    { name, sessions }: DocumentTool,
    {
      processes = platform.toolProcesses(sessions.process.name),
      ...options
    }: ReaderOptions & { processes?: ToolProcesses },
  ) {
    const folder = join(options.path, sessions.documents.folder);
    super(options, { needed: folder, inside: [folder] }, { startTimes: async () => this.#listed });
    this.tool = name;
    this.#of = sessions;
    this.#folder = folder;
    this.#processes = processes;
  }

  protected override processTrouble(): string | null {
    return this.#processes.trouble?.() ?? null;
  }

  protected async checkProcesses(): Promise<void> {
    if (this.#documents.size === 0) return;
    this.#knowsProcesses = (await this.#processes.openFiles()) !== null;
    const listed = await this.#processes.list();
    this.#listed = new Map(listed.map(({ pid }) => [pid, null]));
    const running = listed.filter(({ args }) => args.slice(0, 4).some((arg) => this.#of.process.program.test(arg)));
    this.#running = withoutChildren(running).filter(hasCwd);
  }

  protected async read(changedPaths: readonly string[], scope: PollScope): Promise<void> {
    const isListed = this.isDue('folder', pollMs.folder) || scope === 'all';
    const known = [...this.#documents.keys()];
    const all = this.isDue('allFiles', pollMs.allFiles) ? known : [];
    const names = new Set([
      ...(isListed ? await this.#list() : []),
      ...all,
      ...changedPaths.map((path) => this.#nameIn(path)),
    ]);
    await forEachLimited(
      [...names].filter((name) => this.#of.documents.name.test(name)),
      4,
      (name) => this.#refresh(name),
    );
  }

  protected sessionCount(): number {
    return this.#documents.size;
  }

  protected state(): ReaderState {
    const transcripts = new Map(
      [...this.#documents.values()].map(({ transcript }) => [transcript.sessionId, transcript]),
    );
    const changed = this.#changed;
    this.#changed = new Set();
    return {
      registry: this.#knowsProcesses ? 'clean' : 'degraded',
      entries: this.#withFormer(entriesByDirectory(this.#running, [...transcripts.values()])),
      transcripts,
      changed,
      failure: null,
    };
  }

  protected foldersToWatch(): readonly string[] {
    return [this.#folder];
  }

  #nameIn(path: string): string {
    return path.startsWith(this.#folder) ? path.slice(this.#folder.length + 1) : '';
  }

  /** New files, and files of sessions with a process in their directory, which may change without a change of the folder. */
  async #list(): Promise<string[]> {
    const names = await listFolder(this.#folder);
    if (typeof names === 'string') return [];
    const present = new Set(names.files);
    for (const [name, { transcript }] of this.#documents) {
      if (present.has(name)) continue;
      this.#documents.delete(name);
      this.#changed.add(transcript.sessionId);
    }
    const directories = new Set(this.#running.map(({ cwd }) => cwd));
    return names.files.filter((name) => {
      const { cwd } = this.#documents.get(name)?.transcript ?? {};
      return cwd === undefined || (cwd !== null && directories.has(cwd));
    });
  }

  async #refresh(name: string): Promise<void> {
    const path = join(this.#folder, name);
    const stamp = await fileStampOf(path);
    const before = this.#documents.get(name);
    if (!stamp?.isFile || (before && isSameStamp(before.stamp, stamp))) return;
    const sessionId = this.#of.documents.name.exec(name)?.[1] ?? name;
    const read = stamp.size > maxBytes ? null : await this.#readDocument(path);
    // A document that was read in the middle of a write is read again at its next change.
    const reading =
      read ??
      (before ? before.transcript : unreadTranscript(unclearTurn(stamp.size > maxBytes ? 'too_large' : 'unreadable')));
    const transcript = { ...reading, sessionId, folder: this.#folder, lastAt: reading.lastAt ?? stamp.mtimeMs };
    this.#documents.set(name, { stamp, transcript });
    this.#changed.add(sessionId);
  }

  async #readDocument(path: string): Promise<ReturnType<DocumentTool['sessions']['documents']['read']>> {
    const bytes = await withSafeFile(path, (file) => file.read(0, maxBytes));
    const document = bytes && asObject(parsedJson(bytes.toString('utf8')));
    return document ? this.#of.documents.read(document) : null;
  }
}
