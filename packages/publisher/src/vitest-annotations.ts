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

/** The annotations of a test as files: the file of each, or a text file named after its message. */
export const leftBy = (annotations: readonly Annotation[]): Left[] => annotations.map(leftByOne);

function leftByOne({ message, type = 'notice', attachment }: Annotation): Left {
  if (!attachment) return { name: nameOf(`${type}: ${message}`), mediaType: 'text/plain', body: message };
  const { path, body, bodyEncoding, contentType } = attachment;
  if (path !== undefined) {
    const mediaType = contentType ?? mediaTypes[extname(path).toLowerCase()] ?? 'application/octet-stream';
    return { name: nameOf(message || basename(path)), mediaType, path };
  }
  // Vitest passes texts as base64 by default.
  const bytes = typeof body === 'string' ? Buffer.from(body, bodyEncoding === 'utf-8' ? 'utf8' : 'base64') : body;
  return { name: nameOf(message || type), mediaType: contentType ?? 'text/plain', body: bytes ?? '' };
}

const nameOf = (text: string): string => {
  const [line = ''] = text.split('\n', 1);
  return line.length > nameLength ? `${line.slice(0, nameLength - 1)}…` : line;
};
