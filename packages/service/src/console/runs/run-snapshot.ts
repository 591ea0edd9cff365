import type { Run, Scenario } from './run.ts';

/**
 * A snapshot of the run for slow readers. It is cheap because of copy-on-write: later events change copies of the
 * scenarios they belong to.
 */
export function runSnapshot(run: Run): Run {
  run.generation += 1;
  return {
    ...run,
    scenarios: new Map(run.scenarios),
    tally: { ...run.tally },
    participants: new Map([...run.participants].map(([name, one]) => [name, { ...one }])),
    lanes: new Map([...run.lanes].map(([number, lane]) => [number, { ...lane }])),
    recycles: [...run.recycles],
    workerFaults: [...run.workerFaults],
    stalls: [...run.stalls],
  };
}

/** Replaces a scenario in the run by a copy, so that snapshots keep the old one unchanged. */
export function copyForWriting(run: Run, shared: Scenario): Scenario {
  let { cursor } = shared;
  const attempts = shared.attempts.map((attempt) => {
    const copy = { ...attempt, steps: attempt.steps.map((step) => ({ ...step })) };
    if (attempt === shared.cursor) cursor = copy;
    return copy;
  });
  const scenario = {
    ...shared,
    attempts,
    cursor,
    retries: shared.retries && new Map(shared.retries),
    generation: run.generation,
  };
  run.scenarios.set(shared.uid, scenario);
  // A cached order still holds the old scenario.
  run.namingVersion += 1;
  return scenario;
}
