import type { Socket } from 'node:net';
import type { Announcement } from '../../kernel/messages.ts';
import {
  frameOf,
  type HubMessage,
  type MessageFilter,
  type MessageSource,
  matchesFilter,
  messageOf,
  type Protocol,
} from './message.ts';
import { MessageRing, type RingLimits } from './ring.ts';

/** A subscriber of any protocol. */
export type FeedClient = {
  protocol: Protocol;
  filter: MessageFilter;
  socket: Socket;
  /** Keeps the connection alive, and closes it if the peer is gone. */
  beat(head: number): void;
  /** Closes the connection in its own protocol, because the service is shutting down. */
  end(): void;
};

/** `cursor`: the newest message that it received or filtered out. `waiting`: its connection is full, so nothing is written. */
type Reader = FeedClient & {
  cursor: number;
  waiting: boolean;
  stuckBeats: number;
  again: () => void;
  gone: () => void;
};

/** This many readers are served before yielding: a broadcast to thousands must not delay a ping. */
const readersPerTurn = 250;

/**
 * One order of messages for everyone. A reader has no queue, only a place in the ring. It receives later messages as
 * fast as its connection accepts them, and is disconnected when the ring no longer has its place. A stuck reader only
 * costs what its socket had accepted.
 */
export class MessageFeed {
  readonly #ring: MessageRing;
  readonly #sender: MessageSource;
  readonly #readers = new Set<Reader>();
  #passIterator: Iterator<Reader> | undefined;
  #passUntil = 0;
  #passedUntil: number;
  #ended = false;
  #skipped = false;

  constructor(before: number, limits: RingLimits, sender: MessageSource) {
    this.#ring = new MessageRing(before, limits);
    this.#sender = sender;
    this.#passedUntil = before;
  }

  get newestId(): number {
    return this.#ring.newestId;
  }

  get readers(): number {
    return this.#readers.size;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Messages were dropped because nobody has listened for a while. */
  skip(): void {
    if (this.#skipped) return;
    this.#skipped = true;
    this.#ring.skip();
    this.#passedUntil = this.#ring.newestId;
  }

  /** Returns immediately; messages are delivered after the calls in progress. */
  announce(announcement: Announcement): void {
    this.#skipped = false;
    this.#ring.push((id) => messageOf(id, announcement, this.#sender));
    if (this.#passIterator === undefined) this.#startPass();
  }

  /** Resumes after `after` if possible; otherwise, and for `afresh`, a `reset` comes first. Returns a function that unsubscribes. */
  join(client: FeedClient, after: string | undefined, afresh = false): () => void {
    const isResumable = after !== undefined && /^\d{1,16}$/.test(after) && this.#ring.holdsAfter(Number(after));
    const reader: Reader = {
      ...client,
      cursor: isResumable ? Number(after) : this.#ring.newestId,
      waiting: false,
      stuckBeats: 0,
      again: () => this.#again(reader),
      gone: () => this.#leave(reader),
    };
    client.socket.on('drain', reader.again).once('close', reader.gone);
    this.#readers.add(reader);
    this.#skipped = false;
    if (afresh || (after !== undefined && !isResumable)) this.#give(reader, this.#resetAt(reader.cursor));
    this.#pump(reader);
    return reader.gone;
  }

  beat(): void {
    for (const reader of this.#readers) {
      if (!reader.waiting) reader.beat(reader.cursor);
      else if (++reader.stuckBeats >= 2) this.#cut(reader);
    }
  }

  /** Sends the remaining messages, closes every connection in its protocol, and disconnects the remaining clients after `graceMs`. */
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
    this.#passIterator = this.#readers.values();
    this.#passUntil = this.#ring.newestId;
    setImmediate(() => this.#pass());
  }

  #pass(): void {
    for (let served = 0; served < readersPerTurn; served += 1) {
      const next = this.#passIterator?.next();
      if (next === undefined || next.done) return void this.#endPass();
      this.#pump(next.value);
    }
    setImmediate(() => this.#pass());
  }

  /** Frames are dropped after each pass: the ring stores each message once, for all protocols. */
  #endPass(): void {
    for (let id = this.#passedUntil + 1; id <= this.#passUntil; id += 1) {
      const message = this.#ring.at(id);
      if (message) message.frames = {};
    }
    this.#passedUntil = this.#passUntil;
    this.#passIterator = undefined;
    if (this.#ring.newestId > this.#passedUntil) this.#startPass();
  }

  #pump(reader: Reader): void {
    if (!reader.socket.writable) return void this.#leave(reader);
    if (!this.#ring.holdsAfter(reader.cursor)) return void this.#cut(reader);
    const several = this.#ring.newestId - reader.cursor > 1;
    if (several) reader.socket.cork();
    while (!reader.waiting && reader.cursor < this.#ring.newestId) {
      const message = this.#ring.at(reader.cursor + 1);
      if (!message) break;
      reader.cursor = message.id;
      if (matchesFilter(reader.filter, message.topic)) this.#give(reader, message);
    }
    if (several) reader.socket.uncork();
  }

  #give(reader: Reader, message: HubMessage): void {
    reader.waiting = !reader.socket.write(frameOf(message, reader.protocol));
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

  /** Resets the connection, so that the kernel discards its unsent data. */
  #cut(reader: Reader): void {
    this.#leave(reader);
    reader.socket.resetAndDestroy();
  }

  #resetAt(id: number): HubMessage {
    return messageOf(id, { type: 'reset', data: {} }, this.#sender);
  }
}
