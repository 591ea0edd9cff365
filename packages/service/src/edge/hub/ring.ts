import type { HubMessage } from './message.ts';

export type RingLimits = { messages: number; bytes: number };

/**
 * The newest messages, bounded by count and by bytes. Ids have no gaps. The first id comes from the caller and grows
 * with every boot, so that an id of an earlier process is never mistaken for one of this process.
 */
export class MessageRing {
  readonly #limits: RingLimits;
  readonly #messages = new Map<number, HubMessage>();
  #oldest: number;
  #newestId: number;
  #bytes = 0;

  constructor(before: number, limits: RingLimits) {
    this.#limits = limits;
    this.#newestId = before;
    this.#oldest = before + 1;
  }

  /** The id of the newest message; before the first message, the id that precedes it. */
  get newestId(): number {
    return this.#newestId;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** At least the newest message is kept, whatever its size, or nobody would ever get it. */
  push(build: (id: number) => HubMessage): void {
    this.#newestId += 1;
    const message = build(this.#newestId);
    this.#messages.set(message.id, message);
    this.#bytes += message.json.length;
    while (
      this.#oldest < this.#newestId &&
      (this.#messages.size > this.#limits.messages || this.#bytes > this.#limits.bytes)
    ) {
      this.#bytes -= this.#messages.get(this.#oldest)?.json.length ?? 0;
      this.#messages.delete(this.#oldest);
      this.#oldest += 1;
    }
  }

  /** A message was dropped: clients that resume from an older id get a reset. */
  skip(): void {
    this.#newestId += 1;
    this.#oldest = this.#newestId + 1;
    this.#messages.clear();
    this.#bytes = 0;
  }

  at(id: number): HubMessage | undefined {
    return this.#messages.get(id);
  }

  /** Whether all messages after this id are still in the ring. */
  holdsAfter(id: number): boolean {
    return id >= this.#oldest - 1 && id <= this.#newestId;
  }
}
