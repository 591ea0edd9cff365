import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import { checkScope, type Identity } from '../../kernel/access.ts';
import { isRefusal, type Refusal, refuse } from '../../kernel/outcome.ts';
import { pingFrame, textFrame } from '../hub/message.ts';
import type { MessageFeed } from '../hub/message-feed.ts';
import { stopping } from '../hub/server-sent-events.ts';
import { subscriptionOf } from '../hub/subscription.ts';
import { parseJson, readJson } from '../json-body.ts';
import type { SenderQuota } from '../sender-quota.ts';
import {
  type AnswerRequest,
  faultText,
  isBadRequest,
  type RpcId,
  type RpcRequest,
  refusalText,
  requestsIn,
  resultText,
  type WriteAnswer,
} from './answer-request.ts';

export type CallConnectionDeps = {
  answer: AnswerRequest;
  feed: MessageFeed;
  quota: SenderQuota;
  address: string;
  /** The caller; checked for each frame, because a token may be revoked meanwhile. Undefined once the credentials are no longer valid. */
  identify(): Identity | undefined;
  reportFault(fault: unknown, command: string): void;
};

const closeCodes = { goingAway: 1001, unsupported: 1003, policy: 1008 };

/** Limits on calls in progress, on requests in one frame, and on requests started in one turn of the event loop. */
export const maxInProgress = 256;
/** Longer frames are scanned in slices, with other work in between. */
const shortFrameBytes = 64 * 1024;
/** How many reads of one frame run at once: each may keep a long answer until it is written. */
const maxReads = 8;
/** While the other end has more than this left to read, none of its requests is processed. */
const pauseAtBytes = 1024 * 1024;
/** A frame of answers is not longer than this, unless a single answer is. */
const maxFrameLength = 1024 * 1024;
/** If more than this is unread, the connection is cut. */
const cutAtBytes = 24 * 1024 * 1024;
const stuckBeats = 2;

/** One WebSocket for calling commands, many at a time; on request it also delivers the messages of the hub. */
export class CallConnection {
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  readonly #deps: CallConnectionDeps;
  readonly #frames: Buffer[] = [];
  #isTaking = false;
  /** How many requests were started in this turn of the event loop. */
  #taken = 0;
  #answers: string[] = [];
  #answersLength = 0;
  #inProgress = 0;
  #reads = 0;
  readonly #waitingReads: Array<() => void> = [];
  #isReadingDocument = false;
  /** Resolved when earlier answers have been sent and waiting ones can be written. */
  #room: PromiseWithResolvers<void> | undefined;
  #unsubscribe: (() => void) | undefined;
  #ending: PromiseWithResolvers<void> | undefined;
  #beatsWithoutSign = 0;
  #beatsWithoutDrain = 0;

  constructor(ws: WebSocket, socket: Socket, deps: CallConnectionDeps) {
    this.#ws = ws;
    this.#socket = socket;
    this.#deps = deps;
    ws.on('error', () => this.#unsubscribe?.());
    ws.on('pong', () => this.#noteSign());
    ws.on('ping', (payload) => {
      this.#noteSign();
      if (socket.writableLength < pauseAtBytes) ws.pong(payload);
    });
    ws.on('message', (frame, isBinary) => this.#read(frame, isBinary));
    socket.on('drain', () => this.#drained());
    socket.on('close', () => this.#makeRoom());
  }

  /** Keeps the connection open; cuts it if the other end is gone or does not read. */
  beat(): void {
    const isStuck = this.#socket.writableNeedDrain && ++this.#beatsWithoutDrain >= stuckBeats;
    if (isStuck || ++this.#beatsWithoutSign > stuckBeats) return void this.#socket.resetAndDestroy();
    if (!this.#socket.writableNeedDrain) this.#socket.write(pingFrame);
  }

  /** Accepts no more requests; settles once those in progress are answered. */
  end(): Promise<void> {
    this.#ending ??= Promise.withResolvers<void>();
    this.#makeRoom();
    this.#endIfIdle();
    return this.#ending.promise;
  }

  #endIfIdle(): void {
    if (!this.#ending || this.#inProgress > 0) return;
    this.#send();
    this.#ws.close(closeCodes.goingAway);
    this.#ending.resolve();
  }

  #noteSign(): void {
    this.#beatsWithoutSign = 0;
  }

  #drained(): void {
    this.#beatsWithoutDrain = 0;
    this.#makeRoom();
    if (this.#ws.isPaused) this.#ws.resume();
  }

  #makeRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  get #hasRoom(): boolean {
    if (this.#ending || !this.#socket.writable) return true;
    return !this.#isReadingDocument && this.#answersLength + this.#socket.writableLength <= pauseAtBytes;
  }

  #read(frame: RawData, isBinary: boolean): void {
    this.#noteSign();
    if (isBinary || !Buffer.isBuffer(frame)) return void this.#ws.close(closeCodes.unsupported);
    this.#frames.push(frame);
    if (!this.#isTaking) void this.#takeFrames();
  }

  /**
   * Processes frames in the order of arrival. The work of one turn is limited; nothing more is read from the connection
   * until the next turn.
   */
  async #takeFrames(): Promise<void> {
    this.#isTaking = true;
    for (let frame = this.#frames.shift(); frame; frame = this.#frames.shift()) {
      const isShort = frame.length <= shortFrameBytes;
      const read = isShort ? readJson(frame, maxInProgress) : await parseJson(frame, undefined, maxInProgress);
      if (this.#taken === 0) setImmediate(() => (this.#taken = 0));
      this.#taken += this.#take(read);
      if (this.#taken < maxInProgress) continue;
      this.#ws.pause();
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#isTaking = false;
    if (this.#ws.isPaused && this.#socket.writableLength <= pauseAtBytes) this.#ws.resume();
  }

  /** Returns how many requests it accepted. */
  #take(read: { value: unknown } | Refusal): number {
    if (isRefusal(read)) {
      this.#queue(refusalText(null, read, read.code === 'too_many_requests' ? undefined : 'unreadable'));
      return 1;
    }
    const identity = this.#deps.identify();
    if (!identity) {
      this.#ws.close(closeCodes.policy);
      return 1;
    }
    const requests = requestsIn(read.value);
    for (const request of requests) {
      if (isBadRequest(request)) this.#queue(refusalText(request.id, request.refusal, 'invalid'));
      else if (request.method === 'subscribe') this.#subscribe(request, identity);
      else if (request.method === 'unsubscribe') this.#leaveFeed(request);
      else if (request.method === 'ping') this.#queue(resultText(request.id ?? null, '{}'));
      else this.#start(request, identity);
    }
    return requests.length;
  }

  #start(request: RpcRequest, identity: Identity): void {
    const id = request.id ?? null;
    const refusal = this.#ending ? stopping : this.#inProgress >= maxInProgress ? tooMany : undefined;
    const leave = refusal ?? this.#deps.quota.enterCall({ name: identity.name, address: this.#deps.address });
    if (isRefusal(leave)) return void this.#queue(refusalText(id, leave));
    this.#inProgress += 1;
    void this.#answer({ ...request, id }, identity, request.id !== undefined).then(() => {
      leave();
      this.#inProgress -= 1;
      this.#endIfIdle();
    });
  }

  async #answer(request: RpcRequest & { id: RpcId }, identity: Identity, isAwaited: boolean): Promise<void> {
    const { answer, address, reportFault } = this.#deps;
    const isRead = answer.isRead(request.method);
    if (isRead) await this.#beginRead();
    try {
      if (isRead && !this.#socket.writable) return;
      const write = await answer(request, { identity, address });
      if (isAwaited) await this.#write(write);
    } catch (fault) {
      reportFault(fault, request.method);
      if (isAwaited) this.#queue(faultText(request.id));
    } finally {
      if (isRead) this.#endRead();
    }
  }

  async #beginRead(): Promise<void> {
    if (this.#reads < maxReads) this.#reads += 1;
    else await new Promise<void>((resolve) => this.#waitingReads.push(resolve));
  }

  /** The longest waiting read is next. */
  #endRead(): void {
    const next = this.#waitingReads.shift();
    if (next) next();
    else this.#reads -= 1;
  }

  /** A short frame may request a long answer 256 times; all these answers together would not fit into memory. */
  async #write(write: WriteAnswer): Promise<void> {
    while (!this.#hasRoom) {
      this.#room ??= Promise.withResolvers<void>();
      await this.#room.promise;
    }
    if (!this.#socket.writable) return;
    const written = write();
    if (typeof written === 'string') return this.#queue(written);
    this.#isReadingDocument = true;
    try {
      this.#queue(await written);
    } finally {
      this.#isReadingDocument = false;
      this.#makeRoom();
    }
  }

  /** Returns the id to resume after if no message arrives. A second subscription replaces the first. */
  #subscribe({ id, params }: RpcRequest, identity: Identity): void {
    const { feed } = this.#deps;
    const full = this.#socket.writableNeedDrain ? unread : undefined;
    const asked = checkScope(identity, 'subscribe', 'read') ?? full ?? subscriptionOf(params);
    if (isRefusal(asked)) return void this.#queue(refusalText(id ?? null, asked));
    this.#unsubscribe?.();
    if (id !== undefined) this.#queue(resultText(id, JSON.stringify({ after: asked.after ?? String(feed.newestId) })));
    // Sent before the first message.
    this.#send();
    const socket = this.#socket;
    const beat = (head: number) => void socket.write(bookmarkFrame(head));
    const end = () => void this.end();
    this.#unsubscribe = feed.join({ protocol: 'calls', filter: asked.filter, socket, beat, end }, asked.after);
  }

  #leaveFeed({ id }: RpcRequest): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    if (id !== undefined) this.#queue(resultText(id, '{}'));
  }

  /** Answers that become ready in one turn of the loop, such as those of one flush, are sent together. */
  #queue(text: string): void {
    this.#answersLength += text.length;
    if (this.#answers.push(text) === 1) process.nextTick(() => this.#send());
  }

  #send(): void {
    const answers = this.#answers;
    this.#answers = [];
    this.#answersLength = 0;
    if (answers.length === 0 || !this.#socket.writable) return;
    for (const text of framesOf(answers)) this.#socket.write(textFrame(text));
    const waiting = this.#socket.writableLength;
    if (waiting > cutAtBytes) this.#socket.resetAndDestroy();
    else if (waiting > pauseAtBytes && !this.#ws.isPaused) this.#ws.pause();
    else if (this.#room) setImmediate(() => this.#makeRoom());
  }
}

const bookmarkFrame = (id: number): Buffer =>
  textFrame(`{"jsonrpc":"2.0","method":"bookmark","params":{"id":"${id}"}}`);

/** A single answer is sent as it is, several as a list. */
function* framesOf(answers: readonly string[]): Iterable<string> {
  let from = 0;
  let length = 0;
  const join = (to: number) => (to - from === 1 ? (answers[from] ?? '') : `[${answers.slice(from, to).join(',')}]`);
  for (const [index, text] of answers.entries()) {
    if (index > from && length + text.length > maxFrameLength) {
      yield join(index);
      from = index;
      length = 0;
    }
    length += text.length;
  }
  yield join(answers.length);
}

const tooMany = refuse(
  'too_many_requests',
  `${maxInProgress} calls on this socket are in progress. Wait for an answer before sending the next.`,
  { retryAfterSeconds: 1 },
);
const unread = refuse('too_many_requests', 'This socket has unread answers. Read them, then subscribe.', {
  retryAfterSeconds: 1,
});
