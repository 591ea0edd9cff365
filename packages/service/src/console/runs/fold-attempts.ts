import type { EventOf } from './events.ts';
import { renew } from './kept-run.ts';
import { type Attempt, newAttempt, type Outcome, outcomes, type Run, type Scenario } from './run.ts';

/** Any event about a scenario that is not known makes a shell of it; the uid splits at its first slash. */
export function scenarioOf(run: Run, uid: string): Scenario {
  // Events of one scenario mostly come one after the other.
  const known = run.latest?.uid === uid ? run.latest : run.scenarios.get(uid);
  if (known) {
    run.latest = known.generation === run.generation ? known : renew(run, known);
    return run.latest;
  }
  const slash = uid.indexOf('/');
  const first = newAttempt(1);
  const scenario: Scenario = {
    uid,
    feature: slash < 0 ? '' : once(run, uid.slice(0, slash)),
    scenario: uid.slice(slash + 1),
    native: false,
    attempts: [first],
    cursor: first,
    offset: 0,
    pending: null,
    retries: null,
    totalSteps: null,
    declaredSteps: null,
    plannedSteps: null,
    touchedTypes: null,
    reports: null,
    counted: null,
    generation: run.generation,
  };
  run.scenarios.set(uid, scenario);
  run.latest = scenario;
  run.naming += 1;
  return scenario;
}

export function rename(run: Run, scenario: Scenario, feature: string, name: string): void {
  if (scenario.feature === feature && scenario.scenario === name) return;
  scenario.feature = once(run, feature);
  scenario.scenario = name;
  run.naming += 1;
}

const wordsAtMost = 5000;

/** The same text as one kept before, so that a thousand scenarios with the same step hold it once. */
export function once(run: Run, text: string): string {
  const known = run.words.get(text);
  if (known !== undefined) return known;
  if (run.words.size < wordsAtMost) run.words.set(text, text);
  return text;
}

export const current = (scenario: Scenario): Attempt => scenario.attempts[scenario.attempts.length - 1] as Attempt;

/**
 * A start with its time. Workers count from 1 in each process, so the attempt is the highest of what the worker says,
 * what was scheduled and what was reached. A start seen before is a repetition and goes back to its own attempt.
 */
export function begin(scenario: Scenario, at: string | null, said: number): { attempt: Attempt; repeated: boolean } {
  const known = at === null ? undefined : scenario.attempts.find((attempt) => hasBegun(attempt, at, said));
  const due = scenario.pending ?? 0;
  const now = current(scenario);
  if (known && due <= now.number) return enter(scenario, known, said, true);

  scenario.pending = null;
  const number = Math.max(said, due, now.number);
  const attempt = number > now.number ? open(scenario, number) : now;
  attempt.startedAt = at;
  if (at !== null) noteStart(attempt, at, said);
  return enter(scenario, attempt, said, false);
}

const hasBegun = ({ begunAt, begunAs, begunAgain }: Attempt, at: string, said: number): boolean =>
  (begunAt === at && begunAs === said) || begunAgain?.includes(`${at} ${said}`) === true;

function noteStart(attempt: Attempt, at: string, said: number): void {
  if (attempt.begunAt === null) {
    attempt.begunAt = at;
    attempt.begunAs = said;
  } else attempt.begunAgain = [...(attempt.begunAgain ?? []), `${at} ${said}`];
}

function enter(scenario: Scenario, attempt: Attempt, said: number, repeated: boolean) {
  scenario.cursor = attempt;
  scenario.offset = attempt.number - said;
  return { attempt, repeated };
}

/** An attempt of which nothing was ever heard leaves no trace in the history. */
function open(scenario: Scenario, number: number): Attempt {
  const attempt = newAttempt(number);
  if (isBare(current(scenario))) scenario.attempts.pop();
  scenario.attempts.push(attempt);
  return attempt;
}

const isBare = (attempt: Attempt): boolean =>
  attempt.begunAt === null &&
  attempt.startedAt === null &&
  attempt.steps.length === 0 &&
  attempt.outcome === null &&
  attempt.reason === null &&
  attempt.disposition === null;

export function scheduleRetry(run: Run, event: EventOf<'retry_scheduled'>): void {
  const scenario = scenarioOf(run, event.uid as string);
  const next = event.nextAttempt ?? current(scenario).number + 1;
  scenario.retries ??= new Map();
  if (scenario.retries.has(next)) {
    undoMistakenStart(run, scenario, next);
    return;
  }
  scenario.retries.set(next, event.reason ?? '');
  const ended = scenario.attempts.findLast((attempt) => attempt.number < next) ?? current(scenario);
  ended.disposition = event.disposition ?? null;
  ended.reason = event.reason ?? null;
  if (next > current(scenario).number) scenario.pending = next;
}

/**
 * The same retry again: whatever came before it again was a repetition too. Where the attempt it led to began with a
 * start that belongs to the attempt before, that start was mistaken for a new one.
 */
function undoMistakenStart(run: Run, scenario: Scenario, next: number): void {
  const last = current(scenario);
  const before = scenario.attempts.at(-2);
  if (last.number !== next || !before || last.begunAt === null || last.begunAgain !== null) return;
  if (!hasBegun(before, last.begunAt, last.begunAs)) return;
  scenario.attempts.pop();
  scenario.cursor = before;
  scenario.pending = next;
  settle(run, scenario);
}

/** True for a verdict that an earlier attempt already has, sent again. */
export function isStale(scenario: Scenario, at: string | null, durationMs: number | null): boolean {
  const { cursor } = scenario;
  if (at === null || cursor.startedAt === null || at >= cursor.startedAt) return false;
  return scenario.attempts.some(
    (attempt) => attempt !== cursor && attempt.finishedAt === at && attempt.durationMs === durationMs,
  );
}

/** A pass after the first attempt is a pass on retry, whatever process it ran in. */
export function verdict(word: string | null, attempts: number): Outcome {
  const outcome = outcomes.find((known) => known.toLowerCase() === word?.toLowerCase()) ?? 'Failed';
  return outcome === 'CleanPass' && attempts > 1 ? 'PassOnRetry' : outcome;
}

/** Keeps the run's tally in step with what the scenario's current attempt came to. */
export function settle(run: Run, scenario: Scenario): void {
  const { outcome } = current(scenario);
  if (scenario.counted === outcome) return;
  if (scenario.counted) run.tally[scenario.counted] -= 1;
  if (outcome) run.tally[outcome] += 1;
  scenario.counted = outcome;
}
