import { isRefusal, type Refusal, refuse, refuseShape } from '../../kernel/outcome.ts';
import { isFound, type RunSearch } from '../../run-contract/run-search.ts';
import type { RunSummary } from './contract.ts';
import type { RunSource } from './ports.ts';

/**
 * The requested run: the named one, otherwise the only live one, otherwise the newest. A named run may be missing from
 * the last list; the owner of the runs decides.
 */
export async function pickRun(runs: RunSource, runId: string | undefined): Promise<string | Refusal> {
  if (runId !== undefined) return runId;
  const run = defaultRun((await runs.list()).runs);
  return isRefusal(run) ? run : run.runId;
}

function defaultRun(runs: readonly RunSummary[]): RunSummary | Refusal {
  const live = runs.filter(({ state }) => state === 'running');
  if (live.length > 1) {
    const ids = live.map((run) => `${run.runId} (${run.suite})`).join(', ');
    return refuseShape([{ path: 'runId', message: `several runs are live; choose one of ${ids}` }]);
  }
  const newest = runs.reduce<RunSummary | undefined>((a, b) => (a && arrivalOf(a) >= arrivalOf(b) ? a : b), undefined);
  return live[0] ?? newest ?? refuse('run_not_found', 'No runs yet. Start one with a publisher.');
}

/** When a run arrived, by the console's clock; for an old console that does not report it, its start. */
const arrivalOf = ({ receivedAt, startedAt }: RunSummary): string => receivedAt ?? startedAt ?? '';

export const unknownRun = (runId: string): Refusal =>
  refuse('run_not_found', `Unknown run ${runId}. list_runs lists the runs.`);

export type RunFilter = RunSearch & {
  tag?: string | undefined;
  suite?: string | undefined;
  repository?: string | undefined;
  state?: RunSummary['state'] | undefined;
};

export function matchesRun(run: RunSummary, { tag, suite, repository, state, ...found }: RunFilter): boolean {
  if (tag !== undefined && run.tag !== tag) return false;
  if (suite !== undefined && run.suite !== suite) return false;
  if (state !== undefined && run.state !== state) return false;
  if (!isFound(run, found)) return false;
  if (repository === undefined || run.repository === repository) return true;
  return run.repositoryName !== null && run.repositoryName.toLowerCase() === repository.toLowerCase();
}
