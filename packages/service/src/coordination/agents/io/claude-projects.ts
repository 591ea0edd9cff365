import { basename, dirname, join } from 'node:path';
import { sessionIdPattern } from '../hooks.ts';
import type { Transcript } from '../ports.ts';
import { eachOf, isSameMark, type Mark, markOf, namesIn } from './inside.ts';
import { claudeFormat } from './transcript-file.ts';
import { TranscriptFiles } from './transcript-files.ts';

const isTranscript = (name: string) => name.endsWith('.jsonl') && sessionIdPattern.test(name.slice(0, -6));

/** The tool's own spelling of a directory. It cannot be read backwards. */
const folderNameOf = (cwd: string): string => cwd.replace(/[^a-zA-Z0-9]/g, '-');

/** The transcripts of Claude Code: `projects/<folder>/<sessionId>.jsonl`. */
export class ClaudeProjects {
  readonly #root: string;
  readonly #folders = new Map<string, Mark>();
  readonly #files = new TranscriptFiles(claudeFormat, (path) => ({
    sessionId: basename(path, '.jsonl').toLowerCase(),
    folder: basename(dirname(path)),
  }));

  constructor(root: string) {
    this.#root = root;
  }

  transcripts(): readonly Transcript[] {
    return this.#files.transcripts();
  }

  /** Finds folders and files that came or went. False when the folder of projects cannot be read. */
  async list(): Promise<boolean> {
    const names = await namesIn(this.#root);
    if (names === 'closed') return false;
    const there = new Set(names === 'missing' ? [] : names.folders);
    for (const folder of [...this.#folders.keys()]) {
      if (there.has(folder)) continue;
      this.#folders.delete(folder);
      await this.#files.settle([], (path) => dirname(path) === join(this.#root, folder));
    }
    await eachOf([...there], 16, (folder) => this.#listFolder(folder));
    return true;
  }

  /** Reads again what changed among these, or among all. */
  refresh(paths: readonly string[] = this.#files.paths()): Promise<void> {
    return this.#files.read(
      paths.filter((path) => dirname(dirname(path)) === this.#root && isTranscript(basename(path))),
    );
  }

  /** Looks for the file of a session where its tool would put it, before the next listing finds it. */
  expect(sessionId: string, cwd: string): Promise<void> {
    return this.refresh([join(this.#root, folderNameOf(cwd), `${sessionId}.jsonl`)]);
  }

  pathsOf(sessionIds: ReadonlySet<string>): string[] {
    return this.#files.paths().filter((path) => sessionIds.has(basename(path, '.jsonl').toLowerCase()));
  }

  /** A subagent's records lie below a folder that is named after the session it serves. All are found in one walk. */
  async parentsOf(agentIds: ReadonlySet<string>): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    await eachOf([...this.#folders.keys()], 4, async (folder) => {
      const names = await namesIn(join(this.#root, folder));
      const sessions = typeof names === 'string' ? [] : names.folders.filter((name) => sessionIdPattern.test(name));
      await eachOf(sessions, 4, async (sessionId) => {
        const records = await namesIn(join(this.#root, folder, sessionId, 'subagents'));
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
    const mark = await markOf(path);
    const before = this.#folders.get(folder);
    if (!mark || (before && isSameMark(before, mark))) return;
    const names = await namesIn(path);
    if (typeof names === 'string') return;
    this.#folders.set(folder, mark);
    const files = names.files.filter(isTranscript).map((name) => join(path, name));
    await this.#files.settle(files, (file) => dirname(file) === path);
  }
}
