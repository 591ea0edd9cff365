import { isAscii } from 'node:buffer';
import { type BatchSplit, type EventSlice, type TimeBudget, weightOf } from '../ports.ts';

/** A limit against abuse: real events are so long that a batch of this many exceeds the body limit. */
const eventsAtMost = 100_000;

/** Enough for the largest attachment, and for a megabyte of text in which every character is escaped. */
const eventBytesAtMost = 6 * 1024 * 1024;

/**
 * How many bytes one event, or the batch around its events, may have outside strings. A string of any length is parsed
 * fast; a hundred thousand brackets take as long as a whole batch.
 */
const structureAtMost = 128 * 1024;

const tooManyEvents = `Send at most ${eventsAtMost} events at once.`;
const eventTooLong = `An event may have at most ${eventBytesAtMost} bytes. Send smaller events.`;
const tooMuchStructure = `An event may have at most ${structureAtMost} bytes outside of its strings, and a batch at most ${structureAtMost} bytes outside of its events. Send simpler events.`;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const lf = 0x0a;
const cr = 0x0d;
const isOpening = (byte: number | undefined) => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number | undefined) => byte === 0x5d || byte === 0x7d;
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** How many wrong cuts are tried before the bytes are scanned one by one. */
const wrongCutsAtMost = 8;

/**
 * Splits a batch into the original bytes of its events. Boundaries are guessed by searching for `},{"<first key>"`
 * and each guess is proven by parsing the slice; if every slice parses, the split is right. A body in another form is
 * scanned byte by byte. A body with any part that is not valid JSON is rejected as a whole.
 */
export async function splitBatch(body: Uint8Array, timeBudget: TimeBudget): Promise<BatchSplit> {
  const bytes = withoutMark(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  const text = bytes.toString('latin1');
  // JSON.parse of a plain slice is twice as fast, but wrong unless every byte is a character.
  const parse = isAscii(bytes)
    ? (from: number, to: number): unknown => JSON.parse(text.slice(from, to))
    : (from: number, to: number): unknown => JSON.parse(bytes.toString('utf8', from, to));
  const guessed = await splitByGuess(bytes, text, parse, timeBudget);
  if (guessed) return { kind: 'events', bytes, slices: guessed };
  return scanBatch(bytes, parse, timeBudget);
}

type Parse = (from: number, to: number) => unknown;

const opening = /^\s*(?:\{\s*"events"\s*:\s*)?\[\s*(?=\{\s*("[^"\\]{1,40}"))/;

async function splitByGuess(
  bytes: Buffer,
  text: string,
  parse: Parse,
  timeBudget: TimeBudget,
): Promise<EventSlice[] | null> {
  const head = opening.exec(text.slice(0, 256));
  if (!head?.[1]) return null;
  const end = closing(text, head[0].includes('{'));
  if (end === null) return null;
  const gap = gapOf(text, head[0].length, head[1]);
  const separator = `}${gap}{${head[1]}`;
  const slices: EventSlice[] = [];
  let wrong = 0;
  for (let from = head[0].length; from < end; ) {
    let to = text.indexOf(separator, from);
    let value: unknown;
    for (;;) {
      const stop: number = to < 0 || to > end ? end : to + 1;
      if (stop - from > eventBytesAtMost || hasTooMuchStructure(bytes, from, stop)) return null;
      if (timeBudget.isSpent(weightOf(stop - from))) await timeBudget.pause();
      value = parseOrUndefined(parse, from, stop);
      if (value !== undefined) {
        to = stop;
        break;
      }
      wrong += 1;
      if (stop === end || wrong > wrongCutsAtMost) return null;
      to = text.indexOf(separator, to + 1);
    }
    if (slices.push({ value, from, to }) > eventsAtMost) return null;
    if (timeBudget.isSpent(weightOf(to - from))) await timeBudget.pause();
    from = to + gap.length;
  }
  return slices;
}

/** Counts the bytes outside of strings. */
function hasTooMuchStructure(bytes: Buffer, from: number, to: number): boolean {
  if (to - from <= structureAtMost) return false;
  let structure = 0;
  for (let at = from; at < to && structure <= structureAtMost; ) {
    const open = bytes.indexOf(quote, at);
    if (open < 0 || open >= to) return structure + to - at > structureAtMost;
    structure += open - at + 2;
    at = stringEnd(bytes, open);
  }
  return structure > structureAtMost;
}

function parseOrUndefined(parse: Parse, from: number, to: number): unknown {
  try {
    const value = parse(from, to);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Where the last event ends; null if anything but brackets follows. */
function closing(text: string, wrapped: boolean): number | null {
  let end = text.length;
  for (const bracket of wrapped ? '}]' : ']') {
    end = beforeSpace(text, end) - 1;
    if (text[end] !== bracket) return null;
  }
  return beforeSpace(text, end);
}

function beforeSpace(text: string, end: number): number {
  let at = end;
  while (at > 0 && isSpace(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** The separator between two events: a comma, which some writers follow by a space. */
function gapOf(text: string, from: number, key: string): string {
  const plain = text.indexOf(`},{${key}`, from);
  const before = plain < 0 ? text : text.slice(0, plain);
  return before.includes(`}, {${key}`, from) ? ', ' : ',';
}

const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;

type Range = readonly [from: number, to: number];

class TooLarge extends Error {}

/** Counts the bytes outside of strings. */
class Structure {
  #bytes = 0;

  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > structureAtMost) throw new TooLarge(tooMuchStructure);
  }
}

/**
 * The slow, exact way: finds the elements of the batch byte by byte, parses each, and then parses the frame around them with a
 * zero in place of each element. Both succeed exactly if the whole body is valid JSON.
 */
async function scanBatch(
  bytes: Buffer,
  parse: (from: number, to: number) => unknown,
  timeBudget: TimeBudget,
): Promise<BatchSplit> {
  const slices: EventSlice[] = [];
  try {
    const found = await elements(bytes, timeBudget);
    for (const [from, to] of found ?? []) {
      slices.push({ value: parse(from, to), from, to });
      if (timeBudget.isSpent()) await timeBudget.pause();
    }
    const frame: unknown = JSON.parse(await frameOf(bytes, found ?? [], timeBudget));
    if (Array.isArray(frame)) return { kind: 'events', bytes, slices };
    if (typeof frame !== 'object' || frame === null) return { kind: 'noBatch' };
    const events = 'events' in frame ? frame.events : undefined;
    if (found && Array.isArray(events)) return { kind: 'events', bytes, slices };
    const isEmpty = Object.keys(frame).length === 0 || events === null;
    return isEmpty ? { kind: 'events', bytes, slices: [] } : { kind: 'noBatch' };
  } catch (error) {
    return error instanceof TooLarge ? { kind: 'tooLarge', message: error.message } : { kind: 'noJson' };
  }
}

async function frameOf(bytes: Buffer, found: readonly Range[], timeBudget: TimeBudget): Promise<string> {
  let text = '';
  let last = 0;
  for (const [from, to] of found) {
    text += `${bytes.toString('utf8', last, from)}0`;
    last = to;
    if (timeBudget.isSpent()) await timeBudget.pause();
  }
  return text + bytes.toString('utf8', last, bytes.length);
}

/** The ranges of the elements of a bare array, or of the last `events` member of an object; null when there is neither. */
async function elements(bytes: Buffer, timeBudget: TimeBudget): Promise<Range[] | null> {
  const around = new Structure();
  let at = skipSpace(bytes, 0);
  if (bytes[at] === 0x5b) return (await elementsFrom(bytes, at, timeBudget)).found;
  if (bytes[at] !== 0x7b) return null;
  let found: Range[] | null = null;
  at += 1;
  while (at < bytes.length) {
    at = skipSpace(bytes, at);
    if (bytes[at] !== quote) return found;
    around.add(4);
    const keyEnd = stringEnd(bytes, at);
    const isEvents = bytes.toString('utf8', at, keyEnd) === '"events"';
    at = skipSpace(bytes, keyEnd);
    if (bytes[at] !== colon) return found;
    at = skipSpace(bytes, at + 1);
    if (isEvents) found = null;
    if (isEvents && bytes[at] === 0x5b) {
      const list = await elementsFrom(bytes, at, timeBudget);
      found = list.found;
      at = list.end;
    } else at = await valueEnd(bytes, at, timeBudget, around);
    at = skipSpace(bytes, at);
    if (bytes[at] !== comma) return found;
    at += 1;
  }
  return found;
}

async function elementsFrom(
  bytes: Buffer,
  open: number,
  timeBudget: TimeBudget,
): Promise<{ found: Range[]; end: number }> {
  const found: Range[] = [];
  let at = skipSpace(bytes, open + 1);
  while (at < bytes.length && !isClosing(bytes[at])) {
    const end = await valueEnd(bytes, at, timeBudget, new Structure());
    if (end - at > eventBytesAtMost) throw new TooLarge(eventTooLong);
    if (found.push([at, end]) > eventsAtMost) throw new TooLarge(tooManyEvents);
    at = skipSpace(bytes, end);
    if (bytes[at] !== comma) break;
    at = skipSpace(bytes, at + 1);
  }
  return { found, end: at + 1 };
}

/** Where a value ends, judged by brackets and quotes; only the parser checks that it is valid. */
async function valueEnd(bytes: Buffer, start: number, timeBudget: TimeBudget, structure: Structure): Promise<number> {
  let depth = 0;
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at];
    structure.add(byte === quote ? 2 : 1);
    if (byte === quote) {
      at = stringEnd(bytes, at);
      if (timeBudget.isSpent()) await timeBudget.pause();
      if (depth === 0) return at;
      continue;
    }
    if (isOpening(byte)) depth += 1;
    else if (isClosing(byte)) {
      if (depth <= 1) return depth === 1 ? at + 1 : at;
      depth -= 1;
    } else if (depth === 0 && (byte === comma || isSpace(byte))) return at;
    at += 1;
  }
  return at;
}

/** The position after the closing quote. Found natively unless the string has escapes. */
function stringEnd(bytes: Buffer, open: number): number {
  const close = bytes.indexOf(quote, open + 1);
  if (close < 0) return bytes.length;
  if (bytes[close - 1] !== backslash) return close + 1;
  for (let at = open + 1; at < bytes.length; at += 1) {
    if (bytes[at] === backslash) at += 1;
    else if (bytes[at] === quote) return at + 1;
  }
  return bytes.length;
}

function skipSpace(bytes: Buffer, from: number): number {
  let at = from;
  while (at < bytes.length && isSpace(bytes[at])) at += 1;
  return at;
}

/**
 * The bytes of events as lines of an archive. Adjacent events are not copied: the comma or bracket behind each one is
 * overwritten by a line end, so the batch cannot be used afterwards.
 */
export async function joinLines(
  batch: Uint8Array,
  slices: readonly EventSlice[],
  timeBudget: TimeBudget,
): Promise<Uint8Array[]> {
  const bytes = Buffer.from(batch.buffer, batch.byteOffset, batch.byteLength);
  if (!bytes.includes(lf)) return joinInPlace(bytes, slices);
  const lines: Uint8Array[] = [];
  for (const { from, to } of slices) {
    lines.push(onOneLine(bytes.subarray(from, to)));
    if (timeBudget.isSpent(1 + ((to - from) >> 10))) await timeBudget.pause();
  }
  return lines;
}

function joinInPlace(bytes: Buffer, slices: readonly EventSlice[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let start = -1;
  let end = -1;
  for (const { from, to } of slices) {
    if (from !== end) {
      if (start >= 0) pieces.push(bytes.subarray(start, end));
      start = from;
    }
    // An event in a batch is always followed by a byte that belongs to no event.
    bytes[to] = lf;
    end = to + 1;
  }
  if (start >= 0) pieces.push(bytes.subarray(start, end));
  return pieces;
}

/** In JSON a line break can occur only between tokens; inside a string it is escaped. */
function onOneLine(bytes: Uint8Array): Uint8Array {
  const line = Buffer.alloc(bytes.byteLength + 1);
  let length = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte === cr && bytes[at + 1] === lf) continue;
    line[length] = byte === lf ? 0x20 : byte;
    length += 1;
  }
  line[length] = lf;
  return line.subarray(0, length + 1);
}
