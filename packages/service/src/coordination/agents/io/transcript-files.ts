import type { Transcript } from '../ports.ts';
import { eachOf, isSameMark, type Mark, markOf } from './inside.ts';
import { withPlainFile } from './plain-file.ts';
import { type Format, readTranscript, unreadable } from './transcript-file.ts';

type Known = { mark: Mark; transcript: Transcript; upTo: number };

/** The mark of a file that was never read: no file has it. */
const never: Mark = { ino: -1, size: -1, mtimeMs: -1, isFile: true };

/** Files read at once: enough to keep the disk busy, few enough to leave threads to others. */
const atOnce = 16;

/** What was read of every transcript, each file again only when it changed. */
export class TranscriptFiles {
  readonly #known = new Map<string, Known>();
  readonly #format: Format;
  readonly #nameOf: (path: string) => Pick<Transcript, 'sessionId' | 'folder'>;
  #newest: readonly Transcript[] | null = null;

  constructor(format: Format, nameOf: (path: string) => Pick<Transcript, 'sessionId' | 'folder'>) {
    this.#format = format;
    this.#nameOf = nameOf;
  }

  paths(): string[] {
    return [...this.#known.keys()];
  }

  at(path: string): Transcript | null {
    return this.#known.get(path)?.transcript ?? null;
  }

  read(paths: Iterable<string>): Promise<void> {
    return eachOf([...new Set(paths)], atOnce, (path) => this.#read(path));
  }

  /** Takes what a folder holds now: new files are read, those that went are forgotten. */
  async settle(paths: readonly string[], belongs: (path: string) => boolean): Promise<void> {
    const there = new Set(paths);
    for (const path of this.#known.keys()) if (belongs(path) && !there.has(path)) this.#forget(path);
    await this.read(paths.filter((path) => !this.#known.has(path)));
  }

  /** One per session. One that moved with its worktree lies in two folders: the one written last counts. */
  transcripts(): readonly Transcript[] {
    if (this.#newest) return this.#newest;
    const bySession = new Map<string, Transcript>();
    for (const { transcript } of this.#known.values()) {
      const other = bySession.get(transcript.sessionId);
      if (!other || (transcript.lastAt ?? 0) > (other.lastAt ?? 0)) bySession.set(transcript.sessionId, transcript);
    }
    this.#newest = [...bySession.values()];
    return this.#newest;
  }

  async #read(path: string): Promise<void> {
    const before = this.#known.get(path);
    const mark = before && (await markOf(path));
    if (mark && isSameMark(before.mark, mark)) return;
    const read = await withPlainFile(path, async (file) => {
      const { ino, size, mtimeMs, isFile } = file;
      // A file that was replaced or cut begins anew.
      const grown = before?.mark.ino === ino && size >= before.mark.size;
      const earlier = grown ? { reading: before.transcript, upTo: before.upTo } : undefined;
      return { mark: { ino, size, mtimeMs, isFile }, ...(await readTranscript(file, this.#format, earlier)) };
    });
    if (!read) return this.#miss(path, before);
    const { mark: readAt, reading, upTo } = read;
    this.#known.set(path, { mark: readAt, upTo, transcript: { ...reading, ...this.#nameOf(path) } });
    this.#newest = null;
  }

  /** A file that is there and cannot be read is a session all the same: what was known of it stands, and it is tried again. */
  async #miss(path: string, before: Known | undefined): Promise<void> {
    const mark = await markOf(path);
    if (!mark?.isFile) return this.#forget(path);
    if (before && before.mark !== never) return;
    const transcript = { ...unreadable(mark.mtimeMs), ...this.#nameOf(path) };
    this.#known.set(path, { mark: never, upTo: 0, transcript });
    this.#newest = null;
  }

  #forget(path: string): void {
    if (this.#known.delete(path)) this.#newest = null;
  }
}
