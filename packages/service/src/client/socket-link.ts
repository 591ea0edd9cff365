import type { Message } from '../browser/messages.ts';
import { afterThisTurn, type Later } from './later.ts';
import { Refused } from './refused.ts';

/** The socket closed before the answer arrived, so it is unknown whether the call was done. */
export class LinkLost extends Error {}

type Waiting = { resolve: (result: unknown) => void; reject: (fault: unknown) => void };
type Response = {
  id?: number | null;
  method?: string;
  params?: Message & { id: string };
  result?: unknown;
  error?: { code: number; data?: { status?: number } };
};

export type LinkOptions = {
  /** `ws://…/api/socket`. */
  address: string;
  token: string | undefined;
  later: Later;
  onMessage(message: Message & { id?: string }): void;
  onOpen(): void;
};

/** How many calls the service accepts at once; more wait here. */
const maxInProgress = 256;
const firstWaitMs = 100;
const longestWaitMs = 5_000;
/** A socket is closed if it has not opened after this time, or if two pings this far apart got no answer. */
const patienceMs = 10_000;
/** How long to wait for a lost socket before calls go over REST. */
const brokenMs = 20_000;

/** One socket to the service, opened again when it is lost. Calls made in one turn go out in one frame. */
export class SocketLink {
  readonly #options: LinkOptions;
  readonly #waiting = new Map<number, Waiting>();
  #socket: WebSocket | undefined;
  #opening: PromiseWithResolvers<boolean> | undefined;
  #lastId = 0;
  #frame: string[] = [];
  #queue: { id: number; text: string }[] = [];
  #waitMs = firstWaitMs;
  #brokenUntil = 0;
  #isClosed = false;
  #cancelRetry: () => void = () => undefined;
  #cancelWatch: () => void = () => undefined;
  /** Frames received since the last check, and whether a ping was sent. */
  #heard = 0;
  #isAsked = false;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#open();
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === 1;
  }

  /** Resolves to true once the socket is open, to false if this try failed. */
  opened(): Promise<boolean> {
    return this.#opening?.promise ?? Promise.resolve(this.isOpen);
  }

  /** The socket was open recently, so the service is away; sockets are not blocked. */
  get isBroken(): boolean {
    return !this.isOpen && performance.now() < this.#brokenUntil;
  }

  /** The same as `opened`, but retries a broken socket immediately. */
  reopened(): Promise<boolean> {
    if (this.isBroken && !this.#opening && !this.#isClosed) {
      this.#cancelRetry();
      this.#open();
    }
    return this.opened();
  }

  /** Sends at the end of this turn, together with everything else sent in it. */
  send(method: string, params: object, signal?: AbortSignal): Promise<unknown> {
    const id = ++this.#lastId;
    const text = `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${JSON.stringify(params)}}`;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      if (this.#waiting.size > maxInProgress) this.#queue.push({ id, text });
      else this.#push(text);
    });
    return signal ? this.#abortable(answer, id, signal) : answer;
  }

  async #abortable(answer: Promise<unknown>, id: number, signal: AbortSignal): Promise<unknown> {
    const abort = () => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      waiting?.reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await answer;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRetry();
    this.#opening?.resolve(false);
    const socket = this.#socket;
    this.#lose();
    socket?.close();
  }

  #push(text: string): void {
    if (this.#frame.push(text) === 1) afterThisTurn(() => this.#flush());
  }

  #flush(): void {
    const calls = this.#frame;
    this.#frame = [];
    // Closing the socket rejects the calls that wait for these answers.
    if (!this.isOpen) return;
    this.#socket?.send(calls.length === 1 ? (calls[0] ?? '') : `[${calls.join(',')}]`);
  }

  #open(): void {
    this.#opening ??= Promise.withResolvers<boolean>();
    let socket: WebSocket;
    try {
      socket = openSocket(this.#options);
    } catch {
      return void this.#retry();
    }
    this.#socket = socket;
    let wasOpen = false;
    const giveUp = () => {
      if (this.#socket !== socket) return;
      if (wasOpen) this.#brokenUntil = performance.now() + brokenMs;
      this.#lose();
      this.#retry();
      socket.close();
    };
    socket.onopen = () => {
      wasOpen = true;
      this.#waitMs = firstWaitMs;
      this.#opening?.resolve(true);
      this.#opening = undefined;
      this.#watch(giveUp);
      this.#options.onOpen();
    };
    socket.onmessage = ({ data }) => this.#read(String(data));
    socket.onclose = giveUp;
    this.#cancelWatch = this.#options.later(giveUp, patienceMs);
  }

  /** A silently cut connection seems open; only a ping reveals it. */
  #watch(giveUp: () => void): void {
    this.#cancelWatch();
    this.#cancelWatch = this.#options.later(() => {
      if (this.#heard === 0 && this.#isAsked) return void giveUp();
      this.#isAsked = this.#heard === 0;
      if (this.#isAsked) this.send('ping', {}).catch(() => undefined);
      this.#heard = 0;
      this.#watch(giveUp);
    }, patienceMs);
  }

  #retry(): void {
    this.#opening?.resolve(false);
    this.#opening = undefined;
    if (this.#isClosed) return;
    // Many clients must not reconnect to a restarted service at the same moment.
    const wait = this.#waitMs * (0.5 + Math.random());
    this.#waitMs = Math.min(this.#waitMs * 2, longestWaitMs);
    this.#cancelRetry = this.#options.later(() => this.#open(), wait);
  }

  #lose(): void {
    this.#cancelWatch();
    this.#isAsked = false;
    this.#socket = undefined;
    this.#frame = [];
    this.#queue = [];
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of lost) reject(new LinkLost());
  }

  #read(text: string): void {
    this.#heard += 1;
    const read: Response | Response[] = JSON.parse(text);
    if (Array.isArray(read)) for (const one of read) this.#take(one);
    else this.#take(read);
  }

  #take({ id, method, params, result, error }: Response): void {
    if (method !== undefined) {
      // A bookmark only moves the id to resume after.
      if (params) this.#options.onMessage(params);
      return;
    }
    const waiting = id ? this.#waiting.get(id) : undefined;
    if (id) this.#waiting.delete(id);
    if (this.#queue.length > 0) this.#sendQueued();
    if (error) waiting?.reject(new Refused(error.data?.status ?? 500, error.data));
    else waiting?.resolve(result);
  }

  #sendQueued(): void {
    // A call that was abandoned meanwhile is not sent.
    const next = this.#queue.shift();
    if (next && this.#waiting.has(next.id)) this.#push(next.text);
    else if (next) this.#sendQueued();
  }
}

/** Only Node's WebSocket accepts headers; for others the service accepts the token in the address. */
function openSocket({ address, token }: LinkOptions): WebSocket {
  if (token === undefined) return new WebSocket(address);
  const isNode = globalThis.navigator?.userAgent?.startsWith('Node.js') === true;
  if (!isNode) return new WebSocket(`${address}?access_token=${encodeURIComponent(token)}`);
  // The browser's types lack this option.
  return Reflect.construct(WebSocket, [address, { headers: { authorization: `Bearer ${token}` } }]);
}
