import { withSafeFile } from '../../../files/safe-file.ts';
import type { Transcript } from '../ports.ts';
import type { TranscriptFormat } from '../tools/tool.ts';
import { type FileStamp, fileStampOf, forEachLimited, isSameStamp } from './folder-listing.ts';
import { type ReadProgress, readTranscript, unreadableTranscript } from './transcript-file.ts';
import { uncounted } from './usage-file.ts';

type CachedTranscript = Omit<ReadProgress, 'reading'> & { stamp: FileStamp; transcript: Transcript };

/** The mark of a file that was never read: no file has it. */
const neverRead: FileStamp = { ino: -1, size: -1, mtimeMs: -1, isFile: true };

/** Files read at once: enough to keep the disk busy, few enough to leave threads to others. */
const maxParallelReads = 16;

/** Of a larger file what was used is counted once somebody works in it: the first sight of many must not read them all. */
const countedAtOnce = 128 * 1024;

/** What was read of every transcript, each file again only when it changed. */
export class TranscriptFiles {
  readonly #cache = new Map<string, CachedTranscript>();
  readonly #format: TranscriptFormat;
  readonly #identityOf: (path: string) => Pick<Transcript, 'sessionId' | 'folder'>;
  readonly #bySession = new Map<string, Transcript>();
  readonly #pathsBySession = new Map<string, Set<string>>();
  #changed = new Set<string>();

  constructor(format: TranscriptFormat, identityOf: (path: string) => Pick<Transcript, 'sessionId' | 'folder'>) {
    this.#format = format;
    this.#identityOf = identityOf;
  }

  paths(): string[] {
    return [...this.#cache.keys()];
  }

  pathsOf(sessionIds: Iterable<string>): string[] {
    return [...sessionIds].flatMap((sessionId) => [...(this.#pathsBySession.get(sessionId) ?? [])]);
  }

  get(path: string): Transcript | null {
    return this.#cache.get(path)?.transcript ?? null;
  }

  read(paths: Iterable<string>): Promise<void> {
    return forEachLimited([...new Set(paths)], maxParallelReads, (path) => this.#read(path, false));
  }

  /** Files that are known to have changed need no look at their age first. */
  readChanged(paths: Iterable<string>): Promise<void> {
    return forEachLimited([...new Set(paths)], maxParallelReads, (path) => this.#read(path, true));
  }

  /** Takes what a folder holds now: new files are read, those that went are forgotten. */
  async syncFolder(paths: readonly string[], isInFolder: (path: string) => boolean): Promise<void> {
    const present = new Set(paths);
    for (const path of this.#cache.keys()) if (isInFolder(path) && !present.has(path)) this.#forget(path);
    await this.read(paths.filter((path) => !this.#cache.has(path)));
  }

  /** One per session. One that moved with its worktree lies in two folders: the one written last counts. */
  bySession(): ReadonlyMap<string, Transcript> {
    return this.#bySession;
  }

  /** Sessions whose transcript came, changed or went since this was last asked. */
  takeChanged(): ReadonlySet<string> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  async #read(path: string, isChanged: boolean): Promise<void> {
    const before = this.#cache.get(path);
    const mark = before && !isChanged ? await fileStampOf(path) : null;
    if (before && mark && isSameStamp(before.stamp, mark)) return;
    const read = await withSafeFile(path, async (file) => {
      const { ino, size, mtimeMs } = file;
      // A file that was replaced or cut begins anew.
      const grown = before?.stamp.ino === ino && size >= before.stamp.size;
      const earlier = grown ? { ...before, reading: before.transcript } : undefined;
      const counts = size <= countedAtOnce || (grown && size > before.stamp.size);
      const progress = await readTranscript(file, this.#format, earlier, counts);
      return { mark: { ino, size, mtimeMs, isFile: true }, ...progress };
    });
    if (!read) return this.#keepUnreadable(path, before);
    const { mark: readAt, reading, upTo, counted } = read;
    this.#set(path, { stamp: readAt, upTo, counted, transcript: { ...reading, ...this.#identityOf(path) } });
  }

  /** A file that exists and cannot be read is still a session: its last reading stays, and it is tried again. */
  async #keepUnreadable(path: string, before: CachedTranscript | undefined): Promise<void> {
    const mark = await fileStampOf(path);
    if (!mark?.isFile) return this.#forget(path);
    if (before && before.stamp !== neverRead) return;
    const transcript = { ...unreadableTranscript(mark.mtimeMs), ...this.#identityOf(path) };
    this.#set(path, { stamp: neverRead, upTo: 0, counted: uncounted, transcript });
  }

  #set(path: string, cached: CachedTranscript): void {
    const { sessionId } = cached.transcript;
    this.#cache.set(path, cached);
    const paths = this.#pathsBySession.get(sessionId);
    if (paths) paths.add(path);
    else this.#pathsBySession.set(sessionId, new Set([path]));
    this.#choose(sessionId);
  }

  #forget(path: string): void {
    const cached = this.#cache.get(path);
    if (!cached) return;
    const { sessionId } = cached.transcript;
    this.#cache.delete(path);
    this.#pathsBySession.get(sessionId)?.delete(path);
    this.#choose(sessionId);
  }

  #choose(sessionId: string): void {
    const paths = this.#pathsBySession.get(sessionId) ?? [];
    let newest: Transcript | null = null;
    for (const path of paths) {
      const transcript = this.get(path);
      if (!transcript || transcript.subagent) continue;
      if (!newest || (transcript.lastAt ?? 0) > (newest.lastAt ?? 0)) newest = transcript;
    }
    if (newest) this.#bySession.set(sessionId, newest);
    else this.#bySession.delete(sessionId);
    if (this.#pathsBySession.get(sessionId)?.size === 0) this.#pathsBySession.delete(sessionId);
    this.#changed.add(sessionId);
  }
}
