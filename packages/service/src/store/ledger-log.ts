import { type Clock, iso } from '../kernel/clock.ts';
import { type Decide, type EventLog, type Guard, rememberForMs } from '../kernel/event-log.ts';
import type { Refusal } from '../kernel/outcome.ts';
import { GroupCommit, type Say } from './group-commit.ts';
import type { Ledger } from './ledger.ts';
import { DamagedStore } from './seal.ts';
import { storable } from './storable.ts';
import { storeClock } from './store-clock.ts';

/** COMMITs, and calls that appended something through them. */
export type CommitStats = { commits: number; appends: number };
export type CountedLog = EventLog & { stats(): CommitStats };

/** The port over a ledger; plain functions, so that a caller may spread it and replace one. */
export function createLedgerLog(ledger: Ledger, clock: Clock, say?: Say): CountedLog {
  const now = storeClock(clock);
  const group = new GroupCommit(ledger, now, say);
  const sound = <Answer>(ask: () => Answer): Answer => {
    try {
      return ask();
    } catch (fault) {
      if (fault instanceof DamagedStore) say?.({ state: 'damaged', fault });
      throw fault;
    }
  };
  return {
    now,
    commit: <Answer>(decide: Decide<Answer>, guard?: Guard) => group.commit(decide, guard) as Promise<Answer | Refusal>,
    attach: async (projection) => group.folded.attach(projection, ledger.all()),
    onCommitted: (listener) => group.listeners.add(listener),
    read: async (stream) => sound(() => ledger.stream(storable(stream))),
    readTopic: async (topic, after = 0) => sound(() => ledger.topic(storable(topic), after)),
    async remembered(key) {
      const kept = sound(() => ledger.remembered(key));
      if (!kept || kept.at < iso(Date.parse(now()) - rememberForMs)) return undefined;
      return { ...kept, answer: kept.answer === null ? null : JSON.parse(kept.answer) };
    },
    async close() {
      group.close();
      ledger.close();
    },
    stats: () => ({ ...group.stats }),
  };
}
