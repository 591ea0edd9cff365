import { crc32 } from 'node:zlib';

/** Checked whenever a row is read: SQLite itself does not notice a bit that changed inside of one. */
export function sumOf(...parts: readonly (string | number | null | Uint8Array)[]): number {
  let sum = 0;
  for (const part of parts) sum = crc32(part instanceof Uint8Array ? part : `${part}\n`, sum);
  return sum;
}

/** The primary code of an error of SQLite. */
export const sqliteCode = (error: unknown): number => Number((error as { errcode?: number }).errcode) & 0xff;

/** SQLite found the damage before we did: a malformed image, or no database at all. */
export const isCorrupt = (error: unknown): boolean => [11, 26].includes(sqliteCode(error));
