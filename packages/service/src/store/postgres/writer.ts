import type { Decide, Guard, Recorded } from '../../kernel/event-log.ts';
import type { Refusal } from '../../kernel/outcome.ts';
import { append, type Outcome } from './append.ts';
import { isAway, notConfirmed, notWritten } from './away.ts';
import type { Connection } from './connection.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { Follower } from './follower.ts';
import type { Answered, Keys } from './keys.ts';
import type { Lane } from './lane.ts';
import { type Call, type Picked, pick, type ToWrite } from './pick.ts';

export type WriterParts = {
  connection: Connection;
  clock: DatabaseClock;
  follower: Follower;
  keys: Keys;
  lane: Lane;
};

const mostCallsPerAppend = 256;
/** An answer to give once it is saved. */
type Save = { answered: Answered; give: () => void };

/** Hosts that fight over one stream take turns; this many lost turns in a row mean that something else is wrong. */
const mostTries = 100;

/**
 * Collects the calls of one turn, decides each on what is folded, and appends in one statement all that do not
 * collide on a stream. What another host was faster with is decided again once that host's events are folded.
 */
export class Writer {
  readonly stats = { commits: 0, appends: 0 };
  readonly #parts: WriterParts;
  #waiting: Call[] = [];
  #scheduled = false;

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  commit(decide: Decide<unknown>, guard: Guard | undefined): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#parts.connection.isUp) {
        this.#waiting.push({ decide, guard, resolve, reject, tries: 0, writes: [], reads: [] });
        this.#schedule();
      } else {
        // Not in this turn: a caller that tries again at once would leave no turn for the connection to come back in.
        setImmediate(() => resolve(notWritten()));
      }
    });
  }

  /** The database went away: who waits is told at once. */
  refuseWaiting(): void {
    for (const { resolve } of this.#waiting.splice(0)) resolve(notWritten());
  }

  async close(): Promise<void> {
    while (this.#waiting.length > 0) await this.#parts.lane.enter(() => this.#flush());
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#parts.lane.enter(() => {
        this.#scheduled = false;
        return this.#flush();
      });
    });
  }

  #again(calls: readonly Call[]): void {
    if (calls.length === 0) return;
    this.#waiting.unshift(...calls);
    if (this.#parts.connection.isUp) this.#schedule();
    else this.refuseWaiting();
  }

  async #flush(): Promise<void> {
    const calls = this.#waiting.splice(0, mostCallsPerAppend);
    if (this.#waiting.length > 0) this.#schedule();
    const picked = await this.#pick(calls).catch((fault) => fail(calls, fault, notWritten()));
    if (!picked) return;
    this.#again(picked.later);
    for (const { call, answer } of picked.answers) settle(call, answer);
    await this.#write(picked.writes).catch((fault) => fail(callsOf(picked.writes), fault, notConfirmed()));
  }

  /** A no is given only on what the database held after it was asked for. */
  async #pick(calls: readonly Call[]): Promise<Picked> {
    const { clock, follower, keys } = this.#parts;
    const now = () =>
      pick(calls, { now: clock.now(), versions: follower.folded.versions, seen: (key) => keys.seen(key) });
    const picked = now();
    const { sequence } = follower.folded;
    if (picked.answers.length > 0) await follower.catchUp();
    return follower.folded.sequence === sequence ? picked : now();
  }

  async #write(writes: readonly ToWrite[]): Promise<void> {
    if (writes.length === 0) return;
    const { connection, clock } = this.#parts;
    let outcomes: readonly Outcome[];
    try {
      outcomes = await append(
        connection,
        clock,
        writes.map(({ write }) => write),
      );
    } catch (fault) {
      if (isAway(fault) || writes.length === 1) throw fault;
      // Something in one of them cannot be stored. It is not the others' fault.
      for (const each of writes) await this.#write([each]).catch((own) => each.call.reject(own));
      return;
    }
    this.stats.commits += 1;
    await this.#finish(writes.map((each, index) => ({ ...each, ...(outcomes[index] as Outcome) })));
  }

  async #finish(done: readonly (ToWrite & Outcome)[]): Promise<void> {
    const { follower, keys } = this.#parts;
    const lost = callsOf(done.filter(({ outcome }) => outcome !== 'written' && outcome !== 'known'));
    const saves: Save[] = [];
    for (const each of done.filter(({ outcome }) => outcome === 'written')) {
      await follower.catchUp(each.first - 1);
      saves.push(...this.#fold(each));
    }
    // The answer is kept before it is given; the next turn need not wait for that.
    keys.save(saves.map(({ answered }) => answered)).then(() => saves.forEach(({ give }) => void give()));
    for (const { call } of done.filter(({ outcome }) => outcome === 'known')) settleKnown(call, keys);
    if (lost.length > 0) await this.#retry(lost).catch((fault) => fail(lost, fault, notWritten()));
  }

  #fold({ call, decision, write, first }: ToWrite & Outcome): Save[] {
    const { follower, keys } = this.#parts;
    const events = write.written.map(({ event }, index): Recorded => ({ ...event, sequence: first + index }));
    if (events.length > 0) this.stats.appends += 1;
    if (write.key) keys.saw(write.key.key, write.key.token);
    try {
      follower.fold(events);
      const answer = decision.answer();
      const give = () => call.resolve(answer);
      if (write.key) return [{ answered: { ...write.key, answer: JSON.stringify(answer) ?? 'null' }, give }];
      give();
    } catch (fault) {
      call.reject(fault);
    } finally {
      follower.listeners.tell(events);
    }
    return [];
  }

  async #retry(calls: readonly Call[]): Promise<void> {
    await this.#parts.follower.catchUp();
    for (const call of calls) call.tries += 1;
    for (const { resolve } of calls.filter(({ tries }) => tries >= mostTries)) resolve(notWritten());
    this.#again(calls.filter(({ tries }) => tries < mostTries));
  }
}

const callsOf = (list: readonly { call: Call }[]): Call[] => list.map(({ call }) => call);

/** Who was settled already takes no second answer. */
function fail(calls: readonly Call[], fault: unknown, refusal: Refusal): undefined {
  for (const { resolve, reject } of calls) isAway(fault) ? resolve(refusal) : reject(fault);
}

function settle(call: Call, answer: () => unknown): void {
  try {
    call.resolve(answer());
  } catch (fault) {
    call.reject(fault);
  }
}

function settleKnown({ guard, resolve, reject }: Call, keys: Keys): void {
  if (guard) keys.answerOf(guard).then(resolve, reject);
}
