import type { Attempt, Run, Scenario } from './run.ts';

/**
 * The run as it is now, for someone who takes their time to read it. It costs next to nothing: what the run hears from
 * now on goes to copies of the scenarios it is about.
 */
export function keptRun(run: Run): Run {
  run.generation += 1;
  return {
    ...run,
    scenarios: new Map(run.scenarios),
    tally: { ...run.tally },
    lanes: new Map([...run.lanes].map(([number, lane]) => [number, { ...lane }])),
    recycles: [...run.recycles],
    workerFaults: [...run.workerFaults],
    stalls: [...run.stalls],
  };
}

/** Takes a copy's place in the run, so that what was kept stays as it is. */
export function renew(run: Run, kept: Scenario): Scenario {
  const attempts = kept.attempts.map((attempt) => ({ ...attempt, steps: attempt.steps.map((step) => ({ ...step })) }));
  const scenario = {
    ...kept,
    attempts,
    cursor: attempts[kept.attempts.indexOf(kept.cursor)] as Attempt,
    retries: kept.retries && new Map(kept.retries),
    generation: run.generation,
  };
  run.scenarios.set(kept.uid, scenario);
  // Whoever sorted the scenarios holds the ones before.
  run.naming += 1;
  return scenario;
}
