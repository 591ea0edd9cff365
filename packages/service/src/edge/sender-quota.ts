import type { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { type Refusal, refuse } from '../kernel/outcome.ts';

/** Limits per client address: concurrent requests, including waits and streams, and bytes of received bodies. */
export type SenderLimits = { requests: number; bytes: number };

const defaultLimits: SenderLimits = { requests: 2_000, bytes: 64 * 1024 * 1024 };
/** Smaller bodies are always accepted. */
const smallBody = 64 * 1024;
/** Seconds until it makes sense to ask again. */
const comeBackSeconds = 1;

type UnderWay = { requests: number; largeBodies: Set<() => number> };

/** Counts concurrent requests per address on both ports, and refuses those beyond the limit. */
export class SenderQuota {
  readonly #limits: SenderLimits;
  readonly #underWay = new Map<string, UnderWay>();

  constructor(limits = defaultLimits) {
    this.#limits = limits;
  }

  /** Counts a call on a socket until the returned function is called. */
  enterCall(address: string): (() => void) | Refusal {
    const now = this.#underWay.get(address);
    // Its socket is open, so that the address is counted already.
    if (!now) return () => undefined;
    if (now.requests >= this.#limits.requests) return this.#tooManyRequests();
    now.requests += 1;
    return () => this.#leave(address, now);
  }

  #leave(address: string, now: UnderWay): void {
    now.requests -= 1;
    if (now.requests === 0) this.#underWay.delete(address);
  }

  #tooManyRequests(): Refusal {
    return tooMany(`${this.#limits.requests} requests, waits and streams from your address are in progress`);
  }

  /** Counts a request until `line` is closed. A refused one is not counted. */
  enter(request: IncomingMessage, line: Pick<EventEmitter, 'once'>): Refusal | undefined {
    const address = request.socket.remoteAddress ?? '';
    const now = this.#underWay.get(address) ?? { requests: 0, largeBodies: new Set() };
    const { requests, bytes } = this.#limits;
    if (now.requests >= requests) return this.#tooManyRequests();
    const received = receivedBytes(request);
    if (received) {
      let total = 0;
      for (const count of now.largeBodies) total += count();
      if (total >= bytes) return tooMany(`${bytes >> 20} MiB from your address are being read`);
      now.largeBodies.add(received);
    }
    now.requests += 1;
    this.#underWay.set(address, now);
    line.once('close', () => {
      if (received) now.largeBodies.delete(received);
      this.#leave(address, now);
    });
    return undefined;
  }
}

/** How much of a large body has arrived: who declares much and sends little takes no memory. */
function receivedBytes({ headers, socket }: IncomingMessage): (() => number) | undefined {
  const chunked = headers['transfer-encoding'] !== undefined;
  const declared = chunked ? Number.POSITIVE_INFINITY : Number(headers['content-length'] ?? 0);
  if (!(declared > smallBody)) return undefined;
  const before = socket.bytesRead;
  return () => Math.min(declared, socket.bytesRead - before);
}

const tooMany = (what: string): Refusal =>
  refuse('too_many_requests', `${what}. Try again in ${comeBackSeconds} s, with fewer at once.`, {
    retryAfterSeconds: comeBackSeconds,
  });
