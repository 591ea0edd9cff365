import type { Route } from '../browser/rest-request.ts';
import { byTimer, type Later, pause } from './later.ts';
import { MessageListeners } from './message-listeners.ts';
import { mayPass, Unreachable } from './refused.ts';
import { type RestOptions, restCalls } from './rest-link.ts';
import { LinkLost, SocketLink } from './socket-link.ts';

export type CallOptions = {
  signal?: AbortSignal | undefined;
  /** Generated for each writing call unless given. The same key within a day gets the same answer. */
  idempotencyKey?: string | undefined;
};

export type ConnectOptions = Partial<RestOptions> & {
  /** False uses only REST, with messages as server-sent events. */
  socket?: boolean | undefined;
  /** How long a call is retried while the service cannot be reached; default 30 s. */
  retryMs?: number | undefined;
  /** Schedules work for later; default: with timers. */
  later?: Later | undefined;
};

/** Routes that are not commands, so they are not available on a socket. */
const restOnly: ReadonlySet<string> = new Set(['licence', 'messages', 'me', 'login']);

const firstWaitMs = 50;
const longestWaitMs = 2_000;

/** Calls by name: on the socket if there is one, else over REST; repeated if it is unknown whether the call was done. */
export class Calls {
  readonly rest: RestOptions;
  readonly later: Later;
  readonly listeners: MessageListeners;
  readonly #routes: Readonly<Record<string, Route>>;
  readonly #callRest: ReturnType<typeof restCalls>;
  readonly #retryMs: number;
  readonly #usesSocket: boolean;
  readonly #keyStart = crypto.randomUUID();
  #keys = 0;
  #link: SocketLink | undefined;
  #isClosed = false;

  constructor(routes: Readonly<Record<string, Route>>, rest: RestOptions, options: ConnectOptions) {
    this.#routes = routes;
    this.#callRest = restCalls(routes, rest);
    this.rest = rest;
    this.later = options.later ?? byTimer;
    this.#retryMs = options.retryMs ?? 30_000;
    this.#usesSocket = options.socket ?? true;
    this.listeners = new MessageListeners({ link: () => this.link(), rest, later: this.later });
  }

  /** Opened on first use. */
  link(): SocketLink | undefined {
    if (!this.#usesSocket || this.#isClosed) return undefined;
    this.#link ??= new SocketLink({
      address: socketAddress(this.rest.url),
      token: this.rest.token,
      later: this.later,
      onMessage: (message) => this.listeners.receive(message),
      onOpen: () => this.listeners.resume(),
    });
    return this.#link;
  }

  async call(name: string, input: object = {}, given: CallOptions = {}): Promise<unknown> {
    const idempotencyKey = given.idempotencyKey ?? this.#keyFor(name);
    let until: number | undefined;
    for (let wait = firstWaitMs; ; wait = Math.min(wait * 2, longestWaitMs)) {
      try {
        return await this.#attempt(name, input, { signal: given.signal, idempotencyKey });
      } catch (fault) {
        if (this.#isClosed) throw new Unreachable(this.rest.url, 'this client was closed');
        const isLost = fault instanceof LinkLost;
        if (!isLost && !mayPass(fault)) throw fault;
        until ??= performance.now() + this.#retryMs;
        if (performance.now() + wait > until) throw isLost ? new Unreachable(this.rest.url, fault) : fault;
        await pause(wait, this.later, given.signal);
      }
    }
  }

  close(): void {
    this.#isClosed = true;
    this.listeners.close();
    this.#link?.close();
  }

  async #attempt(name: string, input: object, { signal, idempotencyKey }: CallOptions): Promise<unknown> {
    signal?.throwIfAborted();
    const link = restOnly.has(name) || isLong(input) ? undefined : this.link();
    if (link && (link.isOpen || (await link.reopened()))) {
      return link.send(name, idempotencyKey === undefined ? input : { ...input, idempotencyKey }, signal);
    }
    // Calls on a socket stay in order, but calls over REST do not. So when the service is back, it is called on a
    // socket again.
    if (link?.isBroken || this.#isClosed || !(name in this.#routes)) throw new Unreachable(this.rest.url);
    return this.#callRest(name, input, { signal, idempotencyKey });
  }

  /**
   * Reads and calls that may safely run twice need no key, which saves the service from storing it. The time comes
   * first, so that keys of many clients are adjacent in the store's tree: a flush writes a few pages instead of one per client.
   */
  #keyFor(name: string): string | undefined {
    const route = this.#routes[name];
    if (route && (route.method === 'GET' || route.repeatable || restOnly.has(name))) return undefined;
    this.#keys += 1;
    return `${Date.now().toString(36)}-${this.#keyStart}-${this.#keys}`;
  }
}

/** A document that would not fit into one frame goes over REST. */
const isLong = (input: object): boolean =>
  'document' in input && typeof input.document === 'string' && input.document.length > 200_000;

function socketAddress(url: string): string {
  const page = (globalThis as { location?: { href: string } }).location?.href;
  const address = new URL(`${url}/api/socket`, page);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  return address.href;
}
