import { join } from 'node:path';
import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event-log.ts';
import { openSqliteLog } from '../store/sqlite/event-log.ts';
import type { Config } from './config.ts';

/** The log that the configuration names. */
export async function openStore({ dataPath }: Config, clock: Clock): Promise<EventLog> {
  return openSqliteLog({ path: join(dataPath, 'signalbox.sqlite'), clock });
}
