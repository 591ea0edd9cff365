import { current } from './fold-attempts.ts';
import type { Attempt, Scenario } from './run.ts';

/** An attempt before the last; `known` is what was seen of it, if anything was. */
export type Earlier = { attempt: number; known: Attempt | undefined };

/** A publisher may claim any number; what nobody saw is not written out without end. */
const unseenAtMost = 100;

/** All attempts before the last, the unseen ones too: their number is known even where nothing else is. */
export function earlierAttempts(scenario: Scenario): Earlier[] {
  const seen = scenario.attempts.slice(0, -1);
  const count = attemptsOf(scenario) - 1;
  if (count - seen.length > unseenAtMost) return seen.map((known) => ({ attempt: known.number, known }));
  const byNumber = new Map(seen.map((attempt) => [attempt.number, attempt]));
  return Array.from({ length: count }, (_, index) => ({ attempt: index + 1, known: byNumber.get(index + 1) }));
}

export function attemptsOf(scenario: Scenario): number {
  const last = current(scenario);
  return Math.max(last.attempts ?? 1, last.number);
}
