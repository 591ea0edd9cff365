import { basename, dirname, join } from 'node:path';
import { readFileStart } from '../../../files/safe-file.ts';
import { parsedJson } from '../../../kernel/parsed-json.ts';
import { platform } from '../../../platform/platform.ts';
import { hasCwd, type ToolProcesses } from '../../../platform/processes.ts';
import type { PollScope, ToolProcess } from '../ports.ts';
import { createServedSessions, entriesByDirectory, withoutChildren } from '../processes-by-directory.ts';
import { gemini } from '../tools/gemini.ts';
import { asObject, textOf } from '../turn.ts';
import { type FileStamp, fileStampOf, forEachLimited, isSameStamp, listFolder } from './folder-listing.ts';
import { PolledReader, type ReaderOptions, type ReaderState } from './polled-reader.ts';
import { TranscriptFiles } from './transcript-files.ts';

const chat = /^session-[\w-]+\.jsonl$/;
/** Matches its own program, run by Node, and not other scripts in a folder of that name. */
const program = /(^|\/)(gemini(\.m?js)?$|@google\/gemini-cli\/)/;
const pollMs = { folders: 2_000, allFiles: 20_000 };
const maxWatches = 32;
const maxRootBytes = 4_096;
/** The first line of a chat holds nothing but ids and times. */
const maxHeaderBytes = 2_048;

type ChatIdentity = { sessionId: string; cwd: string | null };

/** Sessions of the Gemini CLI: `tmp/<project>/chats/session-*.jsonl`; `tmp/<project>/.project_root` names the directory. */
export class GeminiSessions extends PolledReader {
  readonly tool = gemini.name;
  readonly #root: string;
  readonly #processes: ToolProcesses;
  readonly #folders = new Map<string, FileStamp>();
  readonly #identities = new Map<string, ChatIdentity>();
  readonly #files = new TranscriptFiles(gemini.sessions.format, (path) => {
    const { sessionId = '', cwd = null } = this.#identities.get(path) ?? {};
    return { sessionId, folder: dirname(path), cwd, launchCwd: cwd };
  });
  readonly #withFormer = createServedSessions();
  /** All processes with the name of the program, whatever they do. */
  #listed: ReadonlyMap<number, null> = new Map();
  #running: readonly ToolProcess[] = [];
  /** False if the system does not list processes. */
  #knowsProcesses = true;
  #unknownFormat: string | null = null;

  constructor({
    processes = platform.toolProcesses('gemini'),
    ...options
  }: ReaderOptions & { processes?: ToolProcesses }) {
    const root = join(options.path, 'tmp');
    super(options, { needed: root, inside: [root] }, { startTimes: async () => this.#listed });
    this.#root = root;
    this.#processes = processes;
  }

  protected override processTrouble(): string | null {
    return this.#processes.trouble?.() ?? null;
  }

  protected async checkProcesses(): Promise<void> {
    if (this.#files.paths().length === 0) return;
    this.#knowsProcesses = (await this.#processes.openFiles()) !== null;
    const listed = await this.#processes.list();
    this.#listed = new Map(listed.map(({ pid }) => [pid, null]));
    const running = listed.filter(({ args }) => args.slice(0, 4).some((arg) => program.test(arg)));
    this.#running = withoutChildren(running).filter(hasCwd);
  }

  protected async read(changedPaths: readonly string[], scope: PollScope): Promise<void> {
    const chats = changedPaths.filter((path) => this.#identities.has(path));
    const listed = chats.length < changedPaths.length || scope === 'all' || this.isDue('folders', pollMs.folders);
    const before = this.#files.paths().length;
    if (listed) await this.#listProjects();
    // The first file is found after the processes were checked.
    if (before === 0 && this.#files.paths().length > 0) await this.checkProcesses();
    const directories = new Set(this.#running.map(({ cwd }) => cwd));
    const live = [...this.#identities].flatMap(([path, { cwd }]) =>
      cwd !== null && directories.has(cwd) ? [path] : [],
    );
    await this.#files.read(this.isDue('allFiles', pollMs.allFiles) ? this.#files.paths() : [...chats, ...live]);
  }

  protected sessionCount(): number {
    return this.#files.paths().length;
  }

  protected state(): ReaderState {
    const transcripts = this.#files.bySession();
    return {
      registry: this.#knowsProcesses ? 'clean' : 'degraded',
      entries: this.#withFormer(entriesByDirectory(this.#running, [...transcripts.values()])),
      transcripts,
      changed: this.#files.takeChanged(),
      failure: this.#unknownFormat,
    };
  }

  protected foldersToWatch(): readonly string[] {
    return [this.#root, ...this.#files.recentFolders(this.clock.wall())].slice(0, maxWatches);
  }

  async #listProjects(): Promise<void> {
    const projects = await listFolder(this.#root);
    if (typeof projects === 'string') return;
    await forEachLimited(projects.folders, 8, (project) => this.#listChats(join(this.#root, project)));
  }

  async #listChats(project: string): Promise<void> {
    const folder = join(project, 'chats');
    const stamp = await fileStampOf(folder);
    const before = this.#folders.get(folder);
    if (!stamp || stamp.isFile || (before && isSameStamp(before, stamp))) return;
    const names = await listFolder(folder);
    if (typeof names === 'string') return;
    const cwd = textOf((await readFileStart(join(project, '.project_root'), maxRootBytes))?.trim());
    const files = names.files.filter((name) => chat.test(name)).map((name) => join(folder, name));
    await forEachLimited(files, 8, (path) => this.#identify(path, cwd));
    const identified = files.filter((path) => this.#identities.has(path));
    // A chat without a first line is read again.
    if (identified.length === files.length) this.#folders.set(folder, stamp);
    await this.#files.syncFolder(identified, (path) => dirname(path) === folder);
  }

  async #identify(path: string, cwd: string | null): Promise<void> {
    if (this.#identities.has(path)) return;
    const [first = '', ...rest] = ((await readFileStart(path, maxHeaderBytes)) ?? '').split('\n');
    if (rest.length === 0) return;
    const sessionId = textOf(asObject(parsedJson(first))?.sessionId);
    if (sessionId === null) this.#unknownFormat = `${basename(path)} has an unknown format`;
    else this.#identities.set(path, { sessionId: sessionId.toLowerCase(), cwd });
  }
}
