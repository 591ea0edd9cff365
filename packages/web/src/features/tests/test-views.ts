import type { TestSummary } from '../../live/wire.ts';

export const testViews = [
  {
    value: 'flaky',
    label: 'Flaky',
    order: 'flaky',
    description: 'Retried, or passing in some runs and failing in others; the worst first.',
    none: 'No test was retried or alternates between pass and failure.',
  },
  {
    value: 'new',
    label: 'Newly failing',
    order: 'failing',
    description: 'Failing now, the newest first.',
    none: 'No test fails in the last run of its suite.',
  },
  {
    value: 'slowest',
    label: 'Slowest',
    order: 'slowest',
    description: 'By the median of the last runs.',
    none: 'No test has a known duration yet.',
  },
  {
    value: 'quarantine',
    label: 'Quarantine candidates',
    order: 'flaky',
    description: 'Flaky in at least 5 runs and not always failing: their failures are not informative.',
    none: 'No test is flaky often enough to be excluded from the verdict.',
  },
] as const;
export type TestView = (typeof testViews)[number]['value'];

const runsNeeded = 5;

/** A test whose failures are not informative: it flips often and does not always fail. */
const isUnreliable = ({ runs, retried, flipRate, failRate }: TestSummary): boolean =>
  runs >= runsNeeded && failRate < 0.9 && (flipRate >= 0.3 || retried / runs >= 0.3);

export const testsIn = (tests: readonly TestSummary[], view: TestView): readonly TestSummary[] =>
  view === 'quarantine' ? tests.filter(isUnreliable) : tests;
