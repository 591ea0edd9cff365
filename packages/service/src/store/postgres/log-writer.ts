import type { Decide, IdempotencyGuard, RecordedEvent } from '../../kernel/event-log.ts';
import type { SerialQueue } from '../../kernel/one-at-a-time.ts';
import type { Refusal } from '../../kernel/outcome.ts';
import { waitingCall } from '../group-commit.ts';
import {
  type AppendResult,
  append,
  type ChosenWrites,
  chooseWrites,
  type PlannedWrite,
  type QueuedCall,
} from './append.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { DatabaseConnection } from './database-connection.ts';
import type { LogFollower } from './follower.ts';
import type { IdempotencyKeys, KeyAnswer } from './idempotency-keys.ts';
import { HistoryChanged, isUnavailable, notConfirmed, notWritten } from './store-unavailable.ts';

export type LogWriterDeps = {
  connection: DatabaseConnection;
  clock: DatabaseClock;
  follower: LogFollower;
  keys: IdempotencyKeys;
  queue: SerialQueue;
};

const mostCallsPerAppend = 256;
/** An answer that is sent once it is stored. */
type PendingAnswer = { answered: KeyAnswer; give: () => void };

/** Hosts that compete for one stream take turns; this many lost turns in a row mean that something else is wrong. */
const mostTries = 100;

/**
 * Collects the calls of one turn and decides each on the folded state. One statement appends all calls that do not
 * collide on a stream. If another host was faster, a call is decided again once that host's events are folded.
 */
export class LogWriter {
  readonly stats = { commits: 0, appends: 0 };
  readonly #deps: LogWriterDeps;
  #waiting: QueuedCall[] = [];
  #scheduled = false;

  constructor(parts: LogWriterDeps) {
    this.#deps = parts;
  }

  commit<Answer>(decide: Decide<Answer>, guard: IdempotencyGuard | undefined): Promise<Answer | Refusal> {
    return new Promise<Answer | Refusal>((resolve, reject) => {
      if (this.#deps.connection.isUp) {
        this.#waiting.push({ ...waitingCall(decide, guard, { resolve, reject }), tries: 0, writes: [], reads: [] });
        this.#schedule();
      } else {
        // Deferred to a later turn, because a caller that retries immediately would leave no turn in which the
        // connection could recover.
        setImmediate(() => resolve(notWritten()));
      }
    });
  }

  /** Called when the connection is lost: refuses all waiting calls at once. */
  refuseWaiting(): void {
    for (const { refuse } of this.#waiting.splice(0)) refuse(notWritten());
  }

  async close(): Promise<void> {
    while (this.#waiting.length > 0) await this.#deps.queue.run(() => this.#flush());
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#deps.queue.run(() => {
        this.#scheduled = false;
        return this.#flush();
      });
    });
  }

  #requeue(calls: readonly QueuedCall[]): void {
    if (calls.length === 0) return;
    this.#waiting.unshift(...calls);
    if (this.#deps.connection.isUp) this.#schedule();
    else this.refuseWaiting();
  }

  async #flush(): Promise<void> {
    const calls = this.#waiting.splice(0, mostCallsPerAppend);
    if (this.#waiting.length > 0) this.#schedule();
    const chosen = await this.#choose(calls).catch((fault) => fail(calls, fault, notWritten()));
    if (!chosen) return;
    this.#requeue(chosen.deferred);
    for (const { call, settle } of chosen.answers) settled(call, settle);
    await this.#write(chosen.writes).catch((fault) => fail(callsOf(chosen.writes), fault, notConfirmed()));
  }

  /** Refuses a call only after catching up with the database, so that no refusal is based on old state. */
  async #choose(calls: readonly QueuedCall[]): Promise<ChosenWrites> {
    const { clock, follower, keys } = this.#deps;
    await follower.load();
    const choose = () =>
      chooseWrites(calls, {
        now: clock.now(),
        versions: follower.folded.versions,
        seen: (key) => keys.knownToken(key),
      });
    const chosen = choose();
    const { position } = follower;
    if (chosen.answers.length > 0) await this.#catchUp();
    return follower.position === position ? chosen : choose();
  }

  async #write(writes: readonly PlannedWrite[]): Promise<void> {
    if (writes.length === 0) return;
    const { connection, clock, follower } = this.#deps;
    let outcomes: readonly AppendResult[];
    try {
      const requests = writes.map(({ write }) => write);
      outcomes = await append(connection.query, clock, follower.position, requests);
    } catch (fault) {
      if (isUnavailable(fault) || writes.length === 1) throw fault;
      // One of the writes contains something that cannot be stored; the other writes must not fail because of it.
      for (const each of writes) await this.#write([each]).catch((own) => each.call.reject(own));
      return;
    }
    this.stats.commits += 1;
    await this.#finish(outcomes.flatMap((outcome, index) => (writes[index] ? [{ ...writes[index], ...outcome }] : [])));
  }

  async #finish(done: readonly (PlannedWrite & AppendResult)[]): Promise<void> {
    const { follower, keys } = this.#deps;
    const lost = callsOf(done.filter(({ outcome }) => outcome !== 'written' && outcome !== 'known'));
    const saves: PendingAnswer[] = [];
    for (const each of done.filter(({ outcome }) => outcome === 'written')) {
      await follower.catchUp(each.first - 1);
      saves.push(...this.#fold(each));
    }
    // The answer is stored before it is sent; the next turn need not wait for that.
    keys.save(saves.map(({ answered }) => answered)).then(() => saves.forEach(({ give }) => void give()));
    for (const { call } of done.filter(({ outcome }) => outcome === 'known')) settleKnown(call, keys);
    if (lost.length > 0) await this.#retry(lost).catch((fault) => fail(lost, fault, notWritten()));
  }

  #fold({ call, decision, write, first }: PlannedWrite & AppendResult): PendingAnswer[] {
    const { follower, keys } = this.#deps;
    const events = write.written.map(({ event }, index): RecordedEvent => ({ ...event, sequence: first + index }));
    if (events.length > 0) this.stats.appends += 1;
    if (write.key) keys.rememberToken(write.key.key, write.key.token);
    try {
      follower.fold(events);
      const { json, give } = decision.answer();
      if (write.key) return [{ answered: { ...write.key, answer: json() ?? 'null' }, give }];
      give();
    } catch (fault) {
      call.reject(fault);
    } finally {
      follower.listeners.notify(events);
    }
    return [];
  }

  async #retry(calls: readonly QueuedCall[]): Promise<void> {
    await this.#catchUp();
    for (const call of calls) call.tries += 1;
    for (const { refuse } of calls.filter(({ tries }) => tries >= mostTries)) refuse(notWritten());
    this.#requeue(calls.filter(({ tries }) => tries < mostTries));
  }

  /** The next decision uses the database's content, whichever history it has. */
  async #catchUp(): Promise<void> {
    await this.#deps.follower.catchUp().catch((fault: unknown) => {
      if (!(fault instanceof HistoryChanged)) throw fault;
    });
  }
}

const callsOf = (list: readonly { call: QueuedCall }[]): QueuedCall[] => list.map(({ call }) => call);

/** Calls that are already settled ignore a second answer. */
function fail(calls: readonly QueuedCall[], fault: unknown, refusal: Refusal): undefined {
  for (const { refuse, reject } of calls) isUnavailable(fault) ? refuse(refusal) : reject(fault);
}

function settled(call: QueuedCall, settle: () => void): void {
  try {
    settle();
  } catch (fault) {
    call.reject(fault);
  }
}

function settleKnown({ guard, recall, refuse, reject }: QueuedCall, keys: IdempotencyKeys): void {
  if (guard) keys.answerOf(guard).then((known) => (typeof known === 'string' ? recall(known) : refuse(known)), reject);
}
