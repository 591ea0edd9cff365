import { setImmediate as nextTurn } from 'node:timers/promises';
import { keptAnswerText } from '../kernel/answer-text.ts';
import { type Clock, iso } from '../kernel/clock.ts';
import {
  type Decide,
  type Decision,
  type EventLog,
  type IdempotencyGuard,
  type IsPendingWrite,
  type RecordedEvent,
  rememberForMs,
} from '../kernel/event-log.ts';
import { isRefusal, type Refusal, refuse } from '../kernel/outcome.ts';
import { DamagedStore } from './event-checksum.ts';
import { FoldedState, stampEvents } from './folded-state.ts';
import type { Ledger } from './ledger.ts';
import { CommitListeners } from './listeners.ts';
import type { Snapshot, Snapshots } from './snapshot.ts';
import { SnapshotKeeper } from './snapshot-keeper.ts';
import { storable } from './storable.ts';
import { storeClock } from './store-clock.ts';

/** Whether the store can be written or is damaged, for the log of the process. `fault` is the error of the disk. */
export type StoreTrouble = { state: 'ready' | 'doubtful' | 'lost' | 'damaged'; fault?: unknown };
export type ReportTrouble = (trouble: StoreTrouble) => void;

/** Reports the result to a call once its flush is durable. */
type Settle = () => void;

/** A projection cannot apply an event. The event must not become durable, or every restart would fail on it. */
class Unfoldable extends Error {
  readonly call: WaitingCall;

  constructor(call: WaitingCall, cause: unknown) {
    super('a projection failed to apply an event', { cause });
    this.call = call;
  }
}

/**
 * Limits how long one flush blocks other work. At this size a client with twice as many calls gets its first answers, and calls again, while the rest is still being written.
 */
const mostCallsPerCommit = 64;
/** A plan of thousands of nodes exceeds this alone: later calls are written with the next flush. */
const mostTextPerCommit = 256 * 1024;
const forgetEveryMs = 60 * 60_000;

/**
 * Collects the calls of one turn of the event loop and makes them durable with one COMMIT. Each is decided inside the
 * flush, on what the ones before it folded; flush, fold and COMMIT are one synchronous step.
 *
 * | state    | on a call                                     | left by                     |
 * |----------|-----------------------------------------------|-----------------------------|
 * | ready    | decided, written                              | a write that fails          |
 * | doubtful | decided only after a probe was written        | the probe: to ready, or not |
 * | lost     | store_unavailable: a flush failed, reads go on | a restart                   |
 * | closed   | store_unavailable                             |                             |
 */
export class GroupCommit {
  readonly stats = { commits: 0, appends: 0 };
  readonly folded = new FoldedState();
  readonly listeners = new CommitListeners();
  readonly #ledger: Ledger;
  readonly #now: () => string;
  readonly #report: ReportTrouble;
  #state: 'ready' | 'doubtful' | 'lost' | 'closed' = 'ready';
  #waiting: WaitingCall[] = [];
  #scheduled = false;
  #writing = false;
  /** Appends of the current flush. */
  #appends = 0;
  /** Length of the text that the current flush writes. */
  #textLength = 0;
  #forgottenAt = 0;

  constructor(ledger: Ledger, now: () => string, say: ReportTrouble = () => undefined) {
    this.#ledger = ledger;
    this.#now = now;
    this.#report = say;
  }

  commit<Answer>(decide: Decide<Answer>, guard: IdempotencyGuard | undefined): Promise<Answer | Refusal> {
    return new Promise<Answer | Refusal>((resolve, reject) => {
      this.#waiting.push(waitingCall(decide, guard, { resolve, reject }));
      this.#schedule();
    });
  }

  /** Probes without waiting for a call, so that freed disk space is noticed. */
  tryWriting(): boolean {
    return this.#writable();
  }

  close(): void {
    while (this.#waiting.length > 0) this.#flush();
    this.#state = 'closed';
  }

  /** A microtask would run before the other connections of this turn are read, so each would get its own COMMIT. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    const calls = this.#waiting.splice(0, mostCallsPerCommit);
    if (this.#waiting.length > 0) this.#schedule();
    if (calls.length === 0) return;
    this.folded.open(this.#ledger);
    if (this.#writable()) this.#write(calls);
    else refuseAll(calls, this.#state === 'lost' ? diskFailed : unavailable);
  }

  #write(calls: readonly WaitingCall[]): void {
    const events: RecordedEvent[] = [];
    this.#textLength = 0;
    try {
      const now = this.#now();
      const settled: Settle[] = [];
      for (const call of calls) {
        if (this.#textLength > mostTextPerCommit) break;
        settled.push(this.#settle(call, now, events));
      }
      this.#finish();
      this.listeners.notify(events);
      for (const settle of settled) settle();
      if (settled.length < calls.length) this.#putBack(calls.slice(settled.length));
    } catch (fault) {
      this.#undo(fault, calls);
    }
  }

  #putBack(calls: readonly WaitingCall[]): void {
    this.#waiting.unshift(...calls);
    this.#schedule();
  }

  #writable(): boolean {
    if (this.#state !== 'doubtful') return this.#state === 'ready';
    try {
      this.#ledger.probe();
      this.#setState('ready');
      return true;
    } catch (fault) {
      if (this.#ledger.isFatal(fault)) this.#setState('lost', fault);
      return false;
    }
  }

  /** Faults of a call affect only that call; an error thrown here is a fault of the ledger and affects the whole flush. */
  #settle(call: WaitingCall, now: string, events: RecordedEvent[]): Settle {
    const { versions, sequence } = this.folded;
    let decision: UntypedDecision | Refusal;
    let written: ReturnType<typeof stampEvents>;
    try {
      decision = call.decide(now);
      if (isRefusal(decision)) {
        const refusal = decision;
        return () => call.refuse(refusal);
      }
      written = stampEvents(decision.append, now, versions, sequence);
    } catch (fault) {
      return () => call.reject(fault);
    }
    for (const each of written) {
      this.#openTransaction().append(each);
      this.#textLength += each.text.length;
    }
    for (const { event } of written) {
      this.#fold(call, event);
      events.push(event);
    }
    if (written.length > 0) this.#appends += 1;
    return this.#answer(call, decision, now);
  }

  #fold(call: WaitingCall, event: RecordedEvent): void {
    try {
      this.folded.apply(event);
    } catch (fault) {
      throw new Unfoldable(call, fault);
    }
  }

  /** If the answer cannot be created, the events remain and the key has no answer, as after a crash. */
  #answer(call: WaitingCall, { answer, remember = true }: UntypedDecision, at: string): Settle {
    let settle: Settle;
    let text: string | null = null;
    try {
      const made = answer();
      settle = made.give;
      if (call.guard && remember) text = made.json();
    } catch (fault) {
      settle = () => call.reject(fault);
    }
    if (call.guard && remember) this.#openTransaction().remember({ ...call.guard, at, answer: text });
    return settle;
  }

  #openTransaction(): Ledger {
    if (!this.#writing) this.#ledger.begin();
    this.#writing = true;
    return this.#ledger;
  }

  #finish(): void {
    if (!this.#writing) return;
    const now = Date.parse(this.#now());
    if (now - this.#forgottenAt >= forgetEveryMs) {
      this.#ledger.forget(iso(now - rememberForMs));
      this.#forgottenAt = now;
    }
    this.#ledger.commit();
    this.#writing = false;
    this.stats.commits += 1;
    this.stats.appends += this.#appends;
    this.#appends = 0;
  }

  #setState(state: 'ready' | 'doubtful' | 'lost', fault?: unknown): void {
    this.#state = state;
    this.#report({ state, fault });
  }

  /** Nothing of this flush is durable, so none of it may stay in memory. */
  #undo(fault: unknown, calls: readonly WaitingCall[]): void {
    if (!(fault instanceof Unfoldable)) this.#setState(this.#ledger.isFatal(fault) ? 'lost' : 'doubtful', fault);
    try {
      if (this.#writing) this.#ledger.rollback();
      this.#writing = false;
      this.#appends = 0;
      this.folded.rebuild(this.#ledger);
    } catch (more) {
      this.#setState('lost', more);
    }
    if (fault instanceof Unfoldable) {
      fault.call.reject(fault.cause);
      this.#putBack(calls.filter((call) => call !== fault.call));
    } else refuseAll(calls, this.#state === 'lost' ? unknownOutcome : unavailable);
  }
}

function refuseAll(calls: readonly WaitingCall[], why: Refusal): void {
  for (const { refuse } of calls) refuse(why);
}

const unavailable = refuse(
  'store_unavailable',
  'Nothing was written: the store cannot accept writes now. Try again in a moment.',
);
const diskFailed = refuse(
  'store_unavailable',
  "Nothing was written: the store's disk failed, and writes are refused until Signalbox is restarted. Its log has the reason.",
);
/** A failed flush may or may not have reached the disk; only reading the file again shows which. */
const unknownOutcome = refuse(
  'store_unavailable',
  'The disk failed during this write. Restart Signalbox, then check whether it was stored; until then writes stop.',
);

/** COMMITs, and calls that appended something through them. */
export type CommitStats = { commits: number; appends: number };
export type CountedLog = EventLog & {
  stats(): CommitStats;
  /** Whether the store accepts writes now; a doubtful store is probed first. */
  tryWriting(): boolean;
  /** Moves all events of these topics into the archive and folds the rest; called at start-up, before requests are served. */
  moveOut(topics: readonly string[]): Promise<number>;
};

export type LedgerLogOptions = {
  say?: ReportTrouble | undefined;
  snapshots?: Snapshots | undefined;
  /** Moves one topic; returns the number of moved events. */
  move?: ((topic: string) => Promise<number>) | undefined;
};

/** The event log on top of a ledger. It is an object of plain functions, so that a caller may spread it and replace one. */
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
    // Only one process uses the file while it runs.
    onReplaced: () => () => undefined,
    read: async (stream) => reportingDamage(() => ledger.stream(storable(stream))),
    readTopic: async (topic, after = 0) => reportingDamage(() => ledger.topic(storable(topic), after)),
    firstSince: async (at) => reportingDamage(() => firstSince(ledger, at)),
    async readFrom(sequence, limit) {
      // A long range is read in pieces, with other work in between.
      await nextTurn();
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

/** Times increase with the sequence, so a binary search finds it in about log2(length) reads. */
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

/** A finished answer: its JSON, to be remembered, and the function that delivers it. */
export type MadeAnswer = { json(): string | null; give(): void };

export type UntypedDecision = Omit<Decision<unknown>, 'answer'> & { answer: () => MadeAnswer };

/** A call waiting for its commit. Only its caller knows the type of its answer: the queue holds calls of all types. */
export type WaitingCall = {
  decide: (now: string, isTaken?: IsPendingWrite) => UntypedDecision | Refusal;
  guard: IdempotencyGuard | undefined;
  refuse: (refusal: Refusal) => void;
  reject: (fault: unknown) => void;
  /** Resolves with the stored answer of the same call (same fingerprint). */
  recall: (json: string) => void;
};

type Promised<Answer> = { resolve: (answer: Answer | Refusal) => void; reject: (fault: unknown) => void };

export const waitingCall = <Answer>(
  decide: Decide<Answer>,
  guard: IdempotencyGuard | undefined,
  { resolve, reject }: Promised<Answer>,
): WaitingCall => ({
  guard,
  refuse: resolve,
  reject,
  recall: (json) => resolve(JSON.parse(json)),
  decide(now, isTaken) {
    const decision = decide(now, isTaken);
    if (isRefusal(decision)) return decision;
    const answer = () => {
      const made = decision.answer();
      return { json: () => keptAnswerText(made), give: () => resolve(made) };
    };
    return { ...decision, answer };
  },
});
