import { basename, dirname, join } from 'node:path';
import { sessionIdPattern } from '../hooks.ts';
import type { Transcript } from '../ports.ts';
import { type FileStamp, fileStampOf, forEachLimited, isSameStamp, listFolder } from './folder-listing.ts';
import { claudeFormat } from './transcript-file.ts';
import { TranscriptFiles } from './transcript-files.ts';

const isTranscript = (name: string) => name.endsWith('.jsonl') && sessionIdPattern.test(name.slice(0, -6));

/** The tool's own spelling of a directory. It cannot be read backwards. */
const folderNameOf = (cwd: string): string => cwd.replace(/[^a-zA-Z0-9]/g, '-');

/** The transcripts of Claude Code: `projects/<folder>/<sessionId>.jsonl`. */
export class ClaudeProjects {
  readonly #root: string;
  readonly #folders = new Map<string, FileStamp>();
  readonly #files = new TranscriptFiles(claudeFormat, (path) => ({
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

  /** Reads again what changed among these, or among all. */
  refresh(paths: readonly string[] = this.#files.paths()): Promise<void> {
    return this.#files.read(
      paths.filter((path) => dirname(dirname(path)) === this.#root && isTranscript(basename(path))),
    );
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
