import type { SharedTests } from '../../../run-contract/test-history.ts';
import type { TimeBudget } from '../ports.ts';
import type { HistorySuite, RunVerdicts } from './ports.ts';
import { isOutcome, runsSummarised, SuiteHistory, type TestRecord } from './suite-history.ts';

/** The test results that other hosts share. */
export type OtherHistories = { isAlone(): boolean; all(): readonly SharedTests[] };

/** A suite with more tests in a run is not shared. */
const testsAtMost = 5_000;
/** Limits in characters for the shared runs of one suite, and of one host. */
const charactersOfSuite = 4 * 1024 * 1024;
export const charactersOfHost = 16 * 1024 * 1024;
/** How many joined histories stay in memory. */
const joinedInMemory = 32;

export const keyOf = ({ repository, suite }: Pick<HistorySuite, 'repository' | 'suite'>): string =>
  JSON.stringify([repository, suite]);

export const charactersOf = (items: readonly SharedTests[]): number =>
  items.reduce((sum, { verdicts }) => sum + verdicts.length, 0);

/** The newest runs of a suite in the form that other hosts read; `before` has the shared forms of runs made earlier. */
export function sharedRunsOf(
  suite: HistorySuite,
  history: SuiteHistory,
  before: ReadonlyMap<string, SharedTests>,
): readonly SharedTests[] {
  const shared: SharedTests[] = [];
  let left = charactersOfSuite;
  for (const run of history.newest(runsSummarised)) {
    const item = before.get(run.runId) ?? sharedRunOf(suite, history, run);
    if (!item) return [tooLarge(suite)];
    left -= item.verdicts.length;
    if (left < 0 && shared.length > 0) break;
    shared.push(item);
  }
  return shared;
}

function sharedRunOf(suite: HistorySuite, history: SuiteHistory, run: RunVerdicts): SharedTests | null {
  const { runId, at, branch, commit } = run;
  const records = [...history.recordsOf(run)];
  if (records.length > testsAtMost) return null;
  return { runId, at, branch, commit, ...namesOf(suite), verdicts: records.map(lineOf).join('\n') };
}

/** Informs the other hosts that this suite is too large to be shared. */
export const tooLarge = (suite: HistorySuite): SharedTests => ({
  runId: keyOf(suite),
  at: suite.newestAt ?? '',
  branch: null,
  commit: null,
  ...namesOf(suite),
  verdicts: '',
  isTooLarge: true,
});

const namesOf = ({ repository, repositoryName, path, suite }: HistorySuite) => ({
  repository,
  repositoryName,
  path: path ?? null,
  suite,
});

const lineOf = ({ uid, outcome, durationMs, attempts, reason }: TestRecord): string =>
  JSON.stringify([outcome, durationMs, attempts, uid, ...(reason === null ? [] : [reason])]);

/** Skips lines that another version wrote in another form. */
function recordOf(line: string): TestRecord | null {
  if (!line.startsWith('[')) return null;
  const [outcome, durationMs, attempts, uid, reason = null]: unknown[] = JSON.parse(line);
  if (typeof uid !== 'string' || typeof attempts !== 'number' || !isOutcome(outcome)) return null;
  const ms = typeof durationMs === 'number' ? durationMs : null;
  return { uid, outcome, durationMs: ms, attempts, reason: typeof reason === 'string' ? reason : null };
}

function* recordsIn({ verdicts }: SharedTests): Iterable<TestRecord> {
  for (const line of verdicts.split('\n')) {
    const record = recordOf(line);
    if (record) yield record;
  }
}

/** Grouped by suite, in the same order on every host. */
export function bySuite(items: readonly SharedTests[]): [key: string, runs: readonly SharedTests[]][] {
  const groups = new Map<string, SharedTests[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** The name of a suite according to its newest run. */
export function newestNames(runs: readonly SharedTests[]): HistorySuite {
  const newestFirst = runs.toSorted((a, b) => (a.at === b.at ? (a.runId < b.runId ? 1 : -1) : a.at < b.at ? 1 : -1));
  const { repository = null, suite = null, path = null } = newestFirst[0] ?? {};
  const repositoryName = newestFirst.find((one) => one.repositoryName !== null)?.repositoryName ?? null;
  return { repository, suite, path, repositoryName };
}

/** The histories of suites over all hosts, made again only if their runs have changed. */
export class JoinedHistories {
  readonly #joined = new Map<string, { runs: readonly SharedTests[]; history: SuiteHistory }>();

  async of(key: string, runs: readonly SharedTests[], budget: TimeBudget): Promise<SuiteHistory> {
    const known = this.#joined.get(key);
    const isSame = known?.runs.length === runs.length && known.runs.every((run, index) => run === runs[index]);
    const history = known && isSame ? known.history : await joined(runs, budget);
    this.#joined.delete(key);
    this.#joined.set(key, { runs, history });
    for (const oldest of this.#joined.keys()) {
      if (this.#joined.size <= joinedInMemory) break;
      this.#joined.delete(oldest);
    }
    return history;
  }
}

/** If two hosts have the same run, the one that arrived last counts. */
async function joined(runs: readonly SharedTests[], budget: TimeBudget): Promise<SuiteHistory> {
  const history = new SuiteHistory();
  for (const run of runs.toSorted((a, b) => (a.at < b.at ? -1 : 1))) await history.write(run, recordsIn(run), budget);
  return history;
}
