import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import type { EventLog } from '../../packages/service/src/kernel/event-log.ts';

/** The log at a file or a `postgres:` address. Loads only that store, because many short processes do this. */
export async function openLog(store: string): Promise<EventLog> {
  if (store.startsWith('postgres:')) {
    const { openPostgresLog } = await import('../../packages/service/src/store/postgres/postgres-log.ts');
    return openPostgresLog({ url: store, clock: systemClock });
  }
  const { openSqliteLog } = await import('../../packages/service/src/store/sqlite/sqlite-log.ts');
  return openSqliteLog({ path: store, clock: systemClock });
}
