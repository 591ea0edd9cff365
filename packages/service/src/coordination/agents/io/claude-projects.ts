import { basename, dirname, join } from 'node:path';
import { withSafeFile } from '../../../files/safe-file.ts';
import { sessionIdPattern } from '../hooks.ts';
import type { Transcript } from '../ports.ts';
import { claude } from '../tools/claude.ts';
import { type FileStamp, fileStampOf, forEachLimited, isSameStamp, listFolder } from './folder-listing.ts';
import { TranscriptFiles } from './transcript-files.ts';

const isTranscript = (name: string) => name.endsWith('.jsonl') && sessionIdPattern.test(name.slice(0, -6));

/** The tool's own spelling of a directory. It cannot be read backwards. */
const folderNameOf = (cwd: string): string => cwd.replace(/[^a-zA-Z0-9]/g, '-');

/** How far back from the end of a file a tool call is looked for. */
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

  /** Finds folders and files that came or went. False when the folder of projects cannot be read. */
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

  /** Reads again what changed among these, or among all. `changed` are known to have. */
  async refresh(paths: readonly string[] = this.#files.paths(), changed: readonly string[] = []): Promise<void> {
    const isOwn = (path: string) => dirname(dirname(path)) === this.#root && isTranscript(basename(path));
    if (changed.length > 0) await this.#files.readChanged(changed.filter(isOwn));
    if (paths.length > 0) await this.#files.read(paths.filter(isOwn));
  }

  /** Looks for the file of a session where its tool would put it, before the next listing finds it. */
  readExpected(sessionId: string, cwd: string): Promise<void> {
    return this.refresh([join(this.#root, folderNameOf(cwd), `${sessionId}.jsonl`)]);
  }

  pathsOf(sessionIds: Iterable<string>): string[] {
    return this.#files.pathsOf(sessionIds);
  }

  /** A subagent's records lie below a folder that is named after the session it serves. All are found in one walk. */
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

  /** Where the record of a tool call is: at the end of a transcript that was just written, or of one of its subagents'. */
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
