/** A finished run with two steps per scenario; every tenth failed. */
export function* longRun(scenarios: number, runId = 'long'): Iterable<object> {
  const at = '2026-11-15T10:00:00.000Z';
  yield {
    type: 'run_started',
    runId,
    suite: 'Long',
    repository: '/src/long',
    mode: 'in-process',
    startedAt: at,
    totalScenarios: scenarios,
  };
  for (let number = 0; number < scenarios; number += 1) {
    const feature = `Feature ${number % 500}`;
    const scenario = `scenario number ${number} does what it says`;
    const uid = `${feature}/${scenario}`;
    const failed = number % 10 === 0;
    yield { type: 'scenario_started', runId, uid, feature, scenario, attempt: 1, at, totalSteps: 2 };
    for (const stepNumber of [1, 2]) {
      const step = { runId, uid, stepId: `step${stepNumber}`, attempt: 1, stepNumber };
      yield { type: 'step_started', ...step, kind: 'When', text: `the customer does thing ${stepNumber}` };
      yield { type: 'step_finished', ...step, status: failed && stepNumber === 2 ? 'failed' : 'ok', durationMs: 5 };
    }
    const errorMessage = failed ? `expected <1> & got "${number}"\n  at Thing.do (/src/thing.ts:${number}:1)` : null;
    yield {
      type: 'scenario_finished',
      runId,
      uid,
      outcome: failed ? 'Failed' : 'CleanPass',
      attempts: 1,
      durationMs: 11,
      errorMessage,
      at,
    };
  }
  yield {
    type: 'run_finished',
    runId,
    exitCode: 1,
    passed: scenarios * 0.9,
    failed: scenarios / 10,
    passedOnRetry: 0,
    indeterminate: 0,
    finishedAt: at,
  };
}
