import type { RunDetail, ScenarioView } from '../../console/runs/contract.ts';
import { resultOf } from '../runs-text.ts';

/** The facts of a run for a person, worst first. Bounded: GitHub allows 1 MiB in a summary, and a screen holds far less. */
export type RunReport = {
  title: string;
  facts: string[];
  failures: ReportedFailure[];
  /** The number of failures that this report leaves out. */
  moreFailures: number;
  faults: string[];
  flaky: { name: string; attempts: number; reason: string | null }[];
  moreFlaky: number;
  url: string | null;
};

export type ReportedFailure = {
  name: string;
  file: string | null;
  line: number | null;
  message: string;
  expected: string | null;
  actual: string | null;
  rerun: string | null;
};

const mostFailures = 50;
const mostFlaky = 20;
const mostText = 2_000;

const cut = (text: string): string => (text.length > mostText ? `${text.slice(0, mostText)} …` : text);

const verdictOf = ({ green, state }: RunDetail['run']): string => {
  if (green !== null) return green ? 'passed' : 'failed';
  return state === 'finished' ? 'is incomplete' : state;
};

export function reportOf({ run, scenarios, workerFaults }: RunDetail, consoleUrl: string | null): RunReport {
  const ended = run.state !== 'running';
  const failing = scenarios.filter(
    ({ outcome }) => outcome === 'Failed' || outcome === 'Aborted' || (outcome === null && ended),
  );
  const retried = scenarios.filter(({ outcome }) => outcome === 'PassOnRetry');
  const verdict = verdictOf(run);
  return {
    title: `${run.suite} ${verdict}: ${resultOf(run)}`,
    facts: [
      ...(run.branch
        ? [`${run.branch}${run.commit ? ` at ${run.commit.slice(0, 7)}` : ''}${run.dirty ? ' (changed)' : ''}`]
        : []),
      ...(run.startedAt && run.finishedAt ? [lengthText(Date.parse(run.finishedAt) - Date.parse(run.startedAt))] : []),
      ...(run.interrupted ? [`ended by ${run.interrupted}`] : []),
      ...(run.exitCode ? [`exit code ${run.exitCode}`] : []),
    ],
    failures: failing.slice(0, mostFailures).map(failureOf),
    moreFailures: Math.max(0, failing.length - mostFailures),
    faults: workerFaults.slice(0, mostFlaky).map(({ fault }) => cut(fault)),
    flaky: retried.slice(0, mostFlaky).map((test) => ({
      name: nameOf(test),
      attempts: test.attempts ?? test.attempt,
      reason: test.retryReasons[0] ?? null,
    })),
    moreFlaky: Math.max(0, retried.length - mostFlaky),
    url: consoleUrl === null ? null : `${consoleUrl}/runs/${encodeURIComponent(run.runId)}`,
  };
}

const nameOf = ({ feature, scenario, project }: ScenarioView): string =>
  `${feature} > ${scenario}${project ? ` [${project}]` : ''}`;

function failureOf(test: ScenarioView): ReportedFailure {
  const [error] = test.errors;
  const step = test.steps.findLast(({ errorMessage }) => errorMessage !== null);
  const message = test.errorMessage ?? step?.errorMessage ?? (test.outcome === null ? 'No verdict.' : 'It failed.');
  return {
    name: nameOf(test),
    file: error?.place?.file ?? test.file,
    line: error?.place?.line ?? test.line,
    message: cut(message),
    expected: textOf(error?.expected),
    actual: textOf(error?.actual),
    rerun: test.rerun ?? step?.diagnostics?.rerun ?? null,
  };
}

const textOf = (text: string | null | undefined): string | null => (text ? cut(text) : null);

export function lengthText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
