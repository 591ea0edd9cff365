import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storedEvents } from '../../packages/service/src/coordination/events.ts';
import type { RecordedEvent } from '../../packages/service/src/kernel/event-log.ts';
import { isOfKind, type StreamKind } from '../../packages/service/src/kernel/streams.ts';
import { openSqliteLog } from '../../packages/service/src/store/sqlite/sqlite-log.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';

const kinds = Object.keys(storedEvents) as StreamKind[];

/** The errors of an event by the map of all events; empty if it is valid. */
function faultsOf(event: RecordedEvent): string[] {
  const kind = kinds.find((each) => isOfKind(event, each));
  const types: Readonly<Record<string, (typeof storedEvents)['plan']['types']['node_added'] | undefined>> = Object(
    kind && storedEvents[kind].types,
  );
  const read = types[event.type]?.safeParse(event.data);
  return read?.success ? [] : [`${event.stream} ${event.type}: ${read?.error.message ?? 'is in no map'}`];
}

const releases = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory());

for (const { name } of releases) {
  test(`every event that release ${name} wrote is one that the map of events describes`, async () => {
    const home = mkdtempSync(join(tmpdir(), 'signalbox-events-'));
    try {
      cpSync(join(import.meta.dirname, name, 'data'), home, { recursive: true });
      const log = openSqliteLog({ path: join(home, 'signalbox.sqlite'), clock: createSettableClock() });
      const events: RecordedEvent[] = [];
      await log.attach({ apply: (event) => void events.push(event), reset: () => (events.length = 0) });
      expect(events.length).toBeGreaterThan(10);
      expect(events.flatMap(faultsOf)).toEqual([]);
      await log.close();
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
}
