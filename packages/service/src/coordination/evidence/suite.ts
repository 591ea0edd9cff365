import { type Binding, isBySuiteAlone } from '../plans/binding.ts';
import type { RunSummary } from '../runs/contract.ts';
import type { EvidenceState } from './contract.ts';
import type { Observation } from './decide.ts';
import type { EndedRun } from './events.ts';

type SuiteBinding = Extract<Binding, { kind: 'suite' }>;

const isSameName = (one: string | null, other: string): boolean => one?.toLowerCase() === other.toLowerCase();

/** Which runs prove at all: every trusted one, or those of named tokens alone. */
export type SuiteProof = 'local' | 'named';

/** Whether a run is one of the suite that proves a node. Branch names are case-sensitive, as in git. */
export function isRunOfSuite(
  suite: SuiteBinding,
  repository: string | null,
  run: RunSummary,
  proof: SuiteProof = 'local',
): boolean {
  // A run published without a token, where one is required, neither proves nor fails anything. Older consoles do not report trust.
  const trust = run.trust ?? 'local';
  if (trust === 'open' || (proof === 'named' && trust !== 'named')) return false;
  if (suite.publisher !== undefined && !isSameName(run.publisher ?? null, suite.publisher)) return false;
  if (suite.tag !== undefined && !isSameName(run.tag, suite.tag)) return false;
  if (suite.suite !== undefined && !isSameName(run.suite, suite.suite)) return false;
  if (suite.branch !== undefined && run.branch !== suite.branch) return false;
  return !(isBySuiteAlone(suite) && repository !== null) || isSameName(run.repositoryName, repository);
}

export type SuiteQuestion = {
  suite: SuiteBinding;
  repository: string | null;
  /** The run that the evidence comes from. */
  settledBy?: EndedRun | null;
  /** Runs whose proof was withdrawn. */
  withdrawn?: readonly string[];
  proof?: SuiteProof;
};

/**
 * The ended run that arrived last decides; a live run or one with missing verdicts only changes the state to
 * `running` or `incomplete`. If the run that decided before has left the board, an older run does not replace it.
 */
export function observeSuite(
  { suite, repository, settledBy = null, withdrawn = [], proof = 'local' }: SuiteQuestion,
  runs: readonly RunSummary[],
  isOnBoard: (runId: string) => boolean = (runId) => runs.some((run) => run.runId === runId),
): Observation | undefined {
  const gone = settledBy !== null && !isOnBoard(settledBy.runId) ? settledBy : null;
  let ended: RunSummary | undefined;
  let incomplete: RunSummary | undefined;
  let live: RunSummary | undefined;
  for (const run of runs) {
    if (withdrawn.includes(run.runId) || !isRunOfSuite(suite, repository, run, proof)) continue;
    if (run.state === 'running') live = newest(live, run);
    else if (gone && arrivalOf(run) <= arrivalOf(gone)) continue;
    else if (isIncomplete(run)) incomplete = newest(incomplete, run);
    else if (run.green !== null) ended = newest(ended, run);
  }
  const verdict = ended && { settled: stateOfRun(ended), settledBy: endedRun(ended) };
  if (live) return { state: 'running', detail: `run ${live.runId} is live`, runId: live.runId, ...verdict };
  if (incomplete && (!ended || newest(ended, incomplete) === incomplete)) {
    return { state: 'incomplete', detail: describeIncomplete(incomplete), runId: incomplete.runId, ...verdict };
  }
  if (!ended || !verdict) return undefined;
  const { settled, settledBy: run } = verdict;
  return { state: settled, detail: describeRun(ended, settled), runId: ended.runId, settledBy: run };
}

/** It reports success, but fewer verdicts arrived than were due. */
const isIncomplete = ({ state, green, counted }: RunSummary): boolean =>
  state === 'finished' && green === null && counted !== false;

function describeIncomplete(run: RunSummary): string {
  const due = run.scenariosFinished + run.lost;
  return `${run.scenariosFinished} of ${due} verdicts arrived from ${run.suite}${whereOf(run)}${byOf(run)}`;
}

const endedRun = ({ runId, startedAt, receivedAt }: RunSummary): EndedRun => ({ runId, startedAt, receivedAt });

/**
 * When a run arrived, by the console's clock, never by a publisher's; if a console is too old to report it, its start.
 */
const arrivalOf = (run: { receivedAt?: string | null; startedAt: string | null }): string =>
  run.receivedAt ?? run.startedAt ?? '';

/** Compares by arrival, then by the last event, then by id, so that the order of the list does not matter. */
function newest(one: RunSummary | undefined, other: RunSummary): RunSummary {
  if (one === undefined) return other;
  const keys = (run: RunSummary) => [arrivalOf(run), run.lastEventAt ?? '', run.runId] as const;
  const [a, b] = [keys(one), keys(other)];
  const differs = a.findIndex((key, index) => key !== b[index]);
  return differs >= 0 && (b[differs] ?? '') > (a[differs] ?? '') ? other : one;
}

function stateOfRun(run: RunSummary): EvidenceState {
  if (run.state === 'orphaned') return 'orphaned';
  return run.green === true ? 'passed' : 'failed';
}

/** "unit passed on main at 3f2c1ab, 412 scenarios, published by ci". */
function describeRun(run: RunSummary, verdict: EvidenceState): string {
  const where = whereOf(run);
  const by = byOf(run);
  const scenarios = counted(run.passed + run.passedOnRetry, 'scenario');
  const figures = run.counted === 'figures' ? ' according to its publisher' : '';
  if (verdict === 'passed') return `${run.suite} passed${where}, ${scenarios}${figures}${by}`;
  if (verdict === 'orphaned') return `${run.suite} lost its publisher${where}${by}`;
  const parts = [
    run.failed > 0 && `${run.failed} failed`,
    run.indeterminate > 0 && `${run.indeterminate} indeterminate`,
    run.lost > 0 && `${run.lost} lost`,
    run.exitCode !== 0 && `exit code ${run.exitCode ?? 'unknown'}`,
  ].filter((part) => part !== false);
  return `${run.suite} did not pass${where}: ${parts.join(', ') || 'no verdict counted as a pass'}${by}`;
}

function whereOf({ branch, commit, dirty }: RunSummary): string {
  const at = commit ? ` at ${commit.slice(0, 7)}${dirty ? ' with uncommitted changes' : ''}` : '';
  return `${branch ? ` on ${branch}` : ''}${at}`;
}

const byOf = ({ publisher }: RunSummary): string => (publisher ? `, published by ${publisher}` : '');

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
