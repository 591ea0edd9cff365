import type { FileHandle } from 'node:fs/promises';
import { nullIfMissing } from '../../../files/durable-file.ts';
import { openSafeFile } from '../../../files/safe-file.ts';

type Found = { from: number; to: number };
type Scanned = { upTo: number; lines: Map<string, Found> };

const chunkBytes = 256 * 1024;
/** The line of an attachment is never longer than this; longer lines are skipped. */
const longestLine = 4 * 1024 * 1024;
/** How many runs are remembered; for an older one the archive is scanned again. */
const runsAtMost = 64;

/** Remembers the positions of attachments in archives; their content is never kept in memory. */
export class AttachmentLines {
  readonly #scanned = new Map<string, Scanned>();

  /** The content whose hash this is; null when the archive has none. */
  async read(runId: string, path: string, sha256: string): Promise<Uint8Array | null> {
    const opened = await openSafeFile(path).catch(nullIfMissing);
    if (!opened) return null;
    const { file } = opened;
    try {
      const found = await this.#find(runId, file, sha256);
      if (!found) return null;
      const line = Buffer.alloc(found.to - found.from);
      await file.read(line, 0, line.length, found.from);
      const event: unknown = JSON.parse(line.toString('utf8'));
      const data = typeof event === 'object' && event !== null && 'data' in event ? event.data : null;
      return typeof data === 'string' ? Buffer.from(data, 'base64') : null;
    } finally {
      await file.close();
    }
  }

  forget(runId: string): void {
    this.#scanned.delete(runId);
  }

  async #find(runId: string, file: FileHandle, sha256: string): Promise<Found | undefined> {
    const known = this.#scanned.get(runId) ?? { upTo: 0, lines: new Map<string, Found>() };
    this.#scanned.delete(runId);
    this.#scanned.set(runId, known);
    for (const oldest of this.#scanned.keys()) {
      if (this.#scanned.size <= runsAtMost) break;
      this.#scanned.delete(oldest);
    }
    if (!known.lines.has(sha256)) await scan(file, known);
    return known.lines.get(sha256);
  }
}

/** Continues where the last scan ended; an archive only grows. */
async function scan(file: FileHandle, known: Scanned): Promise<void> {
  const chunk = Buffer.alloc(chunkBytes);
  let line: Buffer[] = [];
  let length = 0;
  let at = known.upTo;
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, at);
    if (bytesRead === 0) return;
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0 && end < bytesRead; end = chunk.indexOf(0x0a, from)) {
      line.push(Buffer.from(chunk.subarray(from, end)));
      take(known, line, at + end);
      line = [];
      length = 0;
      from = end + 1;
    }
    length += bytesRead - from;
    if (length <= longestLine) line.push(Buffer.from(chunk.subarray(from, bytesRead)));
    at += bytesRead;
  }
}

function take(known: Scanned, pieces: readonly Buffer[], end: number): void {
  const line = Buffer.concat(pieces);
  known.upTo = end + 1;
  if (line.length > longestLine || line.indexOf('"attachment"') < 0) return;
  const hash = line.indexOf('"sha256":"');
  if (hash < 0) return;
  const sha256 = line.toString('latin1', hash + 10, hash + 74);
  if (/^[0-9a-f]{64}$/.test(sha256) && !known.lines.has(sha256)) {
    known.lines.set(sha256, { from: end - line.length, to: end });
  }
}
