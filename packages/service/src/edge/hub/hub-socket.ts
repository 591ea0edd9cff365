import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import { isRefusal } from '../../kernel/outcome.ts';
import { type AccessPolicy, isStillAdmitted } from '../admission.ts';
import { queryIn } from '../rest-input.ts';
import type { SocketRoute } from '../upgrades.ts';
import { type MessageFilter, pingFrame, signalrPing, signalrRecord } from './message.ts';
import type { MessageFeed } from './message-feed.ts';
import { hubPath, stopping } from './server-sent-events.ts';
import { answerHandshake, answerRecord, closeRecord, isHandshake, recordsIn } from './signalr.ts';
import { readSubscription, type Subscription } from './subscription.ts';

/** Clients of a hub that only sends have nothing long to send. */
const maxPayload = 16 * 1024;

/** The hub on WebSockets, plain or as SignalR. */
export const createHubSocket = (feed: MessageFeed, policy: AccessPolicy): SocketRoute => ({
  path: hubPath,
  maxPayload,
  isStillAdmitted: (request) => isStillAdmitted(request, policy, hubPath),
  prepare({ url = '' }) {
    const asked = feed.ended ? stopping : readSubscription(url);
    if (isRefusal(asked)) return asked;
    return (ws, socket) => new SocketConnection(ws, socket, asked, feed).open(queryIn(url).has('id'));
  },
});

const codes = { goingAway: 1001, protocolError: 1002, policy: 1008 };

/** Far more than a client needs between two heartbeats; more counts as flooding. */
const framesPerBeat = 500;
const maxBufferedBytes = 64 * 1024;

/** Before the handshake a connection gets no messages, but heartbeats and shutdown work as usual. */
const matchNothing: MessageFilter = { types: new Set(['']), plans: new Set(), runIds: new Set() };

/** One WebSocket. It uses plain frames until a SignalR handshake, recognised by its address or first frame. */
export class SocketConnection {
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  readonly #subscription: Subscription;
  readonly #feed: MessageFeed;
  #protocol: 'plain' | 'handshake' | 'signalr' = 'plain';
  #leave: () => void = () => undefined;
  #framesHeard = 0;
  #silentBeats = 0;

  constructor(ws: WebSocket, socket: Socket, asked: Subscription, feed: MessageFeed) {
    this.#ws = ws;
    this.#socket = socket;
    this.#subscription = asked;
    this.#feed = feed;
  }

  open(negotiated: boolean): void {
    const ws = this.#ws;
    // A protocol error is answered with its close code; nothing may follow that.
    ws.on('error', () => this.#leave());
    ws.on('pong', () => this.#countFrame());
    ws.on(
      'ping',
      (payload) => this.#countFrame() && this.#socket.writableLength < maxBufferedBytes && ws.pong(payload),
    );
    ws.on('message', (frame, isBinary) => this.#countFrame() && this.#readFrame(frame, isBinary));
    if (negotiated) this.#protocol = 'handshake';
    this.#join();
  }

  #join(): void {
    const { filter, after } = this.#subscription;
    const signalr = this.#protocol === 'signalr';
    const shaking = this.#protocol === 'handshake';
    this.#leave();
    this.#leave = this.#feed.join(
      {
        protocol: this.#protocol === 'plain' ? 'socket' : 'signalr',
        filter: shaking ? matchNothing : filter,
        socket: this.#socket,
        beat: () => this.#beat(),
        end: () => this.#close(codes.goingAway, closeRecord()),
      },
      this.#protocol === 'plain' ? after : undefined,
      signalr,
    );
  }

  #countFrame(): boolean {
    this.#framesHeard += 1;
    this.#silentBeats = 0;
    if (this.#framesHeard > framesPerBeat) this.#close(codes.policy);
    return this.#framesHeard <= framesPerBeat;
  }

  #beat(): void {
    this.#framesHeard = 0;
    if (++this.#silentBeats > 2 || this.#protocol === 'handshake') return void this.#socket.resetAndDestroy();
    if (this.#protocol === 'signalr') this.#socket.write(signalrPing);
    this.#socket.write(pingFrame);
  }

  #readFrame(frame: RawData, isBinary: boolean): void {
    const records = isBinary ? undefined : recordsIn(String(frame));
    if (this.#protocol === 'plain') {
      if (this.#framesHeard > 1 || !records?.[0] || !isHandshake(records[0])) return;
      this.#protocol = 'handshake';
    }
    if (!records)
      return void this.#close(codes.protocolError, closeRecord('A frame must contain complete JSON records.'));
    for (const record of records) {
      if (this.#protocol === 'handshake') this.#shakeHands(record);
      else this.#answer(record);
    }
  }

  #shakeHands(record: Readonly<Record<string, unknown>>): void {
    const answer = answerHandshake(record);
    this.#socket.write(signalrRecord(answer));
    if (answer.error !== undefined) return void this.#close(codes.protocolError);
    this.#protocol = 'signalr';
    this.#join();
  }

  #answer(record: Readonly<Record<string, unknown>>): void {
    const answer = answerRecord(record);
    if (answer === 'close') this.#close(codes.goingAway);
    else if (answer && this.#socket.writableLength < maxBufferedBytes) this.#socket.write(signalrRecord(answer));
  }

  #close(code: number, farewell?: object): void {
    this.#leave();
    if (farewell && this.#protocol === 'signalr') this.#socket.write(signalrRecord(farewell));
    this.#ws.close(code);
  }
}
