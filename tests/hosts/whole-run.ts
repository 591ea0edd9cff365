const at = '2026-01-01T09:00:01.000Z';

/** The events of a complete run with one scenario. */
export const wholeRun = (runId: string, uid: string, outcome: string, more: object = {}) => [
  { type: 'run_started', runId, suite: 'unit', repository: '/src', mode: 'in-process', startedAt: at, ...more },
  { type: 'scenario_started', runId, uid, feature: 'Cart', scenario: uid, attempt: 1, at },
  { type: 'scenario_finished', runId, uid, outcome, attempts: 1, durationMs: 5, at },
  {
    type: 'run_finished',
    runId,
    passed: outcome === 'Failed' ? 0 : 1,
    failed: outcome === 'Failed' ? 1 : 0,
    passedOnRetry: 0,
    indeterminate: 0,
    exitCode: outcome === 'Failed' ? 1 : 0,
    finishedAt: at,
  },
];
