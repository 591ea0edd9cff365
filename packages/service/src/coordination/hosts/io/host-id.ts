import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What tells this data path from every other. One process at a time has a data path, so whoever entered under this id
 * before is dead, however fresh its last sign of life.
 */
export function hostIdIn(dataPath: string): string {
  const file = join(dataPath, 'host.json');
  try {
    const { id } = JSON.parse(readFileSync(file, 'utf8')) as { id?: unknown };
    if (typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id)) return id;
  } catch {
    // Not there yet, or not readable: a new one costs at most half a minute of waiting.
  }
  const id = randomUUID();
  writeFileSync(file, `${JSON.stringify({ id })}\n`, { mode: 0o600 });
  return id;
}
