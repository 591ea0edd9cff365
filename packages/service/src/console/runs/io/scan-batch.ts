import {
  eventBytesAtMost,
  eventsAtMost,
  eventTooLong,
  structureAtMost,
  tooManyEvents,
  tooMuchStructure,
} from '../batch-limits.ts';
import type { BatchSplit, EventSlice, TimeBudget } from '../ports.ts';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const isOpening = (byte: number | undefined) => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number | undefined) => byte === 0x5d || byte === 0x7d;
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

type Range = readonly [from: number, to: number];

class TooLarge extends Error {}

/** Counts what is outside of texts. */
class Structure {
  #bytes = 0;

  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > structureAtMost) throw new TooLarge(tooMuchStructure);
  }
}

/**
 * The careful way: walks the bytes for the elements of the batch, parses each, and then the frame around them with a
 * zero in each one's place. Both together parse exactly when the whole body does.
 */
export async function scanBatch(
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

/** Past the closing quote, found natively where nothing in the text is escaped. */
export function stringEnd(bytes: Buffer, open: number): number {
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
