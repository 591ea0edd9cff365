import { isAscii } from 'node:buffer';
import { eventBytesAtMost, eventsAtMost, structureAtMost } from '../batch-limits.ts';
import { type BatchSplit, type EventSlice, type TimeBudget, weightOf } from '../ports.ts';
import { scanBatch, stringEnd } from './scan-batch.ts';

/** How many slices may turn out to be cut wrongly before the bytes are scanned one by one. */
const wrongCutsAtMost = 8;

/**
 * Splits a batch into the original bytes of its events. Boundaries are guessed by searching for `},{"<first key>"`
 * and each guess is proven by parsing the slice; if every slice parses, the split is right. What is written in another
 * way is scanned. Nothing is taken from a body of which any part is no JSON.
 */
export async function splitBatch(body: Uint8Array, timeBudget: TimeBudget): Promise<BatchSplit> {
  const bytes = withoutMark(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
  const text = bytes.toString('latin1');
  // JSON.parse of a plain slice is twice as fast, and wrong unless each byte is a character.
  const parse = isAscii(bytes)
    ? (from: number, to: number): unknown => JSON.parse(text.slice(from, to))
    : (from: number, to: number): unknown => JSON.parse(bytes.toString('utf8', from, to));
  const guessed = await splitByGuess(bytes, text, parse, timeBudget);
  if (guessed) return { kind: 'events', bytes, slices: guessed };
  return scanBatch(bytes, parse, timeBudget);
}

const quote = 0x22;

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

/** Counts what is outside of texts. */
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

/** Where the last event ends, when nothing but brackets follows it. */
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

const isSpace = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** What stands between two events: a comma, for some writers with a space. */
function gapOf(text: string, from: number, key: string): string {
  const plain = text.indexOf(`},{${key}`, from);
  const before = plain < 0 ? text : text.slice(0, plain);
  return before.includes(`}, {${key}`, from) ? ', ' : ',';
}

const withoutMark = (bytes: Buffer): Buffer =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
