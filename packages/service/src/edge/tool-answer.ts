import type { Parts } from '../kernel/document.ts';
import { Listed } from '../kernel/list.ts';

export const defaultBytes = 8192;
export const mostBytes = 1024 * 1024;

type Json = Record<string, unknown>;
/** `structuredContent` and its text are always the same JSON. */
export type ToolAnswer = { body: Json; text: string };

/** A page of a list as tools see it. */
const pageOf = ({ items, total, offset }: Listed<unknown>): Json => ({
  items,
  total,
  next: nextOf(offset + items.length, total),
});

const nextOf = (offset: number, total: number) => (offset < total ? { offset } : null);

/** Cuts an answer to what an agent can afford: whole items go, from the end of its longest list, and it says how many. */
export function boundedAnswer(out: unknown, maxBytes: number): ToolAnswer {
  const listed = out instanceof Listed ? out : undefined;
  const body = listed ? pageOf(listed) : (out as Json);
  const text = JSON.stringify(body);
  if (Buffer.byteLength(text) <= maxBytes) return { body, text };

  const cut = longestList(body);
  if (!cut) return { body, text };
  const [name, items] = cut;
  const shortened = (kept: number): Json => ({
    ...body,
    [name]: items.slice(0, kept),
    truncated: true,
    leftOff: items.length - kept,
    next: listed ? nextOf(listed.offset + kept, listed.total) : { offset: kept },
  });
  const room = maxBytes - Buffer.byteLength(JSON.stringify(shortened(0))) - 16;
  const short = shortened(howManyFit(items, room));
  return { body: short, text: JSON.stringify(short) };
}

/** The same for a list so long that it is never made whole: only as many of its items as fit. */
export function boundedParts({ around, list, items, total }: Parts, maxBytes: number): ToolAnswer {
  const cutAt = (kept: readonly object[]): Json => ({
    ...around,
    [list]: kept,
    truncated: true,
    leftOff: total - kept.length,
    next: { offset: kept.length },
  });
  let room = maxBytes - Buffer.byteLength(JSON.stringify(cutAt([]))) - 16;
  const kept: object[] = [];
  for (const item of items) {
    room -= Buffer.byteLength(JSON.stringify(item)) + 1;
    if (room < 0) return boundedAnswer(cutAt(kept), maxBytes);
    kept.push(item);
  }
  return boundedAnswer({ ...around, [list]: kept }, maxBytes);
}

function longestList(body: Json): readonly [string, readonly unknown[]] | undefined {
  let longest: readonly [string, readonly unknown[]] | undefined;
  let size = 0;
  for (const [name, value] of Object.entries(body)) {
    if (!Array.isArray(value) || value.length === 0) continue;
    const length = JSON.stringify(value).length;
    if (length > size) [longest, size] = [[name, value], length];
  }
  return longest;
}

function howManyFit(items: readonly unknown[], room: number): number {
  let used = 0;
  for (const [index, item] of items.entries()) {
    used += Buffer.byteLength(JSON.stringify(item)) + 1;
    if (used > room) return index;
  }
  return items.length;
}
