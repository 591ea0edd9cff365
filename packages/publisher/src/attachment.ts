import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { Attachment } from './events.ts';
import { iso } from './iso.ts';

/** A file that a test created: its path or its content. */
export type Left = {
  name: string;
  mediaType: string;
  path?: string | undefined;
  body?: Uint8Array | string | undefined;
};

const largest = 2 * 1024 * 1024;

/** A file that is too large or unreadable is announced without its content. */
export function attachmentOf(uid: string, attempt: number, left: Left): Omit<Attachment, 'runId'> {
  const { content, size, reason } = contentOf(left);
  return {
    type: 'attachment',
    uid,
    attempt,
    name: left.name,
    mediaType: left.mediaType,
    size,
    sha256: content === null ? '' : createHash('sha256').update(content).digest('hex'),
    data: content === null ? null : content.toString('base64'),
    ...(reason !== null && { reason }),
    at: iso(Date.now()),
  };
}

type Content = { content: Buffer | null; size: number; reason: string | null };

function contentOf({ path, body }: Left): Content {
  if (body !== undefined) return bounded(Buffer.from(body as string));
  try {
    const stats = statSync(path ?? '');
    if (!stats.isFile()) return { content: null, size: 0, reason: 'it is not a regular file' };
    const { size } = stats;
    return size > largest ? tooLarge(size) : bounded(readFileSync(path ?? ''));
  } catch {
    return { content: null, size: 0, reason: 'it could not be read' };
  }
}

const bounded = (content: Buffer): Content =>
  content.length > largest ? tooLarge(content.length) : { content, size: content.length, reason: null };

const tooLarge = (size: number): Content => ({ content: null, size, reason: `it is larger than ${largest} bytes` });
