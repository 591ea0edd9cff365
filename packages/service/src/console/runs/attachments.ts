import { Document } from '../../kernel/document.ts';
import { type Refusal, refuse } from '../../kernel/outcome.ts';
import type { AttachmentEntry, Run } from './run.ts';

/** Media types that a browser may display; everything else is downloaded. */
const shown = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'video/webm', 'text/plain']);

export function attachmentNamed(run: Run, sha256: string): AttachmentEntry | undefined {
  for (const { attachments } of run.scenarios.values()) {
    const found = attachments?.find((entry) => entry.stored && entry.sha256 === sha256);
    if (found) return found;
  }
  return undefined;
}

export const attachmentNotFound = (runId: string, sha256: string): Refusal =>
  refuse('attachment_not_found', `Run ${runId} has no attachment ${sha256}. GET /api/runs/${runId} lists them.`);

/** Sandboxed, so that nothing in it can run. */
export function attachmentDocument({ name, mediaType }: AttachmentEntry, content: Uint8Array): Document {
  const [plain = ''] = mediaType.toLowerCase().split(';');
  const isShown = shown.has(plain.trim());
  const media = isShown ? (plain === 'text/plain' ? 'text/plain; charset=utf-8' : plain) : 'application/octet-stream';
  return Document.sandboxed(media, content, isShown ? undefined : name);
}
