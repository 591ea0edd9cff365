/** A test as read from a report of any tool. */
export type ImportedTest = {
  feature: string;
  name: string;
  outcome: 'CleanPass' | 'Failed' | 'Aborted' | 'Skipped';
  /** Null if the tool does not report it. */
  durationMs: number | null;
  message: string | null;
  stackTrace: string | null;
  file: string | null;
  line: number | null;
  /** The error of each attempt before the last. */
  earlier: readonly (string | null)[];
  steps: readonly { text: string; status: string }[];
  /** The output of the test. */
  stdout?: string;
  stderr?: string;
};

export type ImportedRun = {
  suite: string;
  startedAtMs: number | null;
  stoppedAtMs: number | null;
  tests: ImportedTest[];
};

/** A test that passed on its first attempt, without further facts. */
export const importedTest = (test: Partial<ImportedTest> & { name: string }): ImportedTest => ({
  feature: '',
  outcome: 'CleanPass',
  durationMs: null,
  message: null,
  stackTrace: null,
  file: null,
  line: null,
  earlier: [],
  steps: [],
  ...test,
});

/** An error outside the tests is listed as a test, so that every count and list includes it. */
export const outsideTests = (feature: string, name: string, message: string, text: string | null = null) =>
  importedTest({ feature, name, outcome: 'Failed', message, stackTrace: text });

/** One run from several files: some tools write a file for each class or package. */
export function mergeRuns(runs: readonly ImportedRun[]): ImportedRun {
  const times = (of: 'startedAtMs' | 'stoppedAtMs') => runs.flatMap((run) => run[of] ?? []);
  const [started, stopped] = [times('startedAtMs'), times('stoppedAtMs')];
  return {
    suite: runs.find(({ suite }) => suite !== '')?.suite ?? '',
    startedAtMs: started.length === 0 ? null : started.reduce((a, b) => Math.min(a, b)),
    stoppedAtMs: stopped.length < runs.length ? null : stopped.reduce((a, b) => Math.max(a, b)),
    tests: runs.flatMap(({ tests }) => tests),
  };
}
