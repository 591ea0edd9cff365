import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';
import { type ArchiveFiles, archiveText, readArchiveText, type TopicToMove, topicToMove } from '../moved-events.ts';
import { type RawEvent, rawEventColumns, rawEventIn } from '../raw-event.ts';

/**
 * Moves all events of a topic into a file. The file is flushed and read back before they leave the log: after a crash they are in the log, or in both until the next move. Returns how many events were moved.
 */
export async function moveTopic(database: DatabaseSync, files: ArchiveFiles, topic: string): Promise<number> {
  const found = topicToMove(topic, rowsOf(database, topic));
  if (!found) return 0;
  const text = archiveText(found.events);
  const name = archiveName(found.last, topic);
  await files.write(name, text);
  const kept = readArchiveText(await files.read(name));
  const wanted = found.events.map((event) => ({ ...event, data: JSON.parse(event.data) }));
  if (!isDeepStrictEqual(kept, wanted))
    throw new Error(`${name} read back from its copy differs from what was written`);
  return takeOut(database, topic, found) ? found.events.length : 0;
}

export const archiveName = (last: number, topic: string): string =>
  `${last}-${topic.slice(topic.indexOf(':') + 1)}.ndjson`;

const rowsOf = (database: DatabaseSync, topic: string): RawEvent[] =>
  database.prepare('SELECT * FROM events WHERE topic = ? ORDER BY sequence').all(topic).map(rawEventIn);

/** Runs in one transaction. False if events were added to the topic meanwhile. */
function takeOut(database: DatabaseSync, topic: string, { last, marker }: TopicToMove): boolean {
  database.exec('BEGIN IMMEDIATE');
  try {
    const newest = database.prepare('SELECT max(sequence) AS last FROM events WHERE topic = ?').get(topic)?.last;
    if (newest !== last) return false;
    database.prepare('DELETE FROM events WHERE topic = ?').run(topic);
    const places = rawEventColumns.map(() => '?').join(', ');
    database.prepare(`INSERT INTO events VALUES (${places})`).run(...rawEventColumns.map((member) => marker[member]));
    database.prepare('UPDATE history SET epoch = ?').run(randomUUID());
    database.exec('COMMIT');
    return true;
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK');
  }
}
