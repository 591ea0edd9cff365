import type { SuiteRun, SuiteSummary } from '../../../live/wire.ts';

export const startOf = ({ startedAt, receivedAt }: SuiteRun): string | null => startedAt ?? receivedAt;

const newestFirst = (a: SuiteRun | undefined, b: SuiteRun | undefined): number =>
  ((b && startOf(b)) ?? '').localeCompare((a && startOf(a)) ?? '');

/** Suites and their runs in the order of the list of runs, newest start first; the service lists them by arrival. */
export const byStart = (suites: readonly SuiteSummary[]): readonly SuiteSummary[] =>
  suites
    .map((suite) => ({ ...suite, runs: suite.runs.toSorted(newestFirst) }))
    .sort((a, b) => newestFirst(a.runs[0], b.runs[0]));
