import { type Clock, iso } from '../../../kernel/clock.ts';
import type {
  ChangedTest,
  SharedTests,
  TestChanges,
  TestHistoryQuery,
  TestHistoryView,
  TestSummary,
} from '../../../run-contract/test-history.ts';
import { ratesOf } from '../../../run-contract/test-rates.ts';
import type { TimeBudget } from '../ports.ts';
import { suiteKey } from '../retention.ts';
import type { RunCache } from '../run-cache.ts';
import { type BoardRun, isLive, type RunRegistry, receivedAtOf } from '../run-registry.ts';
import type { ExpectedMs } from '../run-views.ts';
import type { HistoryStore, HistorySuite } from './ports.ts';
import {
  bySuite,
  charactersOf,
  charactersOfHost,
  JoinedHistories,
  keyOf,
  newestNames,
  type OtherHistories,
  sharedRunsOf,
  tooLarge,
} from './shared-history.ts';
import { fitsSuite, formerSuiteIn, type SuiteFilter, shownNames, suiteIn } from './suite-filter.ts';
import { recordsOf, SuiteHistory } from './suite-history.ts';

type TestHistoryDeps = {
  history: HistoryStore;
  registry: RunRegistry;
  cache: RunCache;
  clock: Clock;
  timeBudget: () => TimeBudget;
  warn: (details: object, text: string) => void;
};

type SuiteOfHosts = { suite: HistorySuite; history: SuiteHistory; hosts: { thisHostOnly?: true } };

const yearMs = 365 * 24 * 60 * 60_000;
/** If the history of a suite has more bytes, only the newest half of its runs is kept. */
const bytesAtMost = 16 * 1024 * 1024;
/** How many suites stay in memory. */
const suitesInMemory = 4;
/** How many runs of each suite, and bytes of archives, a start adds to the history at most. */
const runsCaughtUp = 50;
const bytesCaughtUp = 64 * 1024 * 1024;
const caughtUpAtOnce = 20;
/** How soon a run that could not be written is tried again. */
const againMs = 60_000;

/**
 * The test history of each suite, kept longer than the runs. Ended runs are recorded in the background; a query first records
 * those that it needs.
 */
export class TestHistory {
  readonly #deps: TestHistoryDeps;
  readonly #unwritten = new Set<BoardRun>();
  /** Runs of earlier processes that are not recorded yet; no query waits for them. */
  #backlog: BoardRun[] = [];
  /** Runs that could not be written, and when that happened last. */
  readonly #failed = new Set<BoardRun>();
  #failedAt = 0;
  readonly #loaded = new Map<string, Promise<SuiteHistory>>();
  readonly #expected = new Map<string, { version: number; except: string; expected: ExpectedMs }>();
  /** The work in progress by suite; runs of one suite are recorded one after the other. */
  readonly #work = new Map<string, { suite: HistorySuite; done: Promise<void> }>();

  #others: OtherHistories = { isAlone: () => true, all: () => [] };
  /** The shared form of each suite, made again after a run of it was recorded. */
  readonly #shared = new Map<string, { written: number; runs: readonly SharedTests[] }>();
  /** How many runs of a suite this process has recorded. */
  readonly #written = new Map<string, number>();
  readonly #joined = new JoinedHistories();

  constructor(deps: TestHistoryDeps) {
    this.#deps = deps;
    deps.registry.listen({
      ended: (boardRun) => {
        boardRun.recorded = false;
        this.#failed.delete(boardRun);
        this.#unwritten.add(boardRun);
      },
      removed: (boardRun) => {
        this.#failed.delete(boardRun);
        this.#unwritten.delete(boardRun);
      },
    });
  }

  /** From now on every answer covers the runs of all hosts. */
  joinWith(others: OtherHistories): void {
    this.#others = others;
  }

  /** The tests of the newest runs of each suite, in the form that other hosts read. Includes every run of the matching suites that has ended. */
  async shared(filter: SuiteFilter = {}): Promise<readonly SharedTests[]> {
    const suites = (await this.#ownSuites(filter)).sort(newestSuiteFirst);
    const all: SharedTests[] = [];
    let left = charactersOfHost;
    for (const suite of suites) {
      const runs = left > 0 ? await this.#sharedOf(suite) : [];
      left -= charactersOf(runs);
      all.push(...(left > 0 ? runs : [tooLarge(suite)]));
    }
    const known = new Set(suites.map(keyOf));
    for (const key of this.#shared.keys()) if (!known.has(key)) this.#shared.delete(key);
    return all;
  }

  async #sharedOf(suite: HistorySuite): Promise<readonly SharedTests[]> {
    const key = keyOf(suite);
    const written = this.#written.get(key) ?? 0;
    const before = this.#shared.get(key);
    if (before?.written === written) return before.runs;
    const history = await this.#load(suite);
    const runs = sharedRunsOf(suite, history, new Map(before?.runs.map((run) => [run.runId, run])));
    this.#shared.set(key, { written, runs });
    return runs;
  }

  /** Records the ended runs suite by suite, so that only a few histories are in memory at a time. */
  async flush(filter: SuiteFilter = {}): Promise<void> {
    const suites = [...[...this.#work.values()].map(({ suite }) => suite), ...[...this.#unwritten].map(suiteIn)];
    const fitting = new Map(suites.filter((one) => fitsSuite(one, filter)).map((one) => [keyOf(one), one]));
    for (const suite of fitting.values()) await this.#flushSuite(suite);
  }

  /** Records the ended runs of the suite of this run only. */
  async flushSuiteOf(boardRun: BoardRun): Promise<void> {
    if (this.#failed.delete(boardRun)) this.#unwritten.add(boardRun);
    await this.#flushSuite(suiteIn(boardRun));
  }

  /** Records all ended runs, and some that were missed earlier. Returns the latter. */
  async flushSome(): Promise<readonly BoardRun[]> {
    await this.flush();
    const { registry, clock } = this.#deps;
    if (clock.monotonic() - this.#failedAt >= againMs) {
      this.#backlog.push(...this.#failed);
      this.#failed.clear();
    }
    const some = this.#backlog.splice(0, caughtUpAtOnce).filter((one) => registry.get(one.runId) === one);
    for (const boardRun of some) await this.#queue(suiteIn(boardRun), () => this.#writeRun(boardRun));
    return some;
  }

  /** Finds runs that are missing in the history, for example after a crash. */
  catchUp(): void {
    const runs = new Map<string, number>();
    let bytes = 0;
    for (const boardRun of this.#deps.registry.all()) {
      if (boardRun.recorded || isLive(boardRun) || this.#unwritten.has(boardRun)) continue;
      const key = suiteKey(boardRun.head);
      const count = (runs.get(key) ?? 0) + 1;
      bytes += boardRun.bytes;
      if (count > runsCaughtUp || bytes > bytesCaughtUp) continue;
      runs.set(key, count);
      this.#backlog.push(boardRun);
    }
  }

  /** Forgets suites without a run in a year. */
  sweep(): void {
    this.#deps.history.forgetUnchanged(this.#deps.clock.wall() - yearMs);
  }

  async historyOf({ uid, limit, ...filter }: TestHistoryQuery): Promise<TestHistoryView> {
    let best: TestHistoryView = { items: [], ...ratesOf([]) };
    for await (const { history, hosts } of this.#histories(filter)) {
      const items = history.historyOf(uid, limit);
      if ((items[0]?.at ?? '') > (best.items[0]?.at ?? '')) best = { items, ...ratesOf(items), ...hosts };
    }
    return best;
  }

  /** The histories of several tests of one suite by their uid. */
  async historiesOf(
    boardRun: BoardRun,
    uids: readonly string[],
    limit: number,
  ): Promise<Record<string, TestHistoryView>> {
    const suite = suiteIn(boardRun);
    await this.#flushSuite(suite);
    const history = await this.#load(suite);
    return Object.fromEntries(
      uids.map((uid) => {
        const items = history.historyOf(uid, limit);
        return [uid, { items, ...ratesOf(items) }];
      }),
    );
  }

  async tests(filter: SuiteFilter): Promise<TestSummary[]> {
    const found: TestSummary[] = [];
    for await (const { suite, history, hosts } of this.#histories(filter)) {
      const summaries = await history.summaries(namesOf(suite), this.#deps.timeBudget());
      found.push(...summaries.map((one) => ({ ...one, ...hosts })));
    }
    return found;
  }

  /** Tests of all suites that became flaky after `since`, or stopped being flaky. */
  async changes(since: string): Promise<TestChanges> {
    const changed = { flaky: [] as ChangedTest[], mended: [] as ChangedTest[] };
    const recent = this.#deps.registry.all().filter((one) => receivedAtOf(one) >= since);
    const changing = this.#others.isAlone() ? new Set(recent.map((one) => keyOf(suiteIn(one)))) : null;
    for await (const { suite, history } of this.#histories({})) {
      if (changing?.has(keyOf(suite)) === false) continue;
      const { flaky, mended } = await history.changes(namesOf(suite), since, this.#deps.timeBudget());
      changed.flaky.push(...flaky.map(nameOf));
      changed.mended.push(...mended.map(nameOf));
    }
    return changed;
  }

  /** The median duration of each test of the run's suite, without that run. */
  async expectedFor(boardRun: BoardRun): Promise<ExpectedMs> {
    const suite = suiteIn(boardRun);
    await this.#flushSuite(suite);
    const key = keyOf(suite);
    const history = await this.#load(suite);
    const { version } = history;
    const cached = this.#expected.get(key);
    if (cached?.version === version && cached.except === boardRun.runId) return cached.expected;
    const expected = history.durations(boardRun.runId);
    this.#expected.set(key, { version, except: boardRun.runId, expected });
    return expected;
  }

  /** A query for one suite does not wait for other suites, which may have thousands of runs to record. */
  async #flushSuite(suite: HistorySuite): Promise<void> {
    const key = keyOf(suite);
    const runs = [...this.#unwritten].filter(({ head }) => suiteKey(head) === key);
    if (runs.length === 0) return this.#work.get(key)?.done;
    return this.#queue(suite, async () => {
      for (const boardRun of runs) if (this.#unwritten.delete(boardRun)) await this.#writeRun(boardRun);
    });
  }

  #queue(suite: HistorySuite, work: () => Promise<void>): Promise<void> {
    const key = keyOf(suite);
    const before = this.#work.get(key)?.done ?? Promise.resolve();
    const done = before.then(work).finally(() => {
      if (this.#work.get(key)?.done === done) this.#work.delete(key);
    });
    this.#work.set(key, { suite, done });
    return done;
  }

  async #writeRun(boardRun: BoardRun): Promise<void> {
    try {
      await this.#write(boardRun);
      boardRun.recorded = true;
    } catch (err) {
      const { warn, clock } = this.#deps;
      // Memory is now ahead of the store: later runs would refer to names that are not stored.
      this.#loaded.delete(keyOf(suiteIn(boardRun)));
      this.#failed.add(boardRun);
      this.#failedAt = clock.monotonic();
      warn({ err, runId: boardRun.runId }, 'the test history could not be written; it is tried again in a minute');
    }
  }

  async #write(boardRun: BoardRun): Promise<void> {
    const { cache, history: store, timeBudget } = this.#deps;
    const run = await cache.load(boardRun);
    if (!run || run.scenarios.size === 0) return;
    const suite = suiteIn(boardRun);
    await this.#joinFormer(boardRun, suite);
    const history = await this.#load(suite);
    const { branch, commit } = boardRun.head.start;
    const facts = { runId: boardRun.runId, at: receivedAtOf(boardRun), branch, commit };
    const [verdicts, names] = await history.write(facts, recordsOf(run), timeBudget());
    this.#noteWritten(suite, boardRun.runId);
    if (store.record(suite, verdicts, names) > bytesAtMost) await this.#shorten(suite, history);
  }

  /** If a run is recorded again, it is shared again. */
  #noteWritten(suite: HistorySuite, runId: string): void {
    const key = keyOf(suite);
    this.#written.set(key, (this.#written.get(key) ?? 0) + 1);
    const shared = this.#shared.get(key);
    if (shared) this.#shared.set(key, { ...shared, runs: shared.runs.filter((run) => run.runId !== runId) });
  }

  /** Moves the history from the path of this clone to the id of its repository. */
  async #joinFormer(boardRun: BoardRun, suite: HistorySuite): Promise<void> {
    const { history: store, timeBudget } = this.#deps;
    const former = formerSuiteIn(boardRun);
    if (!former || !store.suites().some((one) => keyOf(one) === keyOf(former))) return;
    const [before, history] = [await this.#load(former), await this.#load(suite)];
    for (const run of before.newest(before.size).reverse()) {
      const [verdicts, names] = await history.write(run, before.recordsOf(run), timeBudget());
      store.record(suite, verdicts, names);
    }
    store.forget(former);
    // Both histories are read again, in the order of the runs.
    for (const one of [former, suite]) this.#loaded.delete(keyOf(one));
  }

  /** Keeps the newest half of the runs, at most those of a year, and the names that they use. */
  async #shorten(suite: HistorySuite, history: SuiteHistory): Promise<void> {
    const { history: store, clock, timeBudget } = this.#deps;
    const oldest = iso(clock.wall() - yearMs);
    const kept = history.newest(Math.ceil(history.size / 2)).filter(({ at }) => at >= oldest);
    const shorter = new SuiteHistory();
    const entries: Awaited<ReturnType<SuiteHistory['write']>>[] = [];
    for (const run of kept.reverse()) entries.push(await shorter.write(run, history.recordsOf(run), timeBudget()));
    store.forget(suite);
    for (const [run, names] of entries) store.record(suite, run, names);
    this.#loaded.set(keyOf(suite), Promise.resolve(shorter));
  }

  /** Reads the history from the store unless it is in memory. */
  #load(suite: HistorySuite): Promise<SuiteHistory> {
    const key = keyOf(suite);
    const loaded = this.#loaded.get(key) ?? this.#read(suite);
    this.#loaded.delete(key);
    this.#loaded.set(key, loaded);
    loaded.catch(() => this.#loaded.delete(key));
    for (const oldest of this.#loaded.keys()) {
      if (this.#loaded.size <= suitesInMemory) break;
      this.#loaded.delete(oldest);
    }
    return loaded;
  }

  async #read(suite: HistorySuite): Promise<SuiteHistory> {
    const { history: store, timeBudget } = this.#deps;
    const history = new SuiteHistory();
    const budget = timeBudget();
    history.load(store.names(suite), []);
    for (const runs of store.runs(suite)) {
      history.load(new Map(), runs);
      if (budget.isSpent(runs.length * 16)) await budget.pause();
    }
    return history;
  }

  /**
   * The histories of the matching suites, over all hosts. With other hosts, each is built from what every host shares,
   * including this one, so that the answer is the same everywhere. For a suite that is too large to be shared only this
   * host's runs count.
   */
  async *#histories(filter: SuiteFilter): AsyncIterable<SuiteOfHosts> {
    const { timeBudget } = this.#deps;
    if (this.#others.isAlone()) {
      const suites = (await this.#ownSuites(filter)).filter((one) => fitsSuite(one, filter));
      for (const suite of suites) yield { suite, history: await this.#load(suite), hosts: {} };
      return;
    }
    for (const [key, runs] of bySuite([...(await this.shared(filter)), ...this.#others.all()])) {
      if (!runs.some((one) => fitsSuite(one, filter))) continue;
      const suite = newestNames(runs);
      if (runs.some(({ isTooLarge }) => isTooLarge))
        yield { suite, history: await this.#load(suite), hosts: { thisHostOnly: true } };
      else yield { suite, history: await this.#joined.of(key, runs, timeBudget()), hosts: {} };
    }
  }

  /** All suites of this host with the current names of their repositories, after recording the ended runs of the matching ones. */
  async #ownSuites(filter: SuiteFilter): Promise<HistorySuite[]> {
    const { history: store, registry } = this.#deps;
    await this.flush(filter);
    const known = new Map<string | null, BoardRun>();
    for (const one of registry.all()) {
      const before = known.get(suiteIn(one).repository);
      if (!before || receivedAtOf(before) <= receivedAtOf(one)) known.set(suiteIn(one).repository, one);
    }
    return store.suites().map((one) => {
      const run = known.get(one.repository);
      const { repository: path = null } = run?.head.start ?? {};
      const newestAt = run ? receivedAtOf(run) : null;
      return { ...one, repositoryName: run?.repositoryName ?? one.repositoryName, path, newestAt };
    });
  }
}

const nameOf = ({ uid, suite, repositoryName }: ChangedTest): ChangedTest => ({ uid, suite, repositoryName });
const namesOf = (suite: HistorySuite) => ({ ...shownNames(suite), repositoryName: suite.repositoryName });
const newestSuiteFirst = (a: HistorySuite, b: HistorySuite): number =>
  (a.newestAt ?? '') === (b.newestAt ?? '')
    ? keyOf(a) < keyOf(b)
      ? -1
      : 1
    : (a.newestAt ?? '') < (b.newestAt ?? '')
      ? 1
      : -1;
