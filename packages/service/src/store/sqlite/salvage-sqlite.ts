import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { openSqlite } from '../../files/sqlite-file.ts';
import { isIntact } from '../event-checksum.ts';
import { type RawEvent, type RawKey, rawEventIn, rawKeyIn } from '../raw-event.ts';

/** `damaged`: events that are in the file but fail their checksum; their contents may be wrong. */
export type Salvaged = {
  events: Map<number, RawEvent>;
  damaged: Map<number, { stream: string | null; topic: string | null }>;
  keys: RawKey[];
  /** The end of the log. */
  newest: number;
};

/**
 * Reads every event that can be read from a damaged store file: first with SQLite, then by searching the whole file for
 * data that looks like a row. An event counts only if its checksum matches. `path` is a copy, because SQLite may write
 * to it.
 */
export function salvageSqlite(path: string): Salvaged {
  const salvaged: Salvaged = { events: new Map(), damaged: new Map(), keys: [], newest: 0 };
  const isOpened = readRows(path, salvaged);
  for (const file of isOpened ? [path] : [path, `${path}-wal`]) if (existsSync(file)) scan(file, salvaged);
  for (const sequence of salvaged.events.keys()) salvaged.damaged.delete(sequence);
  salvaged.newest ||= plausibleEnd([...salvaged.events.keys()]);
  return salvaged;
}

/** For a file whose index is unreadable: a sequence number far above all others is treated as damaged and ignored. */
function plausibleEnd(sequences: number[]): number {
  const ordered = sequences.sort((one, other) => one - other);
  while ((ordered.at(-1) ?? 0) > 2 * (ordered.at(-2) ?? 0) + 1_000) ordered.pop();
  return ordered.at(-1) ?? 0;
}

/** False if SQLite cannot apply the write-ahead log. */
function readRows(path: string, salvaged: Salvaged): boolean {
  let database: DatabaseSync | undefined;
  try {
    database = openSqlite(path);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    salvaged.newest = newestIn(database);
    readEvents(database, salvaged);
    salvaged.keys = readKeys(database);
    return true;
  } catch {
    return false;
  } finally {
    database?.close();
  }
}

/** The newest sequence by table or index, which has its own copy of each number; 0 if neither can be read. */
function newestIn(database: DatabaseSync): number {
  const ask = (source: string) =>
    orElse(() => Number(database.prepare(`SELECT max(sequence) AS last FROM ${source}`).get()?.last), 0);
  return ask('events INDEXED BY events_of_a_topic') || ask('events');
}

function orElse<Answer>(ask: () => Answer, otherwise: Answer): Answer {
  try {
    return ask();
  } catch {
    return otherwise;
  }
}

/** Row by row, so that an unreadable row does not affect the others. */
function readEvents(database: DatabaseSync, salvaged: Salvaged): void {
  const one = database.prepare('SELECT * FROM events WHERE sequence = ?');
  for (let sequence = 1; sequence <= salvaged.newest; sequence += 1) {
    const row = orElse(() => one.get(sequence), undefined);
    if (row) keep(row, salvaged);
  }
}

function keep(row: Readonly<Record<string, unknown>>, { events, damaged }: Salvaged): void {
  const event = orElse(() => rawEventIn(row), null);
  const sequence = Number(row.sequence);
  if (event && isWhole(event)) {
    if (!events.has(sequence)) events.set(sequence, event);
    return;
  }
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  damaged.set(sequence, { stream: text(row.stream), topic: text(row.topic) });
}

const isWhole = (event: RawEvent): boolean =>
  isIntact(event.id, event, event.data) && orElse(() => JSON.parse(event.data) !== undefined, false);

/** Stored answers have no checksum; if one is missing, a repeated call is executed again. */
function readKeys(database: DatabaseSync): RawKey[] {
  const keys: RawKey[] = [];
  try {
    for (const row of database.prepare('SELECT * FROM remembered').iterate()) {
      const key = orElse(() => rawKeyIn(row), null);
      if (key && (key.answer === null || orElse(() => JSON.parse(key.answer ?? '') !== undefined, false)))
        keys.push(key);
    }
  } catch {
    // The remaining rows cannot be read.
  }
  return keys;
}

/**
 * The head of a row of `events`: the first column is the row's own number, the id has 36 letters, the time 24, the provenance 8. Types 1 to 6, 8 and 9
 * are whole numbers; an odd one from 13 on is a text.
 */
const [ofId, ofTime, ofProvenance] = [85, 61, 29];

/** A scan of one window of the file; a row may begin at any byte, because the page's list of rows may be damaged. */
function scan(path: string, salvaged: Salvaged): void {
  const fd = openSync(path, 'r');
  try {
    const { size } = fstatSync(fd);
    const file = new FileBytes(fd, size);
    const pageBytes = pageSizeOf(file);
    const isWal = path.endsWith('-wal');
    for (let at = 0; at < size; at += 1) {
      // The head of a row begins with its own length, so only that must be checked.
      const length = file.byte(at);
      if (length < 10 || length > 40) continue;
      const row = rowAt(file, at, length, isWal ? null : pageBytes);
      if (row) keep(row, salvaged);
    }
  } finally {
    closeSync(fd);
  }
}

function pageSizeOf(file: FileBytes): number {
  const written = file.byte(16) * 256 + file.byte(17);
  return written >= 512 && (written & (written - 1)) === 0 ? written : 4096;
}

/** The row whose head begins there; `pageBytes` is null if long rows cannot be followed. */
function rowAt(file: FileBytes, at: number, length: number, pageBytes: number | null): Record<string, unknown> | null {
  const types: number[] = [];
  let next = at + 1;
  while (next < at + length) {
    const [type, end] = file.number(next);
    types.push(type);
    next = end;
  }
  const [own, stream, version, topic, id, type, time, by, provenance, data] = types;
  if (
    types.length !== 10 ||
    next !== at + length ||
    own !== 0 ||
    id !== ofId ||
    time !== ofTime ||
    provenance !== ofProvenance
  )
    return null;
  if (version === undefined || version < 1 || version > 9 || version === 7) return null;
  if (![stream, topic, type, by, data].every((one) => one !== undefined && one >= 13 && one % 2 === 1)) return null;
  const payload = length + types.reduce((sum, one) => sum + sizeOf(one), 0);
  const before = numbersBefore(file, at, payload);
  if (!before) return null;
  const bytes = payloadAt(file, at, payload, pageBytes);
  return bytes && rowIn(bytes, length, types, before.sequence);
}

const sizeOf = (type: number): number => (type >= 13 ? (type - 13) / 2 : ([0, 1, 2, 3, 4, 6, 8, 8, 0, 0][type] ?? 0));

/** Before the head are the length of the row and its number, each up to nine bytes. */
function numbersBefore(file: FileBytes, at: number, payload: number): { sequence: number } | null {
  for (let sequenceAt = at - 1; sequenceAt >= at - 9 && sequenceAt > 0; sequenceAt -= 1) {
    const [sequence, end] = file.number(sequenceAt);
    if (end !== at || sequence < 1 || !Number.isSafeInteger(sequence)) continue;
    for (let lengthAt = sequenceAt - 1; lengthAt >= sequenceAt - 9 && lengthAt >= 0; lengthAt -= 1) {
      const [length, lengthEnd] = file.number(lengthAt);
      if (lengthEnd === sequenceAt && length === payload) return { sequence };
    }
  }
  return null;
}

/** The row itself; a long one continues in other pages, each of which begins with the number of the next. */
function payloadAt(file: FileBytes, at: number, payload: number, pageBytes: number | null): Buffer | null {
  const most = (pageBytes ?? 4096) - 35;
  if (payload <= most) return file.bytes(at, payload);
  if (pageBytes === null) return null;
  const least = Math.floor(((pageBytes - 12) * 32) / 255) - 23;
  const spilled = least + ((payload - least) % (pageBytes - 4));
  const local = spilled <= most ? spilled : least;
  const parts = [file.bytes(at, local)];
  let page = file.bytes(at + local, 4).readUInt32BE();
  for (let left = payload - local; left > 0; ) {
    const start = (page - 1) * pageBytes;
    if (page < 2 || start + pageBytes > file.size) return null;
    const count = Math.min(left, pageBytes - 4);
    parts.push(file.bytes(start + 4, count));
    left -= count;
    page = file.bytes(start, 4).readUInt32BE();
  }
  return Buffer.concat(parts);
}

const columns = ['sequence', 'stream', 'version', 'topic', 'id', 'type', 'at', 'by', 'provenance', 'data'] as const;

function rowIn(bytes: Buffer, length: number, types: readonly number[], sequence: number): Record<string, unknown> {
  let at = length;
  const row: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) {
    const type = types[index] ?? 0;
    const size = sizeOf(type);
    if (column === 'sequence') row[column] = sequence;
    else if (type >= 13) row[column] = bytes.toString('utf8', at, at + size);
    else row[column] = type === 8 ? 0 : type === 9 ? 1 : size > 6 ? Number.NaN : bytes.readIntBE(at, size);
    at += size;
  }
  return row;
}

/** A file in memory, a window at a time. */
class FileBytes {
  readonly size: number;
  readonly #fd: number;
  #window = Buffer.alloc(0);
  #start = 0;

  constructor(fd: number, size: number) {
    this.#fd = fd;
    this.size = size;
  }

  byte(at: number): number {
    if (at < this.#start || at >= this.#start + this.#window.length) this.#move(at);
    return this.#window[at - this.#start] ?? 0;
  }

  bytes(at: number, count: number): Buffer {
    const buffer = Buffer.alloc(count);
    readSync(this.#fd, buffer, 0, count, at);
    return buffer;
  }

  /** A number in SQLite's format, and where it ends. */
  number(at: number): [value: number, end: number] {
    let value = 0;
    for (let end = at; end < at + 8; end += 1) {
      const byte = this.byte(end);
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return [value, end + 1];
    }
    return [value * 256 + this.byte(at + 8), at + 9];
  }

  #move(at: number): void {
    this.#start = Math.max(0, at - 64);
    const window = Buffer.alloc(4 * 1024 * 1024);
    this.#window = window.subarray(0, readSync(this.#fd, window, 0, window.length, this.#start));
  }
}
