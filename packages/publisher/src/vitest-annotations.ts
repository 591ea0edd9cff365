import { basename, extname } from 'node:path';
import type { Left } from './attachment.ts';
import type { Annotation } from './vitest-api.ts';

const mediaTypes: Record<string, string> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.webp': 'image/webp',
  '.gif': 'image/gif',
  '.webm': 'video/webm',
  '.txt': 'text/plain',
  '.log': 'text/plain',
  '.json': 'application/json',
};
const nameLength = 120;

/** What a test noted by `annotate`: the file of each, and a note without one as a text that is named by what it says. */
export const leftBy = (annotations: readonly Annotation[]): Left[] => annotations.map(leftByOne);

function leftByOne({ message, type = 'notice', attachment }: Annotation): Left {
  if (!attachment) return { name: nameOf(`${type}: ${message}`), mediaType: 'text/plain', body: message };
  const { path, body, bodyEncoding, contentType } = attachment;
  if (path !== undefined) {
    const mediaType = contentType ?? mediaTypes[extname(path).toLowerCase()] ?? 'application/octet-stream';
    return { name: nameOf(message || basename(path)), mediaType, path };
  }
  // Vitest hands texts on as base64 unless told otherwise.
  const bytes = typeof body === 'string' ? Buffer.from(body, bodyEncoding === 'utf-8' ? 'utf8' : 'base64') : body;
  return { name: nameOf(message || type), mediaType: contentType ?? 'text/plain', body: bytes ?? '' };
}

const nameOf = (text: string): string => {
  const [line = ''] = text.split('\n', 1);
  return line.length > nameLength ? `${line.slice(0, nameLength - 1)}…` : line;
};
