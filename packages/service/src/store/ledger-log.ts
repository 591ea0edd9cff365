import { setImmediate } from 'node:timers/promises';
import { type Clock, iso } from '../kernel/clock.ts';
import { type EventLog, rememberForMs } from '../kernel/event-log.ts';
import { DamagedStore } from './event-checksum.ts';
import type { FoldedState } from './folded-state.ts';
import { GroupCommit, type ReportTrouble } from './group-commit.ts';
import type { Ledger } from './ledger.ts';
import type { Snapshot, Snapshots } from './snapshot.ts';
import { SnapshotKeeper } from './snapshot-keeper.ts';
import { storable } from './storable.ts';
import { storeClock } from './store-clock.ts';

/** COMMITs, and calls that appended something through them. */
export type CommitStats = { commits: number; appends: number };
export type CountedLog = EventLog & {
  stats(): CommitStats;
  /** Whether it takes writes now. A store in doubt is tried first. */
  tryWriting(): boolean;
  /** Moves all events of these topics into the archive and folds the rest; called at a start, before anyone is served. */
  moveOut(topics: readonly string[]): Promise<number>;
};

export type LedgerLogOptions = {
  say?: ReportTrouble | undefined;
  snapshots?: Snapshots | undefined;
  /** Moves one topic; returns how many events went. */
  move?: ((topic: string) => Promise<number>) | undefined;
};

/** The port over a ledger; plain functions, so that a caller may spread it and replace one. */
export function createLedgerLog(
  ledger: Ledger,
  clock: Clock,
  { say, snapshots, move = async () => 0 }: LedgerLogOptions = {},
): CountedLog {
  const now = storeClock(clock);
  const group = new GroupCommit(ledger, now, say);
  const { folded } = group;
  const keeper = new SnapshotKeeper(snapshots, () => snapshotOf(ledger, folded));
  group.listeners.add(() => keeper.reached(folded.sequence));
  const reportingDamage = <Answer>(ask: () => Answer): Answer => {
    try {
      return ask();
    } catch (fault) {
      if (fault instanceof DamagedStore) say?.({ state: 'damaged', fault });
      throw fault;
    }
  };
  return {
    now,
    commit: (decide, guard) => group.commit(decide, guard),
    attach: async (...projections) => folded.openWith(ledger, projections, keeper),
    onCommitted: (listener) => group.listeners.add(listener),
    // One process has the file to itself for as long as it runs.
    onReplaced: () => () => undefined,
    read: async (stream) => reportingDamage(() => ledger.stream(storable(stream))),
    readTopic: async (topic, after = 0) => reportingDamage(() => ledger.topic(storable(topic), after)),
    firstSince: async (at) => reportingDamage(() => firstSince(ledger, at)),
    async readFrom(sequence, limit) {
      // A long window is read in pieces: others have their turn between them.
      await setImmediate();
      return reportingDamage(() => ledger.from(sequence, limit));
    },
    rememberedAnswer(key) {
      const stored = reportingDamage(() => ledger.remembered(key));
      if (!stored || stored.at < iso(Date.parse(now()) - rememberForMs)) return undefined;
      return { ...stored, answer: stored.answer === null ? null : JSON.parse(stored.answer) };
    },
    async close() {
      group.close();
      await keeper.close(folded.sequence);
      ledger.close();
    },
    stats: () => ({ ...group.stats }),
    tryWriting: () => group.tryWriting(),
    async moveOut(topics) {
      let moved = 0;
      try {
        for (const topic of topics) moved += await move(topic);
      } finally {
        if (moved > 0) folded.rebuild(ledger);
      }
      return moved;
    },
  };
}

function snapshotOf(ledger: Ledger, folded: FoldedState): Snapshot | null {
  const { sequence } = folded;
  const [saved, id] = [folded.save(), ledger.idAt(sequence)];
  return saved && id !== undefined ? { epoch: ledger.epoch(), sequence, id, ...saved } : null;
}

/** Times grow with the sequence, so halving finds it in as many reads as the length of the log has binary digits. */
function firstSince(ledger: Ledger, at: string): number {
  let [low, high] = [1, ledger.newest() + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [event] = ledger.from(middle, 1);
    if (event && event.at < at) low = event.sequence + 1;
    else high = middle;
  }
  return low;
}
