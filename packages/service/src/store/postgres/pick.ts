import { randomUUID } from 'node:crypto';
import type { Decide, Decision, Guard, IsTaken } from '../../kernel/event-log.ts';
import { isRefusal } from '../../kernel/outcome.ts';
import type { Versions } from '../versions.ts';
import { write } from '../written.ts';
import type { Write } from './append.ts';

export type Call = {
  decide: Decide<unknown>;
  guard: Guard | undefined;
  resolve: (answer: unknown) => void;
  reject: (fault: unknown) => void;
  /** How often another writer was first. */
  tries: number;
  /** The streams it touched when it was last decided; it waits for its turn on them without being decided again. */
  writes: readonly string[];
  reads: readonly string[];
};

export type ToWrite = { call: Call; write: Write; decision: Decision<unknown> };

/** What a turn's calls come to on what is folded now. */
export type Picked = {
  writes: ToWrite[];
  /** Answered without writing; `answer` may throw. */
  answers: { call: Call; answer: () => unknown }[];
  /** Collide on a stream with an earlier call of this turn: decided anew when that one is folded. */
  later: Call[];
};

export type Standing = { now: string; versions: Versions; seen: (key: string) => string | null };

export function pick(calls: readonly Call[], standing: Standing): Picked {
  const picked: Picked = { writes: [], answers: [], later: [] };
  const written = new Set<string>();
  const read = new Set<string>();
  // Any number may read a stream that nobody writes.
  const collides = ({ writes, reads }: Call) =>
    writes.some((stream) => written.has(stream) || read.has(stream)) || reads.some((stream) => written.has(stream));
  for (const call of calls) {
    const next = collides(call) ? undefined : decided(call, standing, (stream) => written.has(stream));
    if (next && 'answer' in next) picked.answers.push(next);
    else if (!next || collides(call)) picked.later.push(call);
    else {
      picked.writes.push(next);
      for (const stream of call.writes) written.add(stream);
      for (const stream of call.reads) read.add(stream);
    }
  }
  return picked;
}

function decided(call: Call, { now, versions, seen }: Standing, isTaken: IsTaken): ToWrite | Picked['answers'][number] {
  try {
    const decision = call.decide(now, isTaken);
    if (isRefusal(decision)) return { call, answer: () => decision };
    const { append, reads = [], remember = true } = decision;
    versions.check(append);
    const written = write(append, now, versions, 0);
    const keep = remember ? call.guard : undefined;
    if (written.length === 0 && !keep) return { call, answer: decision.answer };
    call.writes = append.map(({ stream }) => stream);
    call.reads = reads;
    const expected = new Map([...call.writes, ...reads].map((stream) => [stream, versions.of(stream)]));
    const key = keep && { ...keep, token: randomUUID(), seen: seen(keep.key) };
    return { call, decision, write: { at: now, expected, written, key } };
  } catch (fault) {
    const answer = () => {
      throw fault;
    };
    return { call, answer };
  }
}
