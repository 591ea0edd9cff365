import { type SafeFile, withSafeFile } from '../../../files/safe-file.ts';
import { noUsage, type Transcript, unreadTranscript } from '../ports.ts';
import type { HeadReader, TailReader, TranscriptFormat } from '../tools/tool.ts';
import { asObject, noTurn, type TranscriptRecord, type Turn } from '../turn.ts';
import { usageOf } from '../usage-count.ts';
import { type FileStamp, fileStampOf, forEachLimited, isSameStamp } from './folder-listing.ts';
import { type CountedUsage, countUsage, uncounted } from './usage-file.ts';

type CachedTranscript = Omit<ReadProgress, 'reading'> & { stamp: FileStamp; transcript: Transcript };

/** Marks a file that was never read; no real file has this value. */
const neverRead: FileStamp = { ino: -1, size: -1, mtimeMs: -1, isFile: true };

/** A session that wrote nothing for this long is hardly used: its folder needs no watch. */
export const recentMs = 24 * 60 * 60_000;

/** Files read concurrently: enough to keep the disk busy, few enough to leave threads free. */
const maxParallelReads = 16;

/** Usage in a larger file is counted only once the session is active, so that the first scan does not read every file. */
const countedAtOnce = 128 * 1024;

/** The facts read from every transcript; a file is read again only when it has changed. */
export class TranscriptFiles {
  readonly #cache = new Map<string, CachedTranscript>();
  readonly #format: TranscriptFormat;
  readonly #identityOf: (path: string) => Pick<Transcript, 'sessionId' | 'folder'>;
  readonly #bySession = new Map<string, Transcript>();
  readonly #pathsBySession = new Map<string, Set<string>>();
  #changed = new Set<string>();
  /** Files whose usage is counted in several reads, because they are large. */
  readonly #counting = new Set<string>();

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

  /** Also continues the files that are being counted: nothing may be appended to them for a long time. */
  read(paths: Iterable<string>): Promise<void> {
    return this.#readIfChanged([...paths, ...this.#counting]);
  }

  /** The age of files that are known to have changed is not checked first. */
  readChanged(paths: Iterable<string>): Promise<void> {
    return forEachLimited([...new Set(paths)], maxParallelReads, (path) => this.#read(path, true));
  }

  /** Compares with the current entries of a folder: new files are read, missing ones are forgotten. */
  async syncFolder(paths: readonly string[], isInFolder: (path: string) => boolean): Promise<void> {
    const present = new Set(paths);
    for (const path of this.#cache.keys()) if (isInFolder(path) && !present.has(path)) this.#forget(path);
    await this.#readIfChanged(paths.filter((path) => !this.#cache.has(path)));
  }

  /** One per session. A session that moved with its worktree has files in two folders: the one written last counts. */
  bySession(): ReadonlyMap<string, Transcript> {
    return this.#bySession;
  }

  /** The folders of recently written files. */
  recentFolders(now: number): readonly string[] {
    const recent = [...this.#bySession.values()].filter(({ lastAt }) => (lastAt ?? 0) > now - recentMs);
    return [...new Set(recent.map(({ folder }) => folder))];
  }

  /** Sessions with a transcript that appeared, changed or disappeared since the last call. */
  takeChanged(): ReadonlySet<string> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  #readIfChanged(paths: readonly string[]): Promise<void> {
    return forEachLimited([...new Set(paths)], maxParallelReads, (path) => this.#read(path, false));
  }

  async #read(path: string, isChanged: boolean): Promise<void> {
    const before = this.#cache.get(path);
    const mark = before && !isChanged ? await fileStampOf(path) : null;
    const isCounting = this.#counting.has(path);
    if (before && mark && isSameStamp(before.stamp, mark) && !isCounting) return;
    const read = await withSafeFile(path, async (file) => {
      const { ino, size, mtimeMs } = file;
      // A file that was replaced or truncated is read from the start.
      const grown = before?.stamp.ino === ino && size >= before.stamp.size;
      const earlier = grown ? { ...before, reading: before.transcript } : undefined;
      const counts = size <= countedAtOnce || (grown && (size > before.stamp.size || isCounting));
      const progress = await readTranscript(file, this.#format, earlier, counts);
      return { mark: { ino, size, mtimeMs, isFile: true }, ...progress };
    });
    if (!read) return this.#keepUnreadable(path, before);
    const { mark: readAt, reading, upTo, counted } = read;
    this.#set(path, { stamp: readAt, upTo, counted, transcript: { ...reading, ...this.#identityOf(path) } });
  }

  /** A file that exists but cannot be read is still a session: the last result is kept, and the read is retried. */
  async #keepUnreadable(path: string, before: CachedTranscript | undefined): Promise<void> {
    const mark = await fileStampOf(path);
    if (!mark?.isFile) return this.#forget(path);
    if (before && before.stamp !== neverRead) return;
    const transcript = { ...unreadTranscript(unreadableTurn, mark.mtimeMs), ...this.#identityOf(path) };
    this.#set(path, { stamp: neverRead, upTo: 0, counted: uncounted, transcript });
  }

  #set(path: string, cached: CachedTranscript): void {
    const { sessionId } = cached.transcript;
    this.#cache.set(path, cached);
    if (cached.counted.upTo > 0 && cached.counted.upTo < cached.upTo) this.#counting.add(path);
    else this.#counting.delete(path);
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
    this.#counting.delete(path);
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

type TranscriptReading = Omit<Transcript, 'sessionId' | 'folder'>;

const headSizes = [8 * 1024, 64 * 1024, 1024 * 1024];
const firstTailSize = 16 * 1024;
const maxTailSize = 8 * 1024 * 1024;
const newline = 10;

/** The facts read from a file, and the offset after the last complete line. */
export type ReadProgress = { reading: TranscriptReading; upTo: number; counted: CountedUsage };

/**
 * Reads only head and tail, however large the file is, and of a file that has grown only the appended part: while a
 * subagent works, megabytes of its progress may lie between two relevant records. If `counts`, the usage is counted once over
 * the whole file.
 */
export async function readTranscript(
  file: SafeFile,
  format: TranscriptFormat,
  earlier?: ReadProgress,
  counts = true,
): Promise<ReadProgress> {
  const before = earlier?.reading;
  const appended = earlier ? await appendedTo(file, earlier.upTo) : null;
  const floor = earlier && appended ? earlier.upTo : 0;
  const earlierTurn = floor > 0 ? before?.turn : undefined;
  const { bytes, from, ...tail } = await tailOf(file, format, floor, earlierTurn, appended);
  const lastBreak = bytes.lastIndexOf(newline);
  const upTo = lastBreak >= 0 ? from + lastBreak + 1 : floor;
  const countedBefore = floor > 0 && earlier ? earlier.counted : uncounted;
  const counted = counts ? await countUsage(file, format.usage, countedBefore, upTo, { bytes, from }) : countedBefore;
  const started = before?.firstAt != null && before.launchCwd !== null;
  const head = started ? before : await headOf(file, format, bytes.length === file.size ? bytes : null);
  const reading = {
    firstAt: notAfter(file, head.firstAt),
    launchCwd: head.launchCwd,
    afterClear: head.afterClear,
    subagent: head.subagent,
    entrypoint: tail.entrypoint ?? head.entrypoint,
    lastAt: notAfter(file, tail.lastAt ?? before?.lastAt ?? null) ?? file.mtimeMs,
    cwd: tail.cwd ?? before?.cwd ?? head.launchCwd,
    branch: tail.branch ?? before?.branch ?? head.branch,
    turn: tail.sawRecords ? withoutUnreadable(tail.turn) : (earlierTurn ?? (file.size > 0 ? unreadableTurn : noTurn)),
    // A partial count would be too low.
    usage: counted.upTo === upTo ? usageOf(counted.count) : noUsage,
  };
  return { reading, upTo, counted };
}

/** Clocks of two machines differ by less. */
const clockToleranceMs = 5 * 60_000;

/** A record that claims to be newer than its file gets the file's time. */
const notAfter = (file: SafeFile, at: number | null): number | null =>
  at !== null && at > file.mtimeMs + clockToleranceMs ? file.mtimeMs : at;

/** The beginning of what was appended. Null if the file was rewritten in place: everything read before is then invalid. */
async function appendedTo(file: SafeFile, offset: number): Promise<Buffer | null> {
  if (offset === 0) return null;
  const bytes = await file.read(offset - 1, Math.min(file.size - offset, firstTailSize) + 1);
  return bytes[0] === newline ? bytes.subarray(1) : null;
}

const unreadableTurn: Turn = { ...noTurn, state: 'unclear', detail: 'unreadable_transcript' };

/** A file with at least one record is a transcript. */
const withoutUnreadable = (turn: Turn): Turn => (turn === unreadableTurn ? noTurn : turn);

type Tail = ReturnType<TailReader['result']> & { bytes: Buffer; from: number };

/**
 * Looks back from the end, in a window that doubles until the state of the turn is known, but not further than `floor`.
 */
async function tailOf(
  file: SafeFile,
  format: TranscriptFormat,
  floor: number,
  earlier: Turn | undefined,
  appended: Buffer | null,
): Promise<Tail> {
  for (let window = firstTailSize; ; window *= 2) {
    const from = Math.max(floor, file.size - window);
    const isRead = from === floor && appended?.length === file.size - from;
    const bytes = isRead ? appended : await file.read(from, file.size - from);
    const reading = format.tail(earlier);
    const decided = await acceptBackwards(bytes, from === floor, reading);
    if (decided || from === floor || window >= maxTailSize) return { ...reading.result(), bytes, from };
  }
}

/** A line at the very end without a line break is still being written; one at the start of a window is cut. */
async function acceptBackwards(bytes: Buffer, whole: boolean, reading: TailReader): Promise<boolean> {
  const lines = new LineReader(bytes);
  let end = bytes.length;
  while (end > 0) {
    const start = bytes.lastIndexOf(newline, end - 1) + 1;
    if (start === 0 && !whole) return false;
    const record = lines.recordAt(start, end);
    if (lines.isNoTranscript || (record && reading.accept(record))) return true;
    if (lines.isDue) await lines.giveWay();
    end = start - 1;
  }
  return false;
}

type Head = ReturnType<HeadReader['result']>;

/** `whole` is the content of the file if it is so small that it was read already. */
async function headOf(file: SafeFile, format: TranscriptFormat, whole: Buffer | null): Promise<Head> {
  for (const most of headSizes) {
    const bytes = whole ?? (await file.read(0, Math.min(most, file.size)));
    const reading = format.head();
    const lines = new LineReader(bytes);
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      const record = lines.recordAt(start, end);
      if (lines.isNoTranscript || (record && reading.accept(record))) return reading.result();
      if (lines.isDue) await lines.giveWay();
      start = end + 1;
    }
    if (whole || most >= file.size || most === headSizes.at(-1)) return reading.result();
  }
  return format.head().result();
}

const mostUnreadableLines = 1_000;
const mostMs = 10;

/** Reads lines of an untrusted file, however many and short, and yields to the event loop. */
class LineReader {
  readonly #bytes: Buffer;
  #unreadable = 0;
  #lines = 0;
  #since = performance.now();

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** A file with this many invalid lines was not written by a tool. */
  get isNoTranscript(): boolean {
    return this.#unreadable > mostUnreadableLines;
  }

  get isDue(): boolean {
    return ++this.#lines % 64 === 0 && performance.now() - this.#since > mostMs;
  }

  async giveWay(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#since = performance.now();
  }

  /** A line that is not a record, torn or foreign, is skipped. */
  recordAt(start: number, end: number): TranscriptRecord | null {
    if (start >= end) return null;
    try {
      return asObject(JSON.parse(this.#bytes.toString('utf8', start, end)));
    } catch {
      this.#unreadable += 1;
      return null;
    }
  }
}
