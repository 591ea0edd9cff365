import type { RunSummary } from '../runs/contract.ts';

/** A run on an unreachable host: if it was live, its end is unknown. */
export function runWithoutHost(run: RunSummary): RunSummary {
  if (run.state !== 'running') return run;
  const expected = Math.max(run.scenarios, run.totalScenarios ?? 0);
  const lost = Math.max(0, expected - run.scenariosFinished - run.indeterminate);
  return { ...run, state: 'orphaned', orphaned: true, green: false, running: 0, lost };
}
