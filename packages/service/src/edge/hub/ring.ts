import type { Message } from './message.ts';

export type RingLimits = { messages: number; bytes: number };

/**
 * The newest messages, bounded by count and by bytes. Ids have no gaps. The first one comes from the caller and grows
 * from boot to boot, so that an id of an earlier life is never taken for one of this.
 */
export class Ring {
  readonly #limits: RingLimits;
  readonly #kept = new Map<number, Message>();
  #oldest: number;
  #head: number;
  #bytes = 0;

  constructor(before: number, limits: RingLimits) {
    this.#limits = limits;
    this.#head = before;
    this.#oldest = before + 1;
  }

  /** The id of the newest message; before the first one, of none. */
  get head(): number {
    return this.#head;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** At least the newest message is kept, however large, or nobody could ever get it. */
  push(build: (id: number) => Message): void {
    this.#head += 1;
    const message = build(this.#head);
    this.#kept.set(message.id, message);
    this.#bytes += message.json.length;
    while (this.#oldest < this.#head && (this.#kept.size > this.#limits.messages || this.#bytes > this.#limits.bytes)) {
      this.#bytes -= this.#kept.get(this.#oldest)?.json.length ?? 0;
      this.#kept.delete(this.#oldest);
      this.#oldest += 1;
    }
  }

  /** Something was not told. Whoever comes back from before starts anew. */
  skip(): void {
    this.#head += 1;
    this.#oldest = this.#head + 1;
    this.#kept.clear();
    this.#bytes = 0;
  }

  at(id: number): Message | undefined {
    return this.#kept.get(id);
  }

  /** Whether everything after this id is still here. */
  holdsAfter(id: number): boolean {
    return id >= this.#oldest - 1 && id <= this.#head;
  }
}
