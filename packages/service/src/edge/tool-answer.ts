import type { Document, PagedJson } from '../kernel/document.ts';
import { isObject } from '../kernel/is-object.ts';
import { ListPage } from '../kernel/list.ts';

export const defaultBytes = 8192;
export const maxAnswerBytes = 1024 * 1024;

type Json = Record<string, unknown>;
/** `structuredContent` and its text are always the same JSON. */
export type ToolAnswer = { body: Json; text: string };

/** A page of a list as tools see it. */
const pageOf = ({ items, total, offset }: ListPage<unknown>): Json => ({
  items,
  total,
  next: nextOf(offset + items.length, total),
});

const nextOf = (offset: number, total: number) => (offset < total ? { offset } : null);

/** The list of an object that `offset` pages, and where this page begins. */
export type Paged = { list: string; from: number };

/** Shortens an answer to a size that an agent can afford: drops whole items from the end of its longest list, and reports how many. */
export function boundedAnswer(out: unknown, maxBytes: number, paged?: Paged): ToolAnswer {
  const listed = out instanceof ListPage ? out : undefined;
  const whole: Json = listed ? pageOf(listed) : { ...Object(out) };
  const body = clippedMembers(withoutEnds(withSmallResults(whole, maxBytes), maxBytes), maxBytes);
  const text = JSON.stringify(body);
  if (Buffer.byteLength(text) <= maxBytes) return { body, text };

  const lists = listsOf(body);
  const longest = lists.at(-1);
  if (!longest) return { body: whole, text: JSON.stringify(whole) };
  const before = leftOffIn(body);
  const shortened = (kept: ReadonlyMap<string, number>): Json => ({
    ...lists.reduce((cut, [name, items]) => withList(cut, name, items.slice(0, kept.get(name) ?? items.length)), body),
    truncated: true,
    leftOff: lists.reduce((sum, [name, items]) => sum + items.length - (kept.get(name) ?? items.length), before),
    next: listed
      ? nextOf(listed.offset + (kept.get('items') ?? 0), listed.total)
      : paged && kept.has(paged.list)
        ? { offset: paged.from + (kept.get(paged.list) ?? 0) }
        : null,
  });
  const roomBeside = (cut: readonly List[]) =>
    maxBytes - Buffer.byteLength(JSON.stringify(shortened(new Map(cut.map(([name]) => [name, 0]))))) - 16;
  const kept = share([longest], roomBeside([longest]));
  const isEnough = lists.length === 1 || [...kept.values()].some((count) => count > 0);
  const short = shortened(isEnough ? kept : share(lists, roomBeside(lists)));
  const page = listed ? 'items' : paged?.list;
  const roomier = page === undefined && withShorterItems(body, longest, short, maxBytes);
  if (roomier) return boundedAnswer(roomier, maxBytes);
  const isEmptied = page !== undefined && lists.some(([name]) => name === page) && lengthOf(short[page]) === 0;
  const explained = isEmptied ? { ...short, detail: tooLarge } : short;
  return { body: explained, text: JSON.stringify(explained) };
}

/**
 * The answer with each list cut to what could fit, and large items to what fits of their own lists, so that the rest
 * need not be serialised to be measured.
 */
function withoutEnds(whole: Json, maxBytes: number): Json {
  let body = whole;
  let leftOff = leftOffIn(whole);
  const least = (item: unknown) => Math.min(bytesOf(clipped(item, maxBytes)), shareOfItem(maxBytes));
  for (const [name, items] of allLists(whole)) {
    const most = howManyFit(items, maxBytes, least) + 1;
    if (items.length <= most) continue;
    leftOff += items.length - most;
    body = { ...withList(body, name, items.slice(0, most)), leftOff };
  }
  return body;
}

/** Replaces the largest results in `inputs` by their size, as far as needed, because a part of JSON is useless. */
function withSmallResults(whole: Json, maxBytes: number): Json {
  const { inputs } = whole;
  if (!Array.isArray(inputs)) return whole;
  const sizes = inputs.map((input) => (isObject(input) && 'result' in input ? bytesOf(input.result) : 0));
  const largestFirst = [...sizes.keys()].sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0));
  const short: unknown[] = [...inputs];
  let over = bytesOf(whole) - maxBytes;
  for (const at of largestFirst) {
    const bytes = sizes[at] ?? 0;
    const instead = { truncated: true, bytes };
    if (over <= 0 || bytes <= bytesOf(instead)) break;
    short[at] = { ...Object(inputs[at]), result: instead };
    over -= bytes - bytesOf(instead);
  }
  return { ...whole, inputs: short };
}

const shareOfItem = (maxBytes: number): number => maxBytes / 4;

/**
 * The answer with each text cut to the size limit: an item with a cut text still does not fit, but measuring it no
 * longer serialises megabytes.
 */
function clipped(value: unknown, maxBytes: number): unknown {
  if (typeof value === 'string') return value.length > maxBytes ? value.slice(0, maxBytes + 1) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => clipped(item, maxBytes));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  return clippedMembers(value, maxBytes);
}

function clippedMembers<Members extends object>(value: Members, maxBytes: number): Members | Json {
  const members = Object.entries(value).map(([name, member]) => [name, member, clipped(member, maxBytes)] as const);
  if (members.every(([, before, after]) => before === after)) return value;
  return Object.fromEntries(members.map(([name, , after]) => [name, after]));
}

function listIn(body: Json, name: string): unknown {
  const [outer = '', inner] = name.split('.', 2);
  return inner === undefined ? body[outer] : Object(body[outer])[inner];
}

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

const leftOffIn = ({ leftOff }: Json): number => (typeof leftOff === 'number' ? leftOff : 0);

/**
 * If even the first item does not fit, the longest lists inside large items are cut: a hundred tests that fail in the
 * same way are one item, and an important one.
 */
function withShorterItems(body: Json, [name, items]: List, short: Json, maxBytes: number): Json | null {
  if (lengthOf(listIn(short, name)) > 0) return null;
  const share = shareOfItem(maxBytes);
  const before = leftOffIn(body);
  let leftOff = before;
  const shorter = items.map((item) => {
    const inner = isObject(item) && bytesOf(item) > share ? listsOf(item).at(-1) : undefined;
    if (!isObject(item) || !inner) return item;
    const [member, all] = inner;
    const kept = all.slice(0, Math.max(1, howManyFit(all, share - bytesOf(withList(item, member, [])))));
    leftOff += all.length - kept.length;
    return withList(item, member, kept);
  });
  return leftOff === before ? null : { ...withList(body, name, shorter), truncated: true, leftOff, next: null };
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Without this message an agent would mistake the empty page for the end, or request it endlessly. */
const tooLarge = `The next item alone is larger than maxBytes: raise maxBytes (at most ${maxAnswerBytes}), or skip the item with offset.`;

/** For a list too long to build completely: only as many items as fit. */
export function boundedPagedJson(
  { members: whole, listName: list, items, total }: PagedJson,
  maxBytes: number,
): ToolAnswer {
  const members = clippedMembers(whole, maxBytes);
  const cutAt = (kept: readonly object[]): Json => ({
    ...members,
    [list]: kept,
    truncated: true,
    leftOff: total - kept.length,
    next: null,
  });
  let room = maxBytes - Buffer.byteLength(JSON.stringify(cutAt([]))) - 16;
  const kept: object[] = [];
  for (const item of items) {
    room -= bytesOf(clipped(item, maxBytes)) + 1;
    if (room < 0) return boundedAnswer(cutAt(kept), maxBytes);
    kept.push(item);
  }
  return boundedAnswer({ ...members, [list]: kept }, maxBytes);
}

/** A list of an object, or of an object in it: `slices`, `drift.untouched`. */
type List = readonly [name: string, items: readonly unknown[]];

const allLists = (body: Json): List[] =>
  Object.entries(body).flatMap(([name, value]) =>
    isObject(value)
      ? ownLists(value).map(([inner, items]) => [`${name}.${inner}`, items] as const)
      : ownList(name, value),
  );

const ownLists = (body: Json): List[] => Object.entries(body).flatMap(([name, value]) => ownList(name, value));
const ownList = (name: string, value: unknown): List[] =>
  Array.isArray(value) && value.length > 0 ? [[name, value]] : [];

function withList(body: Json, name: string, items: readonly unknown[]): Json {
  const [outer = '', inner] = name.split('.', 2);
  return { ...body, [outer]: inner === undefined ? items : { ...Object(body[outer]), [inner]: items } };
}

/** The non-empty lists of an object, the longest last. */
const listsOf = (body: Json): List[] =>
  allLists(body)
    .map((list) => ({ list, size: JSON.stringify(list[1]).length }))
    .sort((a, b) => a.size - b.size)
    .map(({ list }) => list);

/** How many items of each list stay: space that a short list does not use goes to longer ones. */
function share(lists: readonly List[], room: number): Map<string, number> {
  const kept = new Map<string, number>();
  let left = room;
  for (const [index, [name, items]] of lists.entries()) {
    const count = howManyFit(items, left / (lists.length - index));
    kept.set(name, count);
    left -= Buffer.byteLength(JSON.stringify(items.slice(0, count)));
  }
  return kept;
}

function howManyFit(items: readonly unknown[], room: number, sizeOf = bytesOf): number {
  let used = 0;
  for (const [index, item] of items.entries()) {
    used += sizeOf(item) + 1;
    if (used > room) return index;
  }
  return items.length;
}

/**
 * A document as the answer of a tool. A JSON document is the answer itself; any other becomes `{ format, text }`,
 * complete or not at all, because half a report looks like a whole one.
 */
export async function documentAnswer(document: Document, format: unknown, maxBytes: number): Promise<ToolAnswer> {
  if (document.pagedJson) return boundedPagedJson(document.pagedJson, maxBytes);
  const isAnswer = document.fileName === undefined && document.mediaType.startsWith('application/json');
  const { text, bytes } = await read(document, isAnswer ? Number.POSITIVE_INFINITY : maxBytes);
  if (isAnswer) return boundedAnswer(JSON.parse(text), maxBytes);
  const whole = { format, text };
  const shown = JSON.stringify(whole);
  if (bytes <= maxBytes && Buffer.byteLength(shown) <= maxBytes) return { body: whole, text: shown };
  const pointer = { format, text: null, truncated: true, bytes, url: document.path ?? null };
  return { body: pointer, text: JSON.stringify(pointer) };
}

/** Keeps only as much as is wanted, and counts the rest. */
async function read({ body }: Document, wanted: number): Promise<{ text: string; bytes: number }> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of typeof body === 'string' || body instanceof Uint8Array ? [body] : body) {
    const chunk =
      typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    bytes += chunk.length;
    if (bytes <= wanted) pieces.push(chunk);
  }
  return { text: bytes <= wanted ? Buffer.concat(pieces).toString() : '', bytes };
}
