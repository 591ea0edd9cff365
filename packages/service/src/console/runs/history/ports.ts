/** The suite of a history. */
export type HistorySuite = {
  /** The repository's id, else its path. */
  repository: string | null;
  suite: string | null;
  repositoryName: string | null;
  /** The root of its newest run that is on the board. */
  path?: string | null;
  /** When that run arrived. */
  newestAt?: string | null;
};

/** The results of the tests of one run. `tests` has three numbers for each: index, outcome code, milliseconds. */
export type RunVerdicts = {
  runId: string;
  at: string;
  branch: string | null;
  commit: string | null;
  tests: Int32Array;
  /** Why tests were retried, by their index. */
  reasons: ReadonlyMap<number, string>;
};

/** Names of tests by their number within the suite. */
export type TestNames = ReadonlyMap<number, string>;

/** The results of the tests of each suite, run by run. */
export type HistoryStore = {
  suites(): readonly HistorySuite[];
  names(suite: HistorySuite): TestNames;
  /** The runs of the suite, several at a time, oldest first. */
  runs(suite: HistorySuite): Iterable<readonly RunVerdicts[]>;
  /** Adds or replaces a run, with the names of its new tests. Returns the size of the suite in bytes. */
  record(suite: HistorySuite, run: RunVerdicts, names: TestNames): number;
  /** Forgets everything about the suite. */
  forget(suite: HistorySuite): void;
  /** Forgets suites without a recorded run since that time. */
  forgetUnchanged(beforeMs: number): void;
};
