import type { Clock } from '../packages/service/src/kernel/clock.ts';
import { longPiece, type RecordedEvent } from '../packages/service/src/kernel/event-log.ts';
import { type CountedLog, createLedgerLog } from '../packages/service/src/store/group-commit.ts';
import type { Ledger, StoredKey } from '../packages/service/src/store/ledger.ts';

/** The log of tests and trials: everything the others do, until the process ends. */
export const createMemoryLog = (clock: Clock): CountedLog => createLedgerLog(createMemoryLedger(), clock);

export function createMemoryLedger(): Ledger {
  const events: RecordedEvent[] = [];
  const keys = new Map<string, StoredKey>();
  let undo: (() => void)[] = [];

  return {
    begin() {
      undo = [];
    },
    append({ event }) {
      events.push(event);
      undo.push(() => events.pop());
    },
    remember(stored) {
      const { key } = stored;
      const before = keys.get(key);
      keys.set(key, stored);
      undo.push(() => (before ? keys.set(key, before) : keys.delete(key)));
    },
    forget(instant) {
      for (const { key, at } of keys.values()) if (at < instant) keys.delete(key);
    },
    commit: () => undefined,
    rollback() {
      for (const step of undo.reverse()) step();
    },
    probe: () => undefined,
    isFatal: () => false,
    epoch: () => '',
    newest: () => events.length,
    idAt: (sequence) => events[sequence - 1]?.id,
    all: (after = 0) => (after === 0 ? events : events.slice(after)),
    versions: () => new Map(events.map(({ stream, version }) => [stream, version])),
    stream: (stream) => events.filter((event) => event.stream === stream),
    topic: (topic, after) => events.filter((event) => event.topic === topic && event.sequence > after),
    from(sequence, limit) {
      const next = events.slice(sequence - 1, sequence - 1 + limit);
      let length = 0;
      const end = next.findIndex(({ data }, at) => {
        length += JSON.stringify(data).length;
        return length > longPiece && at > 0;
      });
      return end < 0 ? next : next.slice(0, end);
    },
    remembered: (key) => keys.get(key),
    close: () => undefined,
  };
}
