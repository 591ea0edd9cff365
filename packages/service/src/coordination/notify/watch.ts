import type { Announcements } from '../../kernel/announcements.ts';
import { type Clock, dayMs, iso } from '../../kernel/clock.ts';
import type { EventLog } from '../../kernel/event-log.ts';
import { SerialQueue } from '../../kernel/one-at-a-time.ts';
import type { Beginning, LogMark, Outbox, OutboxItem } from '../../kernel/outbox.ts';
import type { Occurrence } from '../../receivers/occurrence.ts';
import { type Receiver, wants } from '../../receivers/receivers.ts';
import type { LostEnd, NodeOccurrences } from './node-occurrences.ts';
import type { ObservedOccurrences } from './observed-occurrences.ts';

export type WatchDeps = {
  log: EventLog;
  clock: Clock;
  announcements: Announcements;
  nodes: NodeOccurrences;
  observed: ObservedOccurrences;
  outbox: Outbox;
  receivers: readonly Receiver[];
  /** The history that the outbox must start before anything is queued or sent; null if its mark belongs to this log. */
  beginning: Beginning | null;
  /** Something was queued. */
  onQueued: () => void;
  fault: (error: unknown) => void;
};

export type WatchedOccurrences = {
  /** Whether the waiting items in the outbox belong to this log. */
  isBegun(): boolean;
  stop(): Promise<void>;
};

/** Older occurrences are not sent, so that a receiver is not flooded after the service was down for a long time. */
const newestMs = dayMs;
/** Runs that ended up to this long before the mark was written are processed again after a start. */
const lookBackMs = 10 * 60_000;
const keptMs = 7 * dayMs;
const tidyMs = 60 * 60_000;
const retryMs = 1_000;

/** Queues each occurrence once: those from the log by its mark, observed ones when they are announced. */
export function watchOccurrences(deps: WatchDeps): WatchedOccurrences {
  const { log, clock, nodes, outbox } = deps;
  const queue = new SerialQueue();
  const start = new HistoryStart(deps);
  /** Items that could not be written yet, in order. */
  let waiting: readonly OutboxItem[] = [];
  let mark: LogMark | null = null;
  let isWritten = true;
  const runNews = new RunNews();

  const write = () =>
    queue.run(async () => {
      await start.begin(outbox, log.now());
      const [items, reached] = [waiting, mark];
      if (items.length === 0 && isWritten) return;
      await outbox.put(items, reached, log.now());
      waiting = without(waiting, items);
      isWritten = mark === reached;
      if (items.length > 0) deps.onQueued();
    });
  const add = (occurrences: readonly Occurrence[], receivers = deps.receivers) => {
    const items = itemsFor(receivers, occurrences, Date.parse(log.now()));
    if (items.length === 0) return;
    waiting = [...waiting, ...items];
    void write().catch(deps.fault);
  };
  const takeLog = () => {
    const drained = nodes.drain();
    mark = drained.mark;
    isWritten = false;
    add(drained.occurrences);
  };
  const stops = [
    log.onCommitted(takeLog),
    log.onReplaced(() => {
      const reached = start.replaced();
      // Only archived plans left the log, or a second restore brought back what the first had lost.
      if (!reached) return takeLog();
      [waiting, mark] = [[], reached];
      runNews.storeReplaced(log.now());
      void write().catch(deps.fault);
    }),
    listenToObserved(deps, (found, type) => add(type === 'run_changed' ? runNews.of(found) : found)),
    // If nothing was queued, only the mark changes, and writing it can wait.
    clock.every(retryMs, () => write().catch(deps.fault)),
    clock.every(tidyMs, () => forgetOld(deps, runNews)),
  ];
  void lookBack(deps, add).catch(deps.fault);
  takeLog();
  return {
    isBegun: () => start.isBegun,
    async stop() {
      for (const stop of stops) stop();
      await write().catch(deps.fault);
    },
  };
}

/**
 * The history that the outbox still has to start; tried with each write until it succeeds. If the log is restored again
 * before that, the events that any of the restores lost are given up together.
 */
class HistoryStart {
  readonly #nodes: NodeOccurrences;
  #beginning: Beginning | null;
  #restore: { mark: LogMark; lost: readonly LostEnd[] } | null = null;

  constructor({ nodes, beginning }: Pick<WatchDeps, 'nodes' | 'beginning'>) {
    this.#nodes = nodes;
    this.#beginning = beginning;
  }

  get isBegun(): boolean {
    return this.#beginning === null && this.#restore === null;
  }

  /** Returns the position after which the new history is announced; null if this log lacks no event of an earlier one. */
  replaced(): LogMark | null {
    const { lost } = this.#nodes;
    this.#restore = lost.length === 0 ? null : { mark: this.#nodes.skip(), lost };
    return this.#restore?.mark ?? null;
  }

  async begin(outbox: Outbox, now: string): Promise<void> {
    if (this.#beginning) await outbox.begin(this.#beginning, now);
    this.#beginning = null;
    const restore = this.#restore;
    if (!restore) return;
    const ends = restore.lost.map(({ at }) => at).sort();
    await outbox.begin({ mark: restore.mark, queuedBefore: ends.at(-1) ?? now }, now);
    this.#nodes.forget(restore.lost);
    if (this.#restore === restore) this.#restore = null;
  }
}

const listenToObserved = (
  { announcements, observed, fault }: WatchDeps,
  take: (found: readonly Occurrence[], type: string) => void,
): (() => void) =>
  announcements.listen(
    (message) =>
      void observed
        .fromMessage(message)
        .then((found) => take(found, message.type))
        .catch(fault),
    (type) => type === 'agents_changed' || type === 'run_changed',
  );

/** Items added during a write must still be written, and a new history may have begun meanwhile. */
function without(waiting: readonly OutboxItem[], items: readonly OutboxItem[]): readonly OutboxItem[] {
  const written = new Set(items);
  return waiting.filter((item) => !written.has(item));
}

function forgetOld({ log, outbox, fault }: WatchDeps, runNews: RunNews): Promise<void> {
  const now = Date.parse(log.now());
  runNews.forget(iso(now - newestMs));
  return outbox.forget(iso(now - keptMs)).catch(fault);
}

/**
 * After a restore the shared runs of other hosts disappear and return, sometimes before the restore is noticed here.
 * Runs that ended before it, or were already announced, are not announced again.
 */
class RunNews {
  readonly #said = new Map<string, string>();
  #since = '';

  of(occurrences: readonly Occurrence[]): Occurrence[] {
    const fresh = occurrences.filter(({ id, at }) => at >= this.#since && !this.#said.has(id));
    for (const { id, at } of fresh) this.#said.set(id, at);
    return fresh;
  }

  storeReplaced(at: string): void {
    this.#since = at;
  }

  forget(before: string): void {
    for (const [id, at] of this.#said) if (at < before) this.#said.delete(id);
  }
}

/**
 * Runs that ended just before this process began: the previous process may have ended before it queued them. A receiver
 * that never got anything is new, and gets no past events.
 */
async function lookBack(
  { observed, outbox, receivers }: WatchDeps,
  add: (found: readonly Occurrence[], receivers: readonly Receiver[]) => void,
): Promise<void> {
  const [newest] = await outbox.list({ limit: 1 });
  if (!newest) return;
  const known = new Set((await outbox.counts()).map(({ receiver }) => receiver));
  const found = await observed.endedSince(iso(Date.parse(newest.queuedAt) - lookBackMs));
  add(
    found,
    receivers.filter(({ id }) => known.has(id)),
  );
}

function itemsFor(receivers: readonly Receiver[], occurrences: readonly Occurrence[], now: number): OutboxItem[] {
  return occurrences
    .filter(({ at }) => now - Date.parse(at) < newestMs)
    .flatMap((occurrence) => {
      const content = JSON.stringify(occurrence);
      const { id, type, subject, at } = occurrence;
      return receivers
        .filter((receiver) => wants(receiver, occurrence))
        .map((receiver) => ({ receiver: receiver.id, id, type, subject, at, content }));
    });
}
