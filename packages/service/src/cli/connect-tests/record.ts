import { createHash } from 'node:crypto';
import { z } from 'zod';
import { CannotConnect } from '../connect/change.ts';
import { applyEdits, inverseOf, type TextEdit } from './text-edit.ts';

const undo = z.object({ start: z.number(), end: z.number(), text: z.string(), inserted: z.string() });
const fileRecord = z.object({
  /** Null for a file that connecting created: undoing deletes it. */
  before: z.string().nullable(),
  after: z.string(),
  undo: z.array(undo),
});
const recordShape = z.object({ about: z.string(), version: z.literal(1), files: z.record(z.string(), fileRecord) });

/** The edits of one file, with fingerprints of the text before and after. */
export type FileRecord = z.output<typeof fileRecord>;
export type ConnectRecord = z.output<typeof recordShape>;

export const recordPath = '.signalbox/connected.json';
const about = 'Written by "signalbox connect --tests" so that --remove can restore every file.';

const fingerprint = (text: string): string => createHash('sha256').update(text).digest('hex');

export function readRecord(text: string | null): ConnectRecord {
  if (text === null) return { about, version: 1, files: {} };
  try {
    return recordShape.parse(JSON.parse(text));
  } catch {
    throw new CannotConnect(
      `${recordPath} cannot be read, so nothing can be undone. Restore it from version control; nothing was written.`,
    );
  }
}

export const recordText = (files: ConnectRecord['files']): string =>
  `${JSON.stringify({ about, version: 1, files }, null, 2)}\n`;

/** `before` is null for a file that did not exist. */
export function recordOf(before: string | null, after: string, edits: readonly TextEdit[]): FileRecord {
  if (before === null) return { before: null, after: fingerprint(after), undo: [] };
  const undone = inverseOf(before, edits).map((edit) => ({ ...edit, inserted: after.slice(edit.start, edit.end) }));
  return { before: fingerprint(before), after: fingerprint(after), undo: undone };
}

const publisherName = '.signalbox/publisher.mjs';
/** A marker by which our part is recognised in a text that others have changed since. */
const markOf = ({ undo: edits }: FileRecord): string =>
  edits.some(({ inserted }) => inserted.includes('SIGNALBOX_*')) ? 'SIGNALBOX_*' : publisherName;

/** The text without our edits; null if we created the file. Later changes by others are kept. */
export function withoutOurs(path: string, text: string, record: FileRecord): string | null {
  if (record.before === null) {
    if (fingerprint(text) === record.after) return null;
    if (!text.includes(publisherName)) return text;
    throw byHand(path, publisherName);
  }
  if (fingerprint(text) === record.after) return applyEdits(text, record.undo);
  if (!text.includes(markOf(record))) return text;
  return applyEdits(
    text,
    record.undo.map(({ text: former, inserted, start }) => {
      const at = onlyPlace(text, inserted, start);
      if (at === null) throw byHand(path, inserted.trim());
      return { start: at, end: at + inserted.length, text: former };
    }),
  );
}

/** Its recorded position, or its only other occurrence. */
function onlyPlace(text: string, inserted: string, start: number): number | null {
  if (text.startsWith(inserted, start)) return start;
  const at = text.indexOf(inserted);
  return at >= 0 && text.indexOf(inserted, at + 1) < 0 ? at : null;
}

const byHand = (path: string, what: string) =>
  new CannotConnect(
    `${path} was changed since it was connected. Remove "${what}" by hand and run this again; nothing was written.`,
  );
