import type { RunEvent } from '../import/scenario-events.ts';
import type { RunOrigin } from './run-origin.ts';

/** The facts in the first event of a supervised run. */
export type SupervisedRun = RunOrigin & {
  runId: string;
  tag: string | null;
  session: string | null;
  startedAt: string;
};

export const runStarted = (run: SupervisedRun): RunEvent => ({
  type: 'run_started',
  mode: 'supervised',
  totalScenarios: null,
  command: null,
  ...run,
});

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

/** 0 for green, 1 for failures, 2 for missing results, even if there are failures. */
export function verdictOf(childCode: number | null, counts: RunCounts): 0 | 1 | 2 {
  const due = Math.max(counts.scenarios, counts.totalScenarios ?? 0);
  if (childCode === null || due > counts.scenariosFinished) return 2;
  if (counts.failed > 0) return 1;
  return childCode === 0 ? 0 : 1;
}

/** This command's part of a shared run. */
export const participantStarted = (runId: string, participant: string, due: number, at: string): RunEvent => ({
  type: 'participant_started',
  runId,
  participant,
  due,
  totalScenarios: null,
  processId: process.pid,
  at,
});

/** A publisher whose process ended before it could report its end. */
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
