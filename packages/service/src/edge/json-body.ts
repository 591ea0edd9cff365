import { yieldIfBusy } from '../event-loop/cooperative.ts';
import { type Refusal, refuse, refuseShape } from '../kernel/outcome.ts';

export const maxDepth = 64;
/** Parsing takes up to half a microsecond for a value, and four times as long for a new member name. */
const mostParsedValues = 200_000;
const mostMembers = 10_000;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses a body strictly: UTF-8, JSON, with limits on depth and on the number of values. Concurrent long bodies are
 * parsed in separate turns, with other work in between.
 */
export async function parseJson(
  body: Uint8Array,
  mostValues = mostParsedValues,
  mostItems?: number,
): Promise<{ value: unknown } | Refusal> {
  const scan = new JsonScan(mostValues, mostItems);
  for (let from = 0; from < body.length && !scan.refusal; from += sliceBytes) {
    if (body.length > sliceBytes) await yieldIfBusy();
    scan.read(body.subarray(from, from + sliceBytes));
  }
  if (scan.refusal) return scan.refusal;
  if (body.length <= sliceBytes) return parsed(() => utf8.decode(body));
  const text = await decodedInTurns(body).catch(() => undefined);
  // Parsing cannot be split; a long body is processed in a later turn.
  const result = text === undefined ? notJson('it is not UTF-8') : parsed(() => text);
  await yieldIfBusy();
  return result;
}

/** Parses a short body synchronously. `mostItems` bounds a body that is a list. */
export function readJson(body: Uint8Array, mostItems?: number): { value: unknown } | Refusal {
  const scan = new JsonScan(mostParsedValues, mostItems);
  scan.read(body);
  return scan.refusal ?? parsed(() => utf8.decode(body));
}

/** Decoding a body of some megabytes takes as long as parsing it. */
async function decodedInTurns(body: Uint8Array): Promise<string> {
  const pieces: string[] = [];
  for (let from = 0; from < body.length; ) {
    await yieldIfBusy();
    const to = startOfCharacter(body, from + sliceBytes);
    pieces.push(utf8.decode(body.subarray(from, to)));
    from = to;
  }
  await yieldIfBusy();
  return pieces.join('');
}

/** The further bytes of a character begin with the bits 10; there are at most three. */
function startOfCharacter(body: Uint8Array, at: number): number {
  const before = [at, at - 1, at - 2, at - 3];
  return before.find((each) => ((body[each] ?? 0) & 0b1100_0000) !== 0b1000_0000) ?? at;
}

function parsed(textOf: () => string): { value: unknown } | Refusal {
  try {
    return { value: JSON.parse(textOf()) };
  } catch (error) {
    return notJson(reason(error));
  }
}

const notJson = (why: string): Refusal => refuseShape([{ path: '', message: `the body is not JSON (${why})` }]);

const reason = (error: unknown): string =>
  error instanceof SyntaxError ? error.message.replace(/\s+/g, ' ').slice(0, 120) : 'it is not UTF-8';

const [quote, comma, colon, backslash] = [34, 44, 58, 92];
const [openBrace, closeBrace, openBracket, closeBracket] = [123, 125, 91, 93];

const sliceBytes = 64 * 1024;
const shortText = 64;

/** Counts the nesting depth and the number of values in the bytes, so that deep or huge JSON is never parsed. Stops beyond a limit. */
class JsonScan {
  refusal: Refusal | undefined;
  readonly #mostValues: number;
  readonly #mostItems: number;
  #isList = false;
  #items = 1;
  readonly #members = new Uint32Array(maxDepth + 2);
  #depth = 0;
  #values = 0;
  #inText = false;
  #escaped = false;

  constructor(mostValues: number, mostItems = Number.POSITIVE_INFINITY) {
    this.#mostValues = mostValues;
    this.#mostItems = mostItems;
  }

  read(slice: Uint8Array): void {
    for (let at = 0; at < slice.length && this.refusal === undefined; ) {
      const byte = slice[at];
      if (this.#inText) at = this.#readText(slice, at);
      else {
        at += 1;
        if (byte === quote) this.#inText = true;
        else if (byte === openBrace || byte === openBracket) this.#open(byte === openBracket);
        else if (byte === closeBrace || byte === closeBracket) this.#depth -= 1;
        else if (byte === comma) this.#next();
        else if (byte === colon) this.#countMember();
      }
    }
  }

  /** The position after the end of a string, or of the slice. */
  #readText(slice: Uint8Array, from: number): number {
    for (let at = from; at < slice.length; at += 1) {
      if (at === from + shortText && !this.#escaped) at = plainUntil(slice, at);
      const byte = slice[at];
      if (this.#escaped) this.#escaped = false;
      else if (byte === backslash) this.#escaped = true;
      else if (byte === quote) {
        this.#inText = false;
        return at + 1;
      }
    }
    return slice.length;
  }

  #next(): void {
    if (this.#depth === 1 && this.#isList && ++this.#items > this.#mostItems)
      this.refusal = tooManyItems(this.#mostItems);
    this.#count();
  }

  #open(isList: boolean): void {
    this.#depth += 1;
    if (this.#depth === 1) this.#isList = isList;
    if (this.#depth > maxDepth) this.refusal = tooDeep;
    else {
      this.#members[Math.max(0, this.#depth)] = 0;
      this.#count();
    }
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > this.#mostValues && !this.refusal) {
      const detail = `The JSON has more than ${this.#mostValues} values. Send less at once.`;
      this.refusal = refuse('body_too_large', detail);
    }
  }

  #countMember(): void {
    const members = (this.#members[Math.max(0, this.#depth)] ?? 0) + 1;
    this.#members[Math.max(0, this.#depth)] = members;
    if (members > mostMembers) this.refusal = tooManyMembers;
  }
}

/** If a string has no escapes, its end is found natively, which is faster for long strings. */
function plainUntil(slice: Uint8Array, from: number): number {
  const close = slice.indexOf(quote, from);
  const end = close < 0 ? slice.length : close;
  return slice.subarray(from, end).includes(backslash) ? from : end;
}

const tooDeep = refuse(
  'body_too_large',
  `The JSON is nested deeper than ${maxDepth} levels. Send a flatter structure.`,
);
const tooManyItems = (most: number): Refusal =>
  refuse(
    'too_many_requests',
    `A frame may have at most ${most} requests. None of these was carried out: send fewer at once.`,
    {
      retryAfterSeconds: 1,
    },
  );
const tooManyMembers = refuse(
  'body_too_large',
  `One object of the JSON has more than ${mostMembers} members. Send less at once.`,
);
