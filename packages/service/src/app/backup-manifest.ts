import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parsedJson } from '../kernel/parsed-json.ts';

/** This file is written last: a folder without it is not a complete backup. */
export const manifestFile = 'backup.json';
export const storeFile = 'signalbox.sqlite';
export const runsFile = 'runs.sqlite';
/** The list has a line for each file. */
export const mostManifestBytes = 256 * 1024 * 1024;

/** A backup that cannot be made or used; the message is shown to the user. */
export class BadBackup extends Error {}

const count = z.int().nonnegative();
/** The format of 0.1.0 and 0.2.0, which lists no files. */
const unsealed = z.strictObject({
  signalbox: z.string(),
  at: z.string(),
  store: z.enum(['sqlite', 'postgres']),
  events: count,
  sequence: count,
  files: count,
  bytes: count,
});
const sealed = unsealed.extend({
  format: z.literal(2),
  /** Damaged parts that were copied as they are. */
  warnings: z.array(z.string()),
  /** Every file by its path. */
  contents: z.record(z.string(), z.strictObject({ bytes: count, sha256: z.string().regex(/^[0-9a-f]{64}$/) })),
  seal: z.string(),
});

export type Manifest = Omit<z.output<typeof sealed>, 'seal' | 'contents' | 'format'> & {
  /** Null for a backup of an earlier release. */
  contents: Readonly<Record<string, { bytes: number; sha256: string }>> | null;
};

const noSeal = '"seal": ""';
const sealOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The seal is a checksum of all other bytes of the file. */
export function manifestText({ contents, ...rest }: Manifest): string {
  const text = `${JSON.stringify({ format: 2, ...rest, contents, seal: '' }, null, 1)}\n`;
  return text.replace(noSeal, `"seal": "${sealOf(text)}"`);
}

/** Null if it differs from what was written. */
export function readManifest(text: string): Manifest | null {
  const parsed = parsedJson(text);
  const old = unsealed.safeParse(parsed);
  if (old.success) return { ...old.data, warnings: [], contents: null };
  const { data } = sealed.safeParse(parsed);
  if (!data) return null;
  const { seal, format, ...manifest } = data;
  return seal === sealOf(text.replace(`"seal": "${seal}"`, noSeal)) ? manifest : null;
}

/** Which files an interrupted restore still has to move. */
export const exchangeFile = 'restore-under-way.json';

/** Files of a running process, and leftovers of a restore: neither backed up nor restored. */
export const isProcessFile = (name: string): boolean =>
  /^(lock\.sqlite.*|owner\.json.*|host\.json|snapshot|restore-under-way\.json|restoring.*|replaced-.*|recovered-.*|last-backup\.json|program\.json|moved\.json|revoked\.json|observers\.json|webhooks\.sqlite.*|before-upgrade|\..*\.tmp)$/.test(
    name,
  );

export const isPacked = (target: string): boolean => /\.(tar\.gz|tgz)$/.test(target);
