/** The suite that a history is about. */
export type HistorySuite = {
  /** By its id, else by its path. */
  repository: string | null;
  suite: string | null;
  repositoryName: string | null;
  /** The root of its newest run that is on the board. */
  path?: string | null;
  /** When that run arrived. */
  newestAt?: string | null;
};

/** How a run ended for its tests: index, code and milliseconds of each, one after the other. */
export type RunVerdicts = {
  runId: string;
  at: string;
  branch: string | null;
  commit: string | null;
  tests: Int32Array;
  /** Why tests were retried, by their index. */
  reasons: ReadonlyMap<number, string>;
};

/** Names of tests, each with its number within the suite. */
export type TestNames = ReadonlyMap<number, string>;

/** How the tests of each suite did, run by run. */
export type HistoryStore = {
  suites(): readonly HistorySuite[];
  names(suite: HistorySuite): TestNames;
  /** Its runs in pieces, the oldest first. */
  runs(suite: HistorySuite): Iterable<readonly RunVerdicts[]>;
  /** Adds a run, or replaces it, with the names that no run before had. Returns the bytes that the suite takes now. */
  record(suite: HistorySuite, run: RunVerdicts, names: TestNames): number;
  /** Forgets everything about the suite. */
  forget(suite: HistorySuite): void;
  /** Forgets suites that nothing was recorded of since that time. */
  forgetUnchanged(beforeMs: number): void;
};
