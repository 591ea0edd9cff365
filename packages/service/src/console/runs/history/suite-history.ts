import type { TestSummary, TestVerdict } from '../../../run-contract/test-history.ts';
import { isFlaky, ratesOf } from '../../../run-contract/test-rates.ts';
import { median } from '../expected-duration.ts';
import { current } from '../fold-scenarios.ts';
import type { TimeBudget } from '../ports.ts';
import type { Outcome, Run } from '../run.ts';
import { retryReasonsOf } from '../run-views.ts';
import type { RunVerdicts, TestNames } from './ports.ts';

/** A verdict as it is stored. */
export type TestRecord = {
  uid: string;
  outcome: Outcome | null;
  durationMs: number | null;
  attempts: number;
  reason: string | null;
};

export type RunFacts = Pick<RunVerdicts, 'runId' | 'at' | 'branch' | 'commit'>;

const outcomeCodes: readonly (Outcome | null)[] = ['CleanPass', 'PassOnRetry', 'Failed', 'Aborted', 'Skipped', null];
/** Whether this version knows an outcome of another host. */
export const isOutcome = (word: unknown): word is Outcome | null => outcomeCodes.some((one) => one === word);
const skipped = outcomeCodes.indexOf('Skipped');
const membersPerTest = 3;
/** How many of the newest runs are summarised. */
export const runsSummarised = 50;
const runsForDuration = 10;
const recentShown = 20;
const reasonsShown = 5;
const passesThatMend = 3;

/** The test history of one suite. Every name is stored once. */
export class SuiteHistory {
  readonly #names: string[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #runs = new Map<string, RunVerdicts>();
  /** Changes with every run. */
  version = 0;

  get runs(): readonly RunVerdicts[] {
    return [...this.#runs.values()];
  }

  get size(): number {
    return this.#runs.size;
  }

  /** Newest first. If a run was recorded twice, the last record counts. */
  newest(count: number, except?: string): RunVerdicts[] {
    const runs = this.runs.filter(({ runId }) => runId !== except);
    return runs.sort((a, b) => (a.at === b.at ? (a.runId < b.runId ? 1 : -1) : a.at < b.at ? 1 : -1)).slice(0, count);
  }

  /** Adds stored names and runs. */
  load(names: TestNames, runs: readonly RunVerdicts[]): void {
    for (const [index, name] of names) {
      this.#names[index] = name;
      this.#indexes.set(name, index);
    }
    for (const run of runs) this.#add(run);
  }

  /** Adds a run; returns it in its stored form, with the names of tests that are new. */
  async write(facts: RunFacts, tests: Iterable<TestRecord>, budget: TimeBudget): Promise<[RunVerdicts, TestNames]> {
    const base = this.#names.length;
    const numbers: number[] = [];
    const reasons = new Map<number, string>();
    for (const { uid, outcome, durationMs, attempts, reason } of tests) {
      const index = this.#indexOf(uid);
      const code = outcomeCodes.indexOf(outcome) + outcomeCodes.length * (Math.max(1, attempts) - 1);
      numbers.push(index, Math.min(code, 0xffff), durationMs === null ? -1 : Math.min(durationMs, 0x7fffffff));
      if (reason !== null) reasons.set(index, reason);
      if (budget.isSpent()) await budget.pause();
    }
    const { runId, at, branch, commit } = facts;
    const run = { runId, at, branch, commit, tests: Int32Array.from(numbers), reasons };
    this.#add(run);
    return [run, new Map(this.#names.slice(base).map((name, index) => [base + index, name]))];
  }

  historyOf(uid: string, limit: number): TestVerdict[] {
    const index = this.#indexes.get(uid);
    if (index === undefined) return [];
    const items: TestVerdict[] = [];
    for (const { runId, at, branch, commit, tests } of this.newest(this.size)) {
      const found = placeOf(tests, index);
      if (found >= 0) items.push({ runId, at, branch, commit, ...verdictAt(tests, found) });
      if (items.length === limit) break;
    }
    return items;
  }

  /** The median duration of each test in the newest runs, without one run. */
  durations(except: string): (uid: string) => number | null {
    const known = new Map<number, number[]>();
    for (const { tests } of this.newest(runsForDuration, except)) {
      for (let at = 0; at < tests.length; at += membersPerTest) {
        const [index = -1, code = 0, durationMs = -1] = tests.subarray(at, at + membersPerTest);
        if (durationMs < 0 || code % outcomeCodes.length === skipped) continue;
        const list = known.get(index);
        if (list) list.push(durationMs);
        else known.set(index, [durationMs]);
      }
    }
    return (uid) => median(known.get(this.#indexes.get(uid) ?? -1) ?? []);
  }

  /** A summary of every test of the newest runs. */
  async summaries(
    suite: Pick<TestSummary, 'repository' | 'repositoryName' | 'suite'>,
    budget: TimeBudget,
    runs: readonly RunVerdicts[] = this.newest(runsSummarised),
  ): Promise<TestSummary[]> {
    const known = new Map<number, { run: RunVerdicts; at: number }[]>();
    for (const run of runs) {
      for (let at = 0; at < run.tests.length; at += membersPerTest) {
        const index = run.tests[at] ?? -1;
        const list = known.get(index);
        if (list) list.push({ run, at });
        else known.set(index, [{ run, at }]);
        if (budget.isSpent()) await budget.pause();
      }
    }
    const summaries: TestSummary[] = [];
    for (const [index, found] of known) {
      const uid = this.#names[index];
      if (uid !== undefined) summaries.push({ ...suite, suiteRuns: runs.length, ...summaryOf(uid, index, found) });
      if (budget.isSpent()) await budget.pause();
    }
    return summaries;
  }

  /**
   * Tests that became flaky after `since`, and tests that stopped being flaky: they passed at the first attempt in
   * several runs after it.
   */
  async changes(
    suite: Pick<TestSummary, 'repository' | 'repositoryName' | 'suite'>,
    since: string,
    budget: TimeBudget,
  ): Promise<{ flaky: TestSummary[]; mended: TestSummary[] }> {
    const runs = this.newest(this.size);
    const earlier = runs.filter(({ at }) => at < since);
    if (earlier.length === runs.length) return { flaky: [], mended: [] };
    const before = await this.summaries(suite, budget, earlier.slice(0, runsSummarised));
    const wasFlaky = new Set(before.filter(isFlaky).map(({ uid }) => uid));
    const flaky = (await this.summaries(suite, budget)).filter((test) => isFlaky(test) && !wasFlaky.has(test.uid));
    const mended = before.filter(({ uid }) => {
      if (!wasFlaky.has(uid)) return false;
      const newer = this.historyOf(uid, runsSummarised).filter(({ at }) => at >= since);
      return (
        newer.length >= passesThatMend &&
        newer.every(({ outcome, attempts }) => outcome === 'CleanPass' && attempts === 1)
      );
    });
    return { flaky, mended };
  }

  #indexOf(uid: string): number {
    const known = this.#indexes.get(uid);
    if (known !== undefined) return known;
    const index = this.#names.length;
    this.#names.push(uid);
    this.#indexes.set(uid, index);
    return index;
  }

  #add(run: RunVerdicts): void {
    this.#runs.delete(run.runId);
    this.#runs.set(run.runId, run);
    this.version += 1;
  }

  /** The verdicts of a run by name. */
  *recordsOf({ tests, reasons }: RunVerdicts): Iterable<TestRecord> {
    for (let at = 0; at < tests.length; at += membersPerTest) {
      const index = tests[at] ?? -1;
      const uid = this.#names[index];
      if (uid !== undefined) yield { uid, ...verdictAt(tests, at), reason: reasons.get(index) ?? null };
    }
  }
}

function placeOf(tests: Int32Array, index: number): number {
  for (let at = 0; at < tests.length; at += membersPerTest) if (tests[at] === index) return at;
  return -1;
}

function verdictAt(tests: Int32Array, at: number): Pick<TestRecord, 'outcome' | 'durationMs' | 'attempts'> {
  const [code = 0, ms = -1] = [tests[at + 1], tests[at + 2]];
  return {
    outcome: outcomeCodes[code % outcomeCodes.length] ?? null,
    attempts: 1 + Math.floor(code / outcomeCodes.length),
    durationMs: ms < 0 ? null : ms,
  };
}

function summaryOf(uid: string, index: number, found: readonly { run: RunVerdicts; at: number }[]) {
  const items = found.map(({ run, at }) => ({ ...run, ...verdictAt(run.tests, at) }));
  const rates = ratesOf(items);
  const reasons = found.flatMap(({ run }) => run.reasons.get(index) ?? []);
  return {
    uid,
    runs: items.length,
    retried: items.filter(({ outcome, attempts }) => attempts > 1 || outcome === 'PassOnRetry').length,
    ...rates,
    sinceAt: items.find(({ runId }) => runId === rates.sinceRunId)?.at ?? null,
    lastRunId: items[0]?.runId ?? '',
    lastAt: items[0]?.at ?? '',
    medianMs: median(
      items.flatMap(({ durationMs, outcome }) => (durationMs === null || outcome === 'Skipped' ? [] : [durationMs])),
    ),
    recent: items.slice(0, recentShown).map(({ outcome }) => outcome),
    reasons: [...new Set(reasons)].filter((reason) => reason !== '').slice(0, reasonsShown),
  };
}

/** Limits of the data recorded for one run. */
const testsAtMost = 100_000;
const longestName = 2_000;
const longestReason = 200;

/** The verdicts of a run for the history. */
export function* recordsOf(run: Run): Iterable<TestRecord> {
  let count = 0;
  for (const scenario of run.scenarios.values()) {
    if (scenario.uid.length > longestName) continue;
    count += 1;
    if (count > testsAtMost) return;
    const { outcome, durationMs, attempts, number } = current(scenario);
    const wasRetried = scenario.retries !== null || number > 1 || outcome === 'PassOnRetry';
    yield {
      uid: scenario.uid,
      outcome,
      durationMs,
      attempts: Math.max(attempts ?? 1, number, wasRetried ? 2 : 1),
      reason: wasRetried ? (retryReasonsOf(scenario).at(-1) ?? '').slice(0, longestReason) || null : null,
    };
  }
}
