import { randomUUID } from 'node:crypto';
import type { Decide, Decision, IdempotencyGuard, IsPendingWrite } from '../../kernel/event-log.ts';
import { isRefusal } from '../../kernel/outcome.ts';
import { stampEvents } from '../stamp-events.ts';
import type { StreamVersions } from '../versions.ts';
import type { AppendRequest } from './append.ts';

export type QueuedCall = {
  decide: Decide<unknown>;
  guard: IdempotencyGuard | undefined;
  resolve: (answer: unknown) => void;
  reject: (fault: unknown) => void;
  /** How often another writer was first. */
  tries: number;
  /** The streams it touched when it was last decided; it waits for its turn on them without being decided again. */
  writes: readonly string[];
  reads: readonly string[];
};

export type PlannedWrite = { call: QueuedCall; write: AppendRequest; decision: Decision<unknown> };

/** The result of deciding one turn's calls on the state folded so far. */
export type ChosenWrites = {
  writes: PlannedWrite[];
  /** Answered without writing; `answer` may throw. */
  answers: { call: QueuedCall; answer: () => unknown }[];
  /** Collide on a stream with an earlier call of this turn: decided anew when that one is folded. */
  deferred: QueuedCall[];
};

export type DecisionState = { now: string; versions: StreamVersions; seen: (key: string) => string | null };

export function chooseWrites(calls: readonly QueuedCall[], state: DecisionState): ChosenWrites {
  const chosen: ChosenWrites = { writes: [], answers: [], deferred: [] };
  const written = new Set<string>();
  const read = new Set<string>();
  // Any number may read a stream that nobody writes.
  const collides = ({ writes, reads }: QueuedCall) =>
    writes.some((stream) => written.has(stream) || read.has(stream)) || reads.some((stream) => written.has(stream));
  for (const call of calls) {
    const next = collides(call) ? undefined : decideCall(call, state, (stream) => written.has(stream));
    if (next && 'answer' in next) chosen.answers.push(next);
    else if (!next || collides(call)) chosen.deferred.push(call);
    else {
      chosen.writes.push(next);
      for (const stream of call.writes) written.add(stream);
      for (const stream of call.reads) read.add(stream);
    }
  }
  return chosen;
}

function decideCall(
  call: QueuedCall,
  { now, versions, seen }: DecisionState,
  isTaken: IsPendingWrite,
): PlannedWrite | ChosenWrites['answers'][number] {
  try {
    const decision = call.decide(now, isTaken);
    if (isRefusal(decision)) return { call, answer: () => decision };
    const { append, reads = [], remember = true } = decision;
    const written = stampEvents(append, now, versions, 0);
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
