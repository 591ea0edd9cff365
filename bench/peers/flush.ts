import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** The duration of one durable COMMIT of one row on this disk: the median of many, in milliseconds. */
export function flushMs(folder: string): number {
  const database = new DatabaseSync(join(folder, 'flush.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS rows (text TEXT)');
  const insert = database.prepare('INSERT INTO rows VALUES (?)');
  const text = 'x'.repeat(800);
  const times = Array.from({ length: 500 }, () => {
    const began = performance.now();
    insert.run(text);
    return performance.now() - began;
  });
  database.close();
  return times.sort((a, b) => a - b)[250] ?? 0;
}
