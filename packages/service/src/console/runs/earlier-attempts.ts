import { current } from './fold-attempts.ts';
import type { Attempt, Scenario } from './run.ts';

/** An attempt before the last; `known` holds its events, if any were received. */
export type EarlierAttempt = { attempt: number; known: Attempt | undefined };

/** A publisher may report any number, so the list of attempts without events is bounded. */
const unrecordedAtMost = 100;

/** All attempts before the last, including those without events: their number is known from the last one. */
export function earlierAttempts(scenario: Scenario): EarlierAttempt[] {
  const recorded = scenario.attempts.slice(0, -1);
  const count = attemptsOf(scenario) - 1;
  if (count - recorded.length > unrecordedAtMost) return recorded.map((known) => ({ attempt: known.number, known }));
  const byNumber = new Map(recorded.map((attempt) => [attempt.number, attempt]));
  return Array.from({ length: count }, (_, index) => ({ attempt: index + 1, known: byNumber.get(index + 1) }));
}

export function attemptsOf(scenario: Scenario): number {
  const last = current(scenario);
  return Math.max(last.attempts ?? 1, last.number);
}
