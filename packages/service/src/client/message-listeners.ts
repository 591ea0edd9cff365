import { hubSilentMs, type Message, type MessageType } from '../browser/messages.ts';
import { type Later, pause } from './later.ts';
import { mayPass, Refused } from './refused.ts';
import { type RestOptions, sendRest } from './rest-link.ts';
import { LinkLost, type SocketLink } from './socket-link.ts';

type Listener = { types: readonly MessageType[]; hear: (message: Message) => void };
type ListenersDeps = { link: () => SocketLink | undefined; rest: RestOptions; later: Later };

/** Errors that a retry cannot fix. */
const rethrowInvalid = (fault: unknown) => {
  if (fault instanceof Refused && fault.status === 400) throw fault;
};

/** The error that the listener received when it subscribed. */
const ignore = () => undefined;
/** The pause between two tries to subscribe. */
const againMs = 1_000;
/** How long to wait for a stream that neither opens nor fails. */
const patienceMs = 5_000;

/**
 * The listeners of the hub: on the socket, or else as server-sent events. Only the message types with listeners are
 * requested.
 */
export class MessageListeners {
  readonly #deps: ListenersDeps;
  readonly #listeners = new Set<Listener>();
  #after: string | undefined;
  #stream: AbortController | undefined;
  /** One after the other, so that a refusal always belongs to the latest listener. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(deps: ListenersDeps) {
    this.#deps = deps;
  }

  /**
   * `ready` settles once the service sends the type, or is unreachable and will be asked later. It rejects if the service
   * does not know the type; other listeners are not affected.
   */
  add(types: readonly MessageType[], hear: Listener['hear']): { off(): void; ready: Promise<void> } {
    const listener = { types, hear };
    let isOff = false;
    const ready = this.#inTurn(async () => {
      if (isOff) return;
      this.#listeners.add(listener);
      await this.#subscribe().catch((fault: unknown) => {
        this.#listeners.delete(listener);
        throw fault;
      });
    });
    // A rejection must not crash a caller that does not await it.
    ready.catch(ignore);
    const off = () => {
      isOff = true;
      if (this.#listeners.delete(listener)) this.#inTurn(() => this.#subscribe()).catch(ignore);
    };
    return { off, ready };
  }

  receive({ id, ...message }: Message & { id?: string }): void {
    this.#after = id ?? this.#after;
    for (const { types, hear } of this.#listeners)
      if (message.type === 'reset' || types.includes(message.type)) hear(message);
  }

  /** Called after a new socket has opened. No message is lost: the service resumes or sends `reset`. */
  resume(): void {
    if (this.#listeners.size > 0) this.#inTurn(() => this.#subscribe()).catch(ignore);
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(ignore);
    return done;
  }

  close(): void {
    this.#listeners.clear();
    this.#stream?.abort();
  }

  async #subscribe(): Promise<void> {
    const link = this.#deps.link();
    const isLinked = link !== undefined && (link.isOpen || (await link.opened()));
    this.#stream?.abort();
    const types = [...new Set([...this.#listeners].flatMap((listener) => listener.types))];
    if (isLinked) await this.#askLink(link, types);
    else if (types.length > 0) await this.#openStream(types);
    // A listener that subscribes later does not want earlier messages.
    if (types.length === 0) this.#after = undefined;
  }

  /** Retries if the service may only be busy; otherwise a listener would wait forever for messages. */
  async #askLink(link: SocketLink, types: readonly MessageType[]): Promise<void> {
    while (link.isOpen) {
      try {
        if (types.length === 0) return void (await link.send('unsubscribe', {}));
        const asked = { types, ...(this.#after !== undefined && { after: this.#after }) };
        const { after } = (await link.send('subscribe', asked)) as { after: string };
        this.#after ??= after;
        return;
      } catch (fault) {
        if (fault instanceof LinkLost) return;
        if (!mayPass(fault)) throw fault;
      }
      await pause(againMs, this.#deps.later);
    }
  }

  /** Settles once the stream is open or could not be opened; it is reopened until a socket replaces it. */
  #openStream(types: readonly MessageType[]): Promise<void> {
    const stream = new AbortController();
    this.#stream = stream;
    return new Promise((resolve, reject) => {
      const cancel = this.#deps.later(resolve, patienceMs);
      const onTried = () => {
        cancel();
        resolve();
      };
      this.#hearUntil(stream.signal, types, onTried).catch(reject);
    });
  }

  async #hearUntil(signal: AbortSignal, types: readonly MessageType[], onTried: () => void): Promise<void> {
    const { rest, later } = this.#deps;
    while (!signal.aborted) {
      const onMessage = (message: Message & { id?: string }) => signal.aborted || this.receive(message);
      const silence = new AbortController();
      let cancel: () => void = ignore;
      const onSign = () => {
        cancel();
        cancel = later(() => silence.abort(), hubSilentMs);
      };
      onSign();
      const heard = AbortSignal.any([signal, silence.signal]);
      await hearEvents(rest, { types, after: this.#after, signal: heard, onOpen: onTried, onSign, onMessage })
        .catch(rethrowInvalid)
        .finally(() => cancel());
      onTried();
      await pause(againMs, later, signal).catch(ignore);
    }
  }
}

type Received = Message & { id?: string };

type EventStreamOptions = {
  types: readonly string[];
  after: string | undefined;
  signal: AbortSignal;
  onOpen(): void;
  /** Data arrived, even if only a keep-alive. */
  onSign(): void;
  onMessage(message: Received): void;
};

/** Reads the hub as server-sent events if WebSockets are blocked. Settles when the stream ends. */
async function hearEvents(rest: RestOptions, options: EventStreamOptions): Promise<void> {
  const { types, after, signal, onOpen, onSign, onMessage } = options;
  const query = new URLSearchParams({ types: types.join(','), ...(after !== undefined && { after }) });
  const request = { method: 'GET', path: `/api/messages?${query}`, body: undefined, mediaType: '' };
  const response = await sendRest(request, rest, { signal, accept: 'text/event-stream' });
  if (!response.ok || !response.body) throw new Refused(response.status, await response.json().catch(() => undefined));
  onOpen();
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let begun = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    onSign();
    const blocks = (begun + decoder.decode(value, { stream: true })).split('\n\n');
    begun = blocks.pop() ?? '';
    for (const block of blocks) {
      const [, data] = /^data: (.+)$/m.exec(block) ?? [];
      const [, id] = /^id: (.+)$/m.exec(block) ?? [];
      // A block without data only moves the id to resume after.
      if (data !== undefined) onMessage(JSON.parse(data));
      else if (id !== undefined) onMessage({ id } as Received);
    }
  }
}
