import type { ScenarioView } from '../../live/wire.ts';

export type Attempt = Pick<
  ScenarioView,
  | 'attempt'
  | 'outcome'
  | 'durationMs'
  | 'errorMessage'
  | 'steps'
  | 'errors'
  | 'skipReason'
  | 'stdout'
  | 'stderr'
  | 'stdoutMs'
  | 'stderrMs'
> & { reason: string | null; disposition: string | null };

/** Every attempt of a scenario, the last one last. */
export function attemptsOf(scenario: ScenarioView): Attempt[] {
  const { attempt, outcome, durationMs, errorMessage, steps, errors, skipReason } = scenario;
  const { stdout, stderr, stdoutMs, stderrMs } = scenario;
  const printed = { stdout, stderr, stdoutMs, stderrMs };
  const last = { attempt, outcome, durationMs, errorMessage, steps, errors, skipReason, ...printed };
  return [...scenario.attemptsHistory, { ...last, reason: null, disposition: null }];
}

const ways: Record<string, string> = {
  RetryInProcess: 'retried',
  RetryInFreshProcess: 'retried in a fresh worker',
  RetryAfterRecycle: 'retried after a recycle',
};

export const retriedHow = (attempts: readonly Attempt[]): string => ways[attempts.at(-2)?.disposition ?? ''] ?? '';
