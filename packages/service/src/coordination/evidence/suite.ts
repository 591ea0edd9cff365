import type { Binding } from '../plans/binding.ts';
import type { RunSummary } from '../runs/contract.ts';
import type { EvidenceState } from './contract.ts';
import type { Observation } from './decide.ts';
import type { EndedRun } from './node-evidence.ts';

type SuiteBinding = Extract<Binding, { kind: 'suite' }>;

const isSameName = (one: string | null, other: string): boolean => one?.toLowerCase() === other.toLowerCase();

/** Whether a run is one of the suite that proves a node. Branches are told apart by case, as git does. */
export function isRunOfSuite(suite: SuiteBinding, repository: string | null, run: RunSummary): boolean {
  if (suite.tag !== undefined && !isSameName(run.tag, suite.tag)) return false;
  if (suite.suite !== undefined && !isSameName(run.suite, suite.suite)) return false;
  if (suite.branch !== undefined && run.branch !== suite.branch) return false;
  const bySuiteAlone = suite.suite !== undefined && suite.tag === undefined;
  return !(bySuiteAlone && repository !== null) || isSameName(run.repositoryName, repository);
}

/**
 * The newest run that has ended decides; a live one only shows that it is being tried. Where the run that decided before is
 * no longer on the board, an older one does not replace it: ejecting a run must not change the evidence.
 */
export function observeSuite(
  suite: SuiteBinding,
  repository: string | null,
  runs: readonly RunSummary[],
  settledBy: EndedRun | null = null,
): Observation | undefined {
  const ejected = settledBy && !runs.some(({ runId }) => runId === settledBy.runId) ? settledBy : null;
  let ended: RunSummary | undefined;
  let live: RunSummary | undefined;
  for (const run of runs) {
    if (!isRunOfSuite(suite, repository, run)) continue;
    if (run.state === 'running') live = newest(live, run);
    else if (!ejected || (run.startedAt ?? '') > (ejected.startedAt ?? '')) ended = newest(ended, run);
  }
  // Right after a start an archive is still being counted; until then the last evidence stands.
  const verdict =
    ended && ended.green !== null
      ? { settled: stateOfRun(ended), settledBy: { runId: ended.runId, startedAt: ended.startedAt } }
      : undefined;
  if (live) return { state: 'running', detail: `run ${live.runId} is live`, runId: live.runId, ...verdict };
  if (!ended || !verdict) return undefined;
  const { settled } = verdict;
  return { state: settled, detail: describeRun(ended, settled), runId: ended.runId, settledBy: verdict.settledBy };
}

/** By start time; where equal or unknown, by the last event. */
function newest(one: RunSummary | undefined, other: RunSummary): RunSummary {
  if (one === undefined) return other;
  const [began, before] = [other.startedAt ?? '', one.startedAt ?? ''];
  const isNewer = began === before ? (other.lastEventAt ?? '') > (one.lastEventAt ?? '') : began > before;
  return isNewer ? other : one;
}

function stateOfRun(run: RunSummary): EvidenceState {
  if (run.state === 'orphaned') return 'orphaned';
  return run.green === true ? 'passed' : 'failed';
}

function describeRun(run: RunSummary, verdict: EvidenceState): string {
  if (verdict === 'passed') return `run ${run.runId} passed: ${run.passed + run.passedOnRetry} scenarios`;
  if (verdict === 'orphaned') return `run ${run.runId} lost its publisher`;
  const parts = [
    run.failed > 0 && `${run.failed} failed`,
    run.indeterminate > 0 && `${run.indeterminate} indeterminate`,
    run.lost > 0 && `${run.lost} lost`,
    run.exitCode !== 0 && `exit code ${run.exitCode ?? 'unknown'}`,
  ].filter((part) => part !== false);
  return `run ${run.runId} did not pass: ${parts.join(', ') || 'no verdict counted as a pass'}`;
}
