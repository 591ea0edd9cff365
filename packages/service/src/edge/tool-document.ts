import type { Document } from '../kernel/document.ts';
import { boundedAnswer, boundedPagedJson, type ToolAnswer } from './tool-answer.ts';

/**
 * A document as a tool answers it. One that is JSON in itself is the answer; any other is `{ format, text }`, whole or
 * not at all: half a report reads like a whole one.
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

/** Keeps no more than is wanted, and counts the rest. */
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
