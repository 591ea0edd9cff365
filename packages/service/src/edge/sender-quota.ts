import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { type Refusal, refuse } from '../kernel/outcome.ts';

/**
 * Limits per sender: concurrent requests and waits, open connections (streams and sockets), bytes of received bodies,
 * and bytes of unread answers. Connections are counted separately, so that a client that only listens does not use up
 * the requests of others.
 */
export type SenderLimits = { requests: number; lines: number; bytes: number; unreadBytes: number };

const mebibyte = 1024 * 1024;
const defaultLimits: SenderLimits = { requests: 2_000, lines: 2_000, bytes: 64 * mebibyte, unreadBytes: 64 * mebibyte };
/** Smaller bodies are always accepted. */
const smallBody = 64 * 1024;
/** The number of seconds after which a retry makes sense. */
const comeBackSeconds = 1;

type UnderWay = { requests: number; lines: number; largeBodies: Set<() => number>; answers: Set<Line> };
/** The connection on which a request is answered. */
type Line = Pick<Writable, 'once' | 'writableLength'>;
type Kind = 'requests' | 'lines';
const namesOf: Record<Kind, string> = { requests: 'requests and waits', lines: 'streams and sockets' };

/** The sender that a request counts for: its named token, otherwise its address. One token does not use up the limits of others. */
export type Sender = { name: string | null; address: string };
const describe = ({ name, address }: Sender) =>
  name === null ? { key: `at ${address}`, whose: 'your address' } : { key: name, whose: 'your token' };

/** Counts concurrent requests per sender on both ports, and refuses those beyond the limit. */
export class SenderQuota {
  readonly #limits: SenderLimits;
  readonly #underWay = new Map<string, UnderWay>();

  constructor(limits = defaultLimits) {
    this.#limits = limits;
  }

  /** Counts a call on a socket until the returned function is called. */
  enterCall(sender: Sender): (() => void) | Refusal {
    const now = this.#of(sender);
    return this.#tooMany(sender, now, 'requests') ?? this.#add(sender, now, 'requests');
  }

  #of(sender: Sender): UnderWay {
    return (
      this.#underWay.get(describe(sender).key) ?? { requests: 0, lines: 0, largeBodies: new Set(), answers: new Set() }
    );
  }

  #add(sender: Sender, now: UnderWay, kind: Kind): () => void {
    const { key } = describe(sender);
    now[kind] += 1;
    this.#underWay.set(key, now);
    return () => {
      now[kind] -= 1;
      if (now.requests === 0 && now.lines === 0) this.#underWay.delete(key);
    };
  }

  #tooMany(sender: Sender, now: UnderWay, kind: Kind): Refusal | undefined {
    if (now[kind] < this.#limits[kind]) return undefined;
    return tooMany(`${this.#limits[kind]} ${namesOf[kind]} from ${describe(sender).whose} are in progress`);
  }

  /** Counts a request until `line` is closed. A refused request is not counted. */
  enter(request: IncomingMessage, line: Line, sender: Sender, kind: Kind = 'requests'): Refusal | undefined {
    const now = this.#of(sender);
    const { bytes, unreadBytes } = this.#limits;
    const refusal = this.#tooMany(sender, now, kind);
    if (refusal) return refusal;
    let unread = 0;
    for (const answer of now.answers) unread += answer.writableLength;
    if (unread >= unreadBytes)
      return tooMany(`${unreadBytes >> 20} MiB of answers to ${describe(sender).whose} wait to be read`);
    const received = receivedBytes(request);
    if (received) {
      let total = 0;
      for (const count of now.largeBodies) total += count();
      if (total >= bytes) return tooMany(`${bytes >> 20} MiB from ${describe(sender).whose} are being read`);
      now.largeBodies.add(received);
    }
    const leave = this.#add(sender, now, kind);
    if (kind === 'requests') now.answers.add(line);
    line.once('close', () => {
      now.answers.delete(line);
      if (received) now.largeBodies.delete(received);
      leave();
    });
    return undefined;
  }
}

/** How much of a large body has arrived: a sender that declares much and sends little uses no memory. */
function receivedBytes({ headers, socket }: IncomingMessage): (() => number) | undefined {
  const chunked = headers['transfer-encoding'] !== undefined;
  const declared = chunked ? Number.POSITIVE_INFINITY : Number(headers['content-length'] ?? 0);
  if (!(declared > smallBody)) return undefined;
  const before = socket.bytesRead;
  return () => Math.min(declared, socket.bytesRead - before);
}

const tooMany = (what: string): Refusal =>
  refuse('too_many_requests', `${what}. Try again in ${comeBackSeconds} s, with fewer requests at a time.`, {
    retryAfterSeconds: comeBackSeconds,
  });
