import type { SQLOutputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';

/** Checked whenever a row is read: SQLite itself does not notice a bit that changed inside of one. */
export function sumOf(...parts: readonly (SQLOutputValue | Uint8Array | undefined)[]): number {
  let sum = 0;
  for (const part of parts) sum = crc32(part instanceof Uint8Array ? part : `${part}\n`, sum);
  return sum;
}
