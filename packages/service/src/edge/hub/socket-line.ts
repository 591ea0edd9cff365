import type { Socket } from 'node:net';
import type { RawData, WebSocket } from 'ws';
import type { Feed } from './feed.ts';
import type { Filter } from './filter.ts';
import { pingFrame, signalrPing, signalrRecord } from './frames.ts';
import { answerHandshake, answerRecord, goodbye, isHandshake, recordsIn } from './signalr.ts';
import type { Subscription } from './subscription.ts';

const codes = { goingAway: 1001, protocolError: 1002, policy: 1008 };

/** Far more than a client has to say between two beats; who says more is flooding. */
const framesPerBeat = 500;
const fullLine = 64 * 1024;

/** Until it has shaken hands a line is given nothing, but it beats and ends like the others. */
const nothing: Filter = { types: new Set(['']), plans: new Set(), runIds: new Set() };

/** One WebSocket. It speaks plainly until it shakes hands as SignalR, by its address or by its first frame. */
export class SocketLine {
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  readonly #asked: Subscription;
  readonly #feed: Feed;
  #speech: 'plain' | 'handshake' | 'signalr' = 'plain';
  #leave: () => void = () => undefined;
  #heard = 0;
  #silentBeats = 0;

  constructor(ws: WebSocket, socket: Socket, asked: Subscription, feed: Feed) {
    this.#ws = ws;
    this.#socket = socket;
    this.#asked = asked;
    this.#feed = feed;
  }

  open(negotiated: boolean): void {
    const ws = this.#ws;
    // What breaks the protocol is answered by its close code; nothing may follow that.
    ws.on('error', () => this.#leave());
    ws.on('pong', () => this.#hear());
    ws.on('ping', (payload) => this.#hear() && this.#socket.writableLength < fullLine && ws.pong(payload));
    ws.on('message', (frame, isBinary) => this.#hear() && this.#take(frame, isBinary));
    if (negotiated) this.#speech = 'handshake';
    this.#join();
  }

  #join(): void {
    const { filter, after } = this.#asked;
    const signalr = this.#speech === 'signalr';
    const shaking = this.#speech === 'handshake';
    this.#leave();
    this.#leave = this.#feed.join(
      {
        speech: this.#speech === 'plain' ? 'socket' : 'signalr',
        filter: shaking ? nothing : filter,
        socket: this.#socket,
        beat: () => this.#beat(),
        end: () => this.#close(codes.goingAway, goodbye()),
      },
      this.#speech === 'plain' ? after : undefined,
      signalr,
    );
  }

  #hear(): boolean {
    this.#heard += 1;
    this.#silentBeats = 0;
    if (this.#heard > framesPerBeat) this.#close(codes.policy);
    return this.#heard <= framesPerBeat;
  }

  #beat(): void {
    this.#heard = 0;
    if (++this.#silentBeats > 2 || this.#speech === 'handshake') return void this.#socket.resetAndDestroy();
    if (this.#speech === 'signalr') this.#socket.write(signalrPing);
    this.#socket.write(pingFrame);
  }

  #take(frame: RawData, isBinary: boolean): void {
    const records = isBinary ? undefined : recordsIn(String(frame));
    if (this.#speech === 'plain') {
      if (this.#heard > 1 || !records?.[0] || !isHandshake(records[0])) return;
      this.#speech = 'handshake';
    }
    if (!records) return void this.#close(codes.protocolError, goodbye('A frame holds whole JSON records.'));
    for (const record of records) {
      if (this.#speech === 'handshake') this.#shakeHands(record);
      else this.#answer(record);
    }
  }

  #shakeHands(record: Readonly<Record<string, unknown>>): void {
    const answer = answerHandshake(record);
    this.#socket.write(signalrRecord(answer));
    if (answer.error !== undefined) return void this.#close(codes.protocolError);
    this.#speech = 'signalr';
    this.#join();
  }

  #answer(record: Readonly<Record<string, unknown>>): void {
    const answer = answerRecord(record);
    if (answer === 'close') this.#close(codes.goingAway);
    else if (answer && this.#socket.writableLength < fullLine) this.#socket.write(signalrRecord(answer));
  }

  #close(code: number, farewell?: object): void {
    this.#leave();
    if (farewell && this.#speech === 'signalr') this.#socket.write(signalrRecord(farewell));
    this.#ws.close(code);
  }
}
