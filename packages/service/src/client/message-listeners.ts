import type { Message, MessageType } from '../browser/messages.ts';
import { LinkLost, type SocketLink } from './socket-link.ts';

type Listener = { types: readonly MessageType[]; hear: (message: Message) => void };

/** Who listens was told when it began to. */
const ignore = () => undefined;

/** What listens to the hub. The service is asked for the types that anybody wants, and for none where nobody does. */
export class MessageListeners {
  readonly #link: () => SocketLink | undefined;
  readonly #listeners = new Set<Listener>();
  #after: string | undefined;

  constructor(link: () => SocketLink | undefined) {
    this.#link = link;
  }

  /** `ready` settles once the service sends what is asked for, or the socket is away and will ask when it is back. */
  add(types: readonly MessageType[], hear: Listener['hear']): { off(): void; ready: Promise<void> } {
    const listener = { types, hear };
    this.#listeners.add(listener);
    const off = () => void (this.#listeners.delete(listener) && this.#subscribe().catch(ignore));
    return { off, ready: this.#subscribe() };
  }

  receive({ id, ...message }: Message & { id?: string }): void {
    this.#after = id ?? this.#after;
    for (const { types, hear } of this.#listeners)
      if (message.type === 'reset' || types.includes(message.type)) hear(message);
  }

  /** After a new socket was opened. Nothing is missed: the service resumes, or says `reset`. */
  resume(): void {
    if (this.#listeners.size > 0) this.#subscribe().catch(ignore);
  }

  async #subscribe(): Promise<void> {
    const link = this.#link();
    if (!link || !(link.isOpen || (await link.opened()))) return;
    const types = [...new Set([...this.#listeners].flatMap((listener) => listener.types))];
    try {
      if (types.length === 0) await link.send('unsubscribe', {});
      else {
        const asked = { types, ...(this.#after !== undefined && { after: this.#after }) };
        const { after } = (await link.send('subscribe', asked)) as { after: string };
        this.#after ??= after;
      }
    } catch (fault) {
      if (!(fault instanceof LinkLost)) throw fault;
    }
    // Who comes back later did not ask for what happened meanwhile.
    if (types.length === 0) this.#after = undefined;
  }
}
