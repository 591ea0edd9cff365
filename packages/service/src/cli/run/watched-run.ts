import { detailsOf } from '../import/imported-run.ts';
import type { ReportedTest } from './reported-test.ts';

/** What the supervisor of a command tells the console: the run's own events, and the tests if nobody else does. */
export type SupervisedRun = {
  runId: string;
  suite: string;
  repository: string;
  branch: string | null;
  commit: string | null;
  dirty: boolean | null;
  tag: string | null;
  session: string | null;
  startedAt: string;
};

type RunEvent = { type: string; runId: string; [member: string]: unknown };

export const runStarted = (run: SupervisedRun): RunEvent => ({
  type: 'run_started',
  mode: 'supervised',
  totalScenarios: null,
  command: null,
  ...run,
});

const outcomes = { failed: 'Failed', skipped: 'Skipped', other: 'Aborted' } as const;

/** A report's tests as scenarios; names that repeat are told apart by number. */
export function scenariosOf(runId: string, tests: readonly ReportedTest[], at: string): RunEvent[] {
  const occurrences = new Map<string, number>();
  return tests.flatMap((test) => {
    const plain = `${test.feature}/${test.scenario}`;
    const times = (occurrences.get(plain) ?? 0) + 1;
    occurrences.set(plain, times);
    const more = times > 1 ? ` #${times}` : '';
    const uid = `${plain}${more}`;
    const passed = test.attempts > 1 ? 'PassOnRetry' : 'CleanPass';
    const outcome = test.state === 'passed' ? passed : outcomes[test.state];
    const { feature, scenario, attempts, durationMs, message: errorMessage, stackTrace, file, line } = test;
    return [
      {
        type: 'scenario_started',
        runId,
        uid,
        feature,
        scenario: `${scenario}${more}`,
        attempt: attempts,
        at,
        file,
        line,
      },
      {
        type: 'scenario_finished',
        runId,
        uid,
        outcome,
        attempts,
        durationMs,
        errorMessage,
        stackTrace,
        file,
        line,
        at,
        ...detailsOf({ ...test, outcome }),
      },
    ];
  });
}

export type RunCounts = {
  passed: number;
  failed: number;
  passedOnRetry: number;
  skipped: number;
  scenarios: number;
  scenariosFinished: number;
  totalScenarios: number | null;
};

export const noCounts: RunCounts = {
  passed: 0,
  failed: 0,
  passedOnRetry: 0,
  skipped: 0,
  scenarios: 0,
  scenariosFinished: 0,
  totalScenarios: null,
};

/** 0 for green, 1 for failures, 2 when results are missing, which outranks failures. */
export function verdictOf(childCode: number | null, counts: RunCounts): 0 | 1 | 2 {
  const due = Math.max(counts.scenarios, counts.totalScenarios ?? 0);
  if (childCode === null || due > counts.scenariosFinished) return 2;
  if (counts.failed > 0) return 1;
  return childCode === 0 ? 0 : 1;
}

/** A publisher that ended with its process and could not say so. */
export const participantGone = (runId: string, participant: string, interrupted: string, at: string): RunEvent => ({
  type: 'participant_finished',
  runId,
  participant,
  exitCode: 2,
  interrupted,
  at,
});

export const runFinished = (
  runId: string,
  exitCode: number,
  counts: RunCounts,
  interrupted: string | null,
  finishedAt: string,
): RunEvent => {
  const { passed, failed, passedOnRetry, skipped } = counts;
  return {
    type: 'run_finished',
    runId,
    exitCode,
    passed,
    failed,
    passedOnRetry,
    skipped,
    indeterminate: 0,
    interrupted,
    finishedAt,
  };
};
