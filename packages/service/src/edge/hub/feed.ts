import type { Socket } from 'node:net';
import type { Announcement } from '../../kernel/announce.ts';
import { type Filter, wants } from './filter.ts';
import { frameOf } from './frames.ts';
import { type Message, messageOf, type Sender, type Speech } from './message.ts';
import { Ring, type RingLimits } from './ring.ts';

/** A connection that listens, whichever way it speaks. */
export type Client = {
  speech: Speech;
  filter: Filter;
  socket: Socket;
  /** Keeps the line open, and cuts it where nobody is at the other end. */
  beat(head: number): void;
  /** Takes leave in its own words: the service is going away. */
  end(): void;
};

/** `cursor`: the newest message that it was given or did not want. `waiting`: its line is full, so nothing is written. */
type Reader = Client & { cursor: number; waiting: boolean; stuckBeats: number; again: () => void; gone: () => void };

/** So many readers are served before others get a turn: passing on to thousands must not hold up a ping. */
const readersPerTurn = 250;

/**
 * One order of messages for everyone. No reader has a queue: each has a place in the ring, is given what follows as
 * fast as its line takes it, and is cut off when its place has left the ring. What a stuck reader costs is what its
 * socket had taken before it was full.
 */
export class Feed {
  readonly #ring: Ring;
  readonly #sender: Sender;
  readonly #readers = new Set<Reader>();
  #turn: Iterator<Reader> | undefined;
  #passing = 0;
  #passed: number;
  #ended = false;
  #skipped = false;

  constructor(before: number, limits: RingLimits, sender: Sender) {
    this.#ring = new Ring(before, limits);
    this.#sender = sender;
    this.#passed = before;
  }

  get head(): number {
    return this.#ring.head;
  }

  get readers(): number {
    return this.#readers.size;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Something went untold because nobody has listened for a while. */
  skip(): void {
    if (this.#skipped) return;
    this.#skipped = true;
    this.#ring.skip();
    this.#passed = this.#ring.head;
  }

  /** Returns at once; the passing on comes after whatever is being answered now. */
  announce(announcement: Announcement): void {
    this.#skipped = false;
    this.#ring.push((id) => messageOf(id, announcement, this.#sender));
    if (this.#turn === undefined) this.#startPass();
  }

  /** `after` resumes where it can; where it cannot, and for `afresh`, one `reset` comes first. Returns how to leave. */
  join(client: Client, after: string | undefined, afresh = false): () => void {
    const known = after !== undefined && /^\d{1,16}$/.test(after) && this.#ring.holdsAfter(Number(after));
    const reader: Reader = {
      ...client,
      cursor: known ? Number(after) : this.#ring.head,
      waiting: false,
      stuckBeats: 0,
      again: () => this.#again(reader),
      gone: () => this.#leave(reader),
    };
    client.socket.on('drain', reader.again).once('close', reader.gone);
    this.#readers.add(reader);
    this.#skipped = false;
    if (afresh || (after !== undefined && !known)) this.#give(reader, this.#resetAt(reader.cursor));
    this.#pump(reader);
    return reader.gone;
  }

  beat(): void {
    for (const reader of this.#readers) {
      if (!reader.waiting) reader.beat(reader.cursor);
      else if (++reader.stuckBeats >= 2) this.#cut(reader);
    }
  }

  /** Gives everyone what there is, lets them go, and cuts who has not gone after `graceMs`. */
  async end(graceMs: number): Promise<void> {
    this.#ended = true;
    const leaving = [...this.#readers];
    const closed = leaving.map(({ socket }) => new Promise((done) => socket.once('close', done)));
    for (const reader of leaving) {
      this.#pump(reader);
      reader.socket.off('drain', reader.again);
      reader.waiting = true;
      reader.end();
    }
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((done) => (timer = setTimeout(done, graceMs)));
    await Promise.race([Promise.all(closed), patience]);
    clearTimeout(timer);
    for (const { socket } of leaving) socket.destroy();
  }

  #startPass(): void {
    this.#turn = this.#readers.values();
    this.#passing = this.#ring.head;
    setImmediate(() => this.#pass());
  }

  #pass(): void {
    for (let served = 0; served < readersPerTurn; served += 1) {
      const next = this.#turn?.next();
      if (next === undefined || next.done) return void this.#endPass();
      this.#pump(next.value);
    }
    setImmediate(() => this.#pass());
  }

  /** Frames live as long as a pass: the ring keeps each message once, whoever speaks how. */
  #endPass(): void {
    for (let id = this.#passed + 1; id <= this.#passing; id += 1) {
      const message = this.#ring.at(id);
      if (message) message.frames = {};
    }
    this.#passed = this.#passing;
    this.#turn = undefined;
    if (this.#ring.head > this.#passed) this.#startPass();
  }

  #pump(reader: Reader): void {
    if (!reader.socket.writable) return void this.#leave(reader);
    if (!this.#ring.holdsAfter(reader.cursor)) return void this.#cut(reader);
    const several = this.#ring.head - reader.cursor > 1;
    if (several) reader.socket.cork();
    while (!reader.waiting && reader.cursor < this.#ring.head) {
      const message = this.#ring.at(reader.cursor + 1);
      if (!message) break;
      reader.cursor = message.id;
      if (wants(reader.filter, message.about)) this.#give(reader, message);
    }
    if (several) reader.socket.uncork();
  }

  #give(reader: Reader, message: Message): void {
    reader.waiting = !reader.socket.write(frameOf(message, reader.speech));
  }

  #again(reader: Reader): void {
    reader.waiting = false;
    reader.stuckBeats = 0;
    this.#pump(reader);
  }

  #leave(reader: Reader): void {
    this.#readers.delete(reader);
    reader.socket.off('drain', reader.again).off('close', reader.gone);
  }

  /** Hard, so that the kernel forgets what it still holds for that line. */
  #cut(reader: Reader): void {
    this.#leave(reader);
    reader.socket.resetAndDestroy();
  }

  #resetAt(id: number): Message {
    return messageOf(id, { type: 'reset', data: {} }, this.#sender);
  }
}
