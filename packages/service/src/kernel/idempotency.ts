import type { EventLog, IdempotencyGuard } from './event-log.ts';
import { isObject } from './is-object.ts';
import { isRefusal, type Refusal, refuse } from './outcome.ts';

/** The same call gives the same text, whatever the order of its members. */
export function callText(command: string, input: unknown): string {
  if (isObject(input) && Object.values(input).every(isScalar)) return `${command} ${JSON.stringify(sorted(input))}`;
  return `${command} ${JSON.stringify(input, (_, value) => (isObject(value) ? sorted(value) : value))}`;
}

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

const sorted = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Calls under way by key: a second call with the same key waits for the first instead of running beside it. */
export type CallsInProgress = Map<string, { fingerprint: string; answer: Promise<unknown> }>;

type GuardedCall = {
  log: EventLog;
  inProgress: CallsInProgress;
  run: (log: EventLog) => Promise<unknown>;
  commitsRepeatedly: boolean;
  replays: (answer: unknown) => boolean;
  recall: () => unknown;
  /** Whether a call with a lost answer may run again: what it wrote has ended, or repeating it does no harm. */
  mayRunAgain: boolean;
};

/**
 * Runs a call at most once per key. The first answer is kept with what it wrote, so it survives a restart; a call that
 * was refused left nothing to keep and runs again.
 */
export async function runOnce(guard: IdempotencyGuard, calls: GuardedCall): Promise<unknown> {
  const { inProgress } = calls;
  for (;;) {
    const running = inProgress.get(guard.key);
    if (!running) break;
    if (running.fingerprint !== guard.fingerprint) return refuseReusedKey(guard.key);
    await running.answer.catch(() => undefined);
  }
  const answer = replayOrRun(guard, calls);
  inProgress.set(guard.key, { fingerprint: guard.fingerprint, answer });
  try {
    return await answer;
  } finally {
    inProgress.delete(guard.key);
  }
}

async function replayOrRun(guard: IdempotencyGuard, calls: GuardedCall): Promise<unknown> {
  const looked = calls.log.rememberedAnswer(guard.key);
  const before = looked instanceof Promise ? await looked : looked;
  if (!before) return runFirst(guard, calls);
  if (before.fingerprint !== guard.fingerprint) return refuseReusedKey(guard.key);
  const answer = before.answer ?? (await calls.recall());
  if (answer === undefined && !calls.mayRunAgain) return refuseLostAnswer(guard.key);
  return answer !== undefined && calls.replays(answer) ? answer : runGuarded(guard, calls);
}

/** What was refused may have been so because of the same call, written through another host since the key was looked for. */
async function runFirst(guard: IdempotencyGuard, calls: GuardedCall): Promise<unknown> {
  const answer = await runGuarded(guard, calls);
  if (!isRefusal(answer)) return answer;
  const since = await calls.log.rememberedAnswer(guard.key);
  return since?.fingerprint === guard.fingerprint ? (since.answer ?? (await calls.recall()) ?? answer) : answer;
}

/** The commit of a keyed call carries its key, so no handler can forget to. */
async function runGuarded(
  guard: IdempotencyGuard,
  { log, run, commitsRepeatedly: commitsOften }: GuardedCall,
): Promise<unknown> {
  if (!commitsOften) return run({ ...log, commit: (decide) => log.commit(decide, guard) });
  const answer = await run(log);
  return isRefusal(answer) ? answer : log.commit(() => ({ append: [], answer: () => answer }), guard);
}

/** The events were written, so the call must not run again; the answer was lost with the process. */
const refuseLostAnswer = (key: string): Refusal =>
  refuse(
    'idempotency_conflict',
    `The first call with the key ${key} was written, but its answer was lost in a crash. Read the current state; use a new key for any other call.`,
  );

const refuseReusedKey = (key: string): Refusal =>
  refuse('idempotency_conflict', `The key ${key} was used for another call. Use a new key for each different call.`);
