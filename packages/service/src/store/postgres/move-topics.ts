import { topicToMove } from '../moved-events.ts';
import type { RawEvent } from '../raw-event.ts';
import { storable } from '../storable.ts';
import type { Query } from './database-connection.ts';
import type { LogFollower } from './follower.ts';
import { rawColumns } from './postgres-raw.ts';
import { HistoryChanged } from './store-unavailable.ts';

const selectTopic = `SELECT ${rawColumns} FROM signalbox.events WHERE topic = $1 ORDER BY sequence`;
const moveTopic = 'SELECT signalbox.move_topic($1, $2, $3, $4) AS epoch';

/** Moves each topic in its own transaction, then folds the rest. Returns the number of moved events. */
export async function moveTopics(query: Query, follower: LogFollower, topics: readonly string[]): Promise<number> {
  let moved = 0;
  let { epoch } = follower.position;
  for (const named of topics) {
    const topic = storable(named);
    const found = topicToMove(topic, await query<RawEvent>(selectTopic, [topic]));
    if (!found) continue;
    const marker = JSON.stringify(found.marker);
    const [row] = await query<{ epoch: string | null }>(moveTopic, [topic, found.last, marker, epoch]);
    // Events were added meanwhile, or the log is a different one: the topic stays.
    if (!row || row.epoch === null) continue;
    epoch = row.epoch;
    moved += found.events.length;
  }
  if (moved > 0) {
    await follower.catchUp().catch((fault: unknown) => {
      if (!(fault instanceof HistoryChanged)) throw fault;
    });
  }
  return moved;
}
