import type { Binding } from '../plans/binding.ts';
import type { RunSummary } from '../runs/contract.ts';
import type { EvidenceState } from './contract.ts';
import type { Observation } from './decide.ts';

type Suite = Extract<Binding, { kind: 'suite' }>;

const same = (one: string | null, other: string): boolean => one?.toLowerCase() === other.toLowerCase();

/** Whether a run is one of the suite that proves a node. Branches are told apart by case, as git does. */
export function matches(suite: Suite, repository: string | null, run: RunSummary): boolean {
  if (suite.tag !== undefined && !same(run.tag, suite.tag)) return false;
  if (suite.suite !== undefined && !same(run.suite, suite.suite)) return false;
  if (suite.branch !== undefined && run.branch !== suite.branch) return false;
  const bySuiteAlone = suite.suite !== undefined && suite.tag === undefined;
  return !(bySuiteAlone && repository !== null) || same(run.repositoryName, repository);
}

/** The newest run that has ended decides; a live one only shows that it is being tried. */
export function observeSuite(
  suite: Suite,
  repository: string | null,
  runs: Iterable<RunSummary>,
): Observation | undefined {
  let ended: RunSummary | undefined;
  let live: RunSummary | undefined;
  for (const run of runs) {
    if (!matches(suite, repository, run)) continue;
    if (run.state === 'running') live = newest(live, run);
    else ended = newest(ended, run);
  }
  const settled = ended && verdictOf(ended);
  if (live) {
    return { state: 'running', detail: `run ${live.runId} is live`, runId: live.runId, ...(settled && { settled }) };
  }
  if (!ended || !settled) return undefined;
  return { state: settled, detail: tell(ended, settled), runId: ended.runId };
}

const newest = (one: RunSummary | undefined, other: RunSummary): RunSummary =>
  one === undefined || (other.startedAt ?? '') > (one.startedAt ?? '') ? other : one;

function verdictOf(run: RunSummary): EvidenceState {
  if (run.state === 'orphaned') return 'orphaned';
  const verdicts = run.passed + run.passedOnRetry + run.failed;
  const clean = run.failed === 0 && run.indeterminate === 0 && run.lost === 0;
  return run.exitCode === 0 && verdicts > 0 && clean ? 'passed' : 'failed';
}

function tell(run: RunSummary, verdict: EvidenceState): string {
  if (verdict === 'passed') return `run ${run.runId} passed: ${run.passed + run.passedOnRetry} scenarios`;
  if (verdict === 'orphaned') return `run ${run.runId} lost its publisher`;
  const parts = [
    run.failed > 0 && `${run.failed} failed`,
    run.indeterminate > 0 && `${run.indeterminate} indeterminate`,
    run.lost > 0 && `${run.lost} lost`,
    run.passed + run.passedOnRetry + run.failed === 0 && 'no verdict at all',
    run.exitCode !== 0 && `exit code ${run.exitCode ?? 'unknown'}`,
  ];
  return `run ${run.runId} did not pass: ${parts.filter((part) => part !== false).join(', ')}`;
}
