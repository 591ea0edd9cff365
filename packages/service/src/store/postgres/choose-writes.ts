import { randomUUID } from 'node:crypto';
import type { IsPendingWrite } from '../../kernel/event-log.ts';
import { isRefusal } from '../../kernel/outcome.ts';
import { stampEvents } from '../stamp-events.ts';
import type { StreamVersions } from '../versions.ts';
import type { UntypedDecision, WaitingCall } from '../waiting-call.ts';
import type { AppendRequest } from './append.ts';

export type QueuedCall = WaitingCall & {
  /** How often another writer was first. */
  tries: number;
  /** The streams it touched when it was last decided; it waits for its turn on them without being decided again. */
  writes: readonly string[];
  reads: readonly string[];
};

export type PlannedWrite = { call: QueuedCall; write: AppendRequest; decision: UntypedDecision };

/** The result of deciding one turn's calls on the state folded so far. */
export type ChosenWrites = {
  writes: PlannedWrite[];
  /** Settled without writing; `settle` may throw. */
  answers: { call: QueuedCall; settle: () => void }[];
  /** Collide on a stream with an earlier call of this turn: decided again once that one is folded. */
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
    if (next && 'settle' in next) chosen.answers.push(next);
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
    if (isRefusal(decision)) return { call, settle: () => call.refuse(decision) };
    const { append, reads = [], remember = true } = decision;
    const written = stampEvents(append, now, versions, 0);
    const keep = remember ? call.guard : undefined;
    if (written.length === 0 && !keep) return { call, settle: () => decision.answer().give() };
    call.writes = append.map(({ stream }) => stream);
    call.reads = reads;
    const expected = new Map([...call.writes, ...reads].map((stream) => [stream, versions.of(stream)]));
    const key = keep && { ...keep, token: randomUUID(), seen: seen(keep.key) };
    return { call, decision, write: { at: now, expected, written, key } };
  } catch (fault) {
    return { call, settle: () => call.reject(fault) };
  }
}
