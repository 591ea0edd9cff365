import type { EventOf } from './events.ts';
import { outcomeOfWord } from './outcome-words.ts';
import { type Attempt, newAttempt, type Outcome, type Run, type Scenario } from './run.ts';
import { copyForWriting } from './run-snapshot.ts';

/** Any event about a scenario that is not known makes a shell of it; the uid splits at its first slash. */
export function scenarioOf(run: Run, uid: string): Scenario {
  // Events of one scenario mostly come one after the other.
  const known = run.latest?.uid === uid ? run.latest : run.scenarios.get(uid);
  if (known) {
    run.latest = known.generation === run.generation ? known : copyForWriting(run, known);
    return run.latest;
  }
  const slash = uid.indexOf('/');
  const first = newAttempt(1);
  const scenario: Scenario = {
    uid,
    feature: slash < 0 ? '' : internText(run, uid.slice(0, slash)),
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
    written: null,
    attachments: null,
    counted: null,
    generation: run.generation,
  };
  run.scenarios.set(uid, scenario);
  run.latest = scenario;
  run.namingVersion += 1;
  return scenario;
}

export function rename(run: Run, scenario: Scenario, feature: string, name: string): void {
  if (scenario.feature === feature && scenario.scenario === name) return;
  scenario.feature = internText(run, feature);
  scenario.scenario = name;
  run.namingVersion += 1;
}

const internedAtMost = 5000;

/** Returns one shared copy of equal texts, so that a thousand scenarios with the same step store it once. */
export function internText(run: Run, text: string): string {
  const known = run.internedTexts.get(text);
  if (known !== undefined) return known;
  if (run.internedTexts.size < internedAtMost) run.internedTexts.set(text, text);
  return text;
}

export const current = (scenario: Scenario): Attempt => scenario.attempts.at(-1) ?? scenario.cursor;

/**
 * A start with its time. Workers count from 1 in each process, so the attempt is the highest of what the worker says,
 * what was scheduled and what was reached. A start seen before is a repetition and goes back to its own attempt.
 */
export function startAttempt(
  scenario: Scenario,
  at: string | null,
  reportedNumber: number,
): { attempt: Attempt; repeated: boolean } {
  const known = at === null ? undefined : scenario.attempts.find((attempt) => hasBegun(attempt, at, reportedNumber));
  const due = scenario.pending ?? 0;
  const now = current(scenario);
  if (known && due <= now.number) return moveCursor(scenario, known, reportedNumber, true);

  scenario.pending = null;
  const number = Math.max(reportedNumber, due, now.number);
  const attempt = number > now.number ? addAttempt(scenario, number) : now;
  attempt.startedAt = at;
  if (at !== null) noteStart(attempt, at, reportedNumber);
  return moveCursor(scenario, attempt, reportedNumber, false);
}

const hasBegun = ({ begunAt, begunAs, begunAgain }: Attempt, at: string, reportedNumber: number): boolean =>
  (begunAt === at && begunAs === reportedNumber) || begunAgain?.includes(`${at} ${reportedNumber}`) === true;

function noteStart(attempt: Attempt, at: string, reportedNumber: number): void {
  if (attempt.begunAt === null) {
    attempt.begunAt = at;
    attempt.begunAs = reportedNumber;
  } else attempt.begunAgain = [...(attempt.begunAgain ?? []), `${at} ${reportedNumber}`];
}

function moveCursor(scenario: Scenario, attempt: Attempt, reportedNumber: number, repeated: boolean) {
  scenario.cursor = attempt;
  scenario.offset = attempt.number - reportedNumber;
  return { attempt, repeated };
}

/** An attempt without any event is dropped from the history. */
function addAttempt(scenario: Scenario, number: number): Attempt {
  const attempt = newAttempt(number);
  if (isUntouched(current(scenario))) scenario.attempts.pop();
  scenario.attempts.push(attempt);
  return attempt;
}

const isUntouched = (attempt: Attempt): boolean =>
  attempt.begunAt === null &&
  attempt.startedAt === null &&
  attempt.steps.length === 0 &&
  attempt.outcome === null &&
  attempt.reason === null &&
  attempt.disposition === null;

export function scheduleRetry(run: Run, event: EventOf<'retry_scheduled'>): void {
  const scenario = scenarioOf(run, event.uid);
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
  updateTally(run, scenario);
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
export function outcomeOf(reported: string | null, attempts: number): Outcome {
  // Ingest rejects words that nobody knows; archives of releases before 0.3 may have some.
  const outcome = outcomeOfWord(reported) ?? 'Failed';
  return outcome === 'CleanPass' && attempts > 1 ? 'PassOnRetry' : outcome;
}

/** Updates the run's tally with the outcome of the scenario's current attempt. */
export function updateTally(run: Run, scenario: Scenario): void {
  const { outcome } = current(scenario);
  if (scenario.counted === outcome) return;
  if (scenario.counted) run.tally[scenario.counted] -= 1;
  if (outcome) run.tally[outcome] += 1;
  scenario.counted = outcome;
}
