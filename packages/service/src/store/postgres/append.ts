import { randomUUID } from 'node:crypto';
import type { IdempotencyGuard, IsPendingWrite } from '../../kernel/event-log.ts';
import { isRefusal } from '../../kernel/outcome.ts';
import { type StreamVersions, stampEvents } from '../folded-state.ts';
import type { UntypedDecision, WaitingCall } from '../group-commit.ts';
import type { StampedEvent } from '../ledger.ts';
import { storable } from '../storable.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { Query } from './database-connection.ts';
import type { LogPosition } from './log-position.ts';

/** `token` marks this write of the key, `seen` the one that the caller has read. */
export type KeyWrite = IdempotencyGuard & { token: string; seen: string | null };

/** The decision of one call, as the database checks and writes it. */
export type AppendRequest = {
  at: string;
  /** The versions of all streams that are written or were read. */
  expected: ReadonlyMap<string, number>;
  written: readonly StampedEvent[];
  key: KeyWrite | undefined;
};

export type AppendResult = { outcome: 'written' | 'replaced' | 'moved' | 'known' | 'early' | 'late'; first: number };

type AppendRow = { outcome: AppendResult['outcome']; first: string; clock: Date };

/** One statement for all requests, valid only for the history folded so far; each request is written completely or not at all. */
export async function append(
  query: Query,
  clock: DatabaseClock,
  { epoch, sequence, id }: LogPosition,
  writes: readonly AppendRequest[],
): Promise<readonly AppendResult[]> {
  const asked = clock.askedAt();
  const rows = await query<AppendRow>('SELECT outcome, first, clock FROM signalbox.append($1, $2, $3, $4)', [
    JSON.stringify(writes.map(asJson)),
    epoch,
    sequence,
    id,
  ]);
  for (const row of rows.slice(-1)) clock.setFrom(row.clock, asked);
  return rows.map(({ outcome, first }) => ({ outcome, first: Number(first) }));
}

const asJson = ({ at, expected, written, key }: AppendRequest) => ({
  at,
  expected: Object.fromEntries([...expected].map(([stream, version]) => [storable(stream), version])),
  key: key && { ...key, key: storable(key.key) },
  events: written.map(({ event: { stream, topic, type, by, version, id, provenance }, text }) => ({
    stream,
    topic,
    type,
    by,
    version,
    id,
    provenance,
    data: text,
  })),
});

export type QueuedCall = WaitingCall & {
  /** How often another writer was first. */
  tries: number;
  /** The streams of its last decision. The call waits for them without being decided again. */
  writes: readonly string[];
  reads: readonly string[];
};

export type PlannedWrite = { call: QueuedCall; write: AppendRequest; decision: UntypedDecision };

/** The result of deciding one turn's calls on the state folded so far. */
export type ChosenWrites = {
  writes: PlannedWrite[];
  /** Calls that are settled without writing; `settle` may throw. */
  answers: { call: QueuedCall; settle: () => void }[];
  /** Calls that write to a stream that an earlier call of this turn uses: they are decided again once that call is folded. */
  deferred: QueuedCall[];
};

export type DecisionState = { now: string; versions: StreamVersions; seen: (key: string) => string | null };

export function chooseWrites(calls: readonly QueuedCall[], state: DecisionState): ChosenWrites {
  const chosen: ChosenWrites = { writes: [], answers: [], deferred: [] };
  const written = new Set<string>();
  const read = new Set<string>();
  // Any number of calls may read a stream that none of them writes.
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
