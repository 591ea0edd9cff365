/** Test results of any tool, on their way to becoming monitor events. */
export type ImportedTest = {
  feature: string;
  name: string;
  outcome: 'CleanPass' | 'Failed' | 'Aborted' | 'Skipped';
  durationMs: number;
  message: string | null;
  stackTrace: string | null;
  file: string | null;
  line: number | null;
  /** What went wrong in each attempt before the last. */
  earlier: readonly (string | null)[];
  steps: readonly { text: string; status: string }[];
  /** What it printed. */
  stdout?: string;
  stderr?: string;
};

export type ImportedRun = {
  suite: string;
  startedAtMs: number | null;
  stoppedAtMs: number | null;
  tests: ImportedTest[];
};

/** What the file does not say. */
export type ImportDefaults = {
  runId: string;
  suite: string;
  repository: string;
  branch: string | null;
  tag: string | null;
  /** When the file was written: a run of which no time is known ended then. */
  writtenAtMs: number;
};

/** One run of what several files tell: some tools write a file for each class or package. */
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

/** The run as a publisher would have told it. The same file gives the same events, so importing it again changes nothing. */
export function eventsOf(run: ImportedRun, defaults: ImportDefaults): object[] {
  const { runId, repository, branch, tag } = defaults;
  const took = run.tests.reduce((sum, test) => sum + test.durationMs, 0);
  const startedAtMs = run.startedAtMs ?? defaults.writtenAtMs - took;
  const finishedAtMs = Math.max(run.stoppedAtMs ?? startedAtMs + took, startedAtMs);
  const suite = run.suite === '' ? defaults.suite : run.suite;
  const started = {
    type: 'run_started',
    runId,
    suite,
    repository,
    branch,
    mode: 'imported',
    startedAt: iso(startedAtMs),
    totalScenarios: run.tests.length,
    tag,
    session: null,
    command: null,
  };
  return [started, ...testEvents(run.tests, runId, startedAtMs), finish(run.tests, runId, finishedAtMs)];
}

function testEvents(tests: readonly ImportedTest[], runId: string, startedAtMs: number): object[] {
  const occurrences = new Map<string, number>();
  let atMs = startedAtMs;
  return tests.flatMap((test) => {
    const name = numbered(occurrences, `${test.feature}/${test.name}`, test.name);
    const uid = `${test.feature}/${name}`;
    const events = attemptsOf(test, { runId, uid, feature: test.feature, scenario: name }, atMs);
    atMs += test.durationMs;
    return events;
  });
}

type ScenarioIdentity = { runId: string; uid: string; feature: string; scenario: string };

function attemptsOf(test: ImportedTest, identity: ScenarioIdentity, atMs: number): object[] {
  const { runId, uid } = identity;
  const last = test.earlier.length + 1;
  const start = (attempt: number) => ({ type: 'scenario_started', ...identity, attempt, at: iso(atMs) });
  return [
    ...test.earlier.flatMap((message, index) => [
      start(index + 1),
      { type: 'scenario_finished', runId, uid, outcome: 'Failed', attempts: index + 1, errorMessage: message },
      {
        type: 'retry_scheduled',
        runId,
        uid,
        nextAttempt: index + 2,
        disposition: 'RetryInProcess',
        reason: message ?? 'failed',
      },
    ]),
    start(last),
    ...test.steps.flatMap(({ text, status }, index) => {
      const step = { runId, uid, stepId: text, attempt: last, stepNumber: index + 1 };
      return [
        { type: 'step_started', ...step, kind: '', text },
        { type: 'step_finished', ...step, status },
      ];
    }),
    {
      type: 'scenario_finished',
      runId,
      uid,
      outcome: test.outcome,
      attempts: last,
      durationMs: test.durationMs,
      errorMessage: test.message,
      stackTrace: test.stackTrace,
      file: test.file,
      line: test.line,
      at: iso(atMs + test.durationMs),
      ...detailsOf(test),
    },
  ];
}

/** What a verdict says besides its outcome, as our publishers say it. */
export function detailsOf({ outcome, message, stackTrace, stdout, stderr }: Details): object {
  const isBad = outcome === 'Failed' || outcome === 'Aborted';
  return {
    ...(isBad && (message !== null || stackTrace !== null) && { errors: [{ message, stack: stackTrace }] }),
    ...(outcome === 'Skipped' && message !== null && { skipReason: message }),
    ...(stdout !== undefined && { stdout: lastLines(stdout) }),
    ...(stderr !== undefined && { stderr: lastLines(stderr) }),
  };
}

type Details = {
  outcome: string;
  message: string | null;
  stackTrace: string | null;
  stdout?: string | undefined;
  stderr?: string | undefined;
};

const outputAtMost = 64 * 1024;
const lastLines = (text: string): string[] => text.slice(-outputAtMost).trimEnd().split(/\r?\n/);

function finish(tests: readonly ImportedTest[], runId: string, atMs: number): object {
  const count = (...outcomes: string[]) => tests.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const passed = tests.filter(({ outcome, earlier }) => outcome === 'CleanPass' && earlier.length === 0).length;
  const failed = count('Failed', 'Aborted');
  return {
    type: 'run_finished',
    runId,
    exitCode: failed > 0 ? 1 : 0,
    passed,
    failed,
    passedOnRetry: count('CleanPass') - passed,
    indeterminate: 0,
    skipped: count('Skipped'),
    finishedAt: iso(atMs),
  };
}

/** Two tests of one name are two tests. */
function numbered(occurrences: Map<string, number>, key: string, name: string): string {
  const before = occurrences.get(key) ?? 0;
  occurrences.set(key, before + 1);
  return before === 0 ? name : `${name} #${before + 1}`;
}

/** A file may claim any length; a year has four digits. */
const lastMs = Date.UTC(9999, 11, 31);
const iso = (ms: number): string => new Date(Math.round(Math.max(0, Math.min(lastMs, ms)))).toISOString();
