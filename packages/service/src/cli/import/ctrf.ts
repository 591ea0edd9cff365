import { z } from 'zod';
import { type ImportedRun, type ImportedTest, outsideTests } from './imported-run.ts';

/** Contains only the members that are needed; reports that lack other required members are accepted. */
const status = z.enum(['passed', 'failed', 'skipped', 'pending', 'other']);
const ctrfTest = z.looseObject({
  name: z.string(),
  status,
  duration: z.number().nullish(),
  suite: z.union([z.array(z.string()), z.string()]).optional(),
  message: z.string().nullish(),
  trace: z.string().nullish(),
  filePath: z.string().nullish(),
  line: z.number().nullish(),
  retries: z.number().nullish(),
  flaky: z.boolean().nullish(),
  retryAttempts: z.array(z.looseObject({ message: z.string().nullish() })).nullish(),
  steps: z.array(z.looseObject({ name: z.string(), status })).nullish(),
});
const ctrfReport = z.looseObject({
  results: z.looseObject({
    tool: z.looseObject({ name: z.string() }).nullish(),
    summary: z
      .looseObject({ start: z.number().nullish(), stop: z.number().nullish(), failed: z.number().nullish() })
      .nullish(),
    tests: z.array(ctrfTest),
    environment: z.looseObject({ reportName: z.string().nullish(), appName: z.string().nullish() }).nullish(),
  }),
});

const outcomes = {
  passed: 'CleanPass',
  failed: 'Failed',
  skipped: 'Skipped',
  pending: 'Skipped',
  other: 'Aborted',
} as const satisfies Record<z.output<typeof status>, ImportedTest['outcome']>;

export const isCtrf = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'results' in value && typeof value.results === 'object';

export function readCtrf(value: unknown): ImportedRun {
  const parsed = ctrfReport.safeParse(value);
  if (!parsed.success) throw new Error(`the file is not a valid CTRF report: ${z.prettifyError(parsed.error)}`);
  const { tool, summary, tests, environment } = parsed.data.results;
  const read = tests.map(testOf);
  const failed = summary?.failed ?? 0;
  const isBad = read.some(({ outcome }) => outcome === 'Failed' || outcome === 'Aborted');
  return {
    suite: environment?.reportName ?? environment?.appName ?? tool?.name ?? '',
    startedAtMs: summary?.start || null,
    stoppedAtMs: summary?.stop || null,
    tests: [...read, ...(failed > 0 && !isBad ? [outsideTests('', '(report)', unshown(failed))] : [])],
  };
}

const unshown = (failed: number): string => `The report counts ${failed} failures, but none of its tests failed.`;

function testOf(test: z.output<typeof ctrfTest>): ImportedTest {
  const suites = [test.suite ?? []].flat();
  const feature = suites.join(' > ');
  return {
    feature,
    // Some writers repeat the suite in the name.
    name: feature !== '' && test.name.startsWith(`${feature}: `) ? test.name.slice(feature.length + 2) : test.name,
    outcome: outcomes[test.status],
    durationMs: Math.max(0, Math.round(test.duration ?? 0)),
    message: test.message ?? null,
    stackTrace: test.trace ?? null,
    file: test.filePath ?? null,
    line: test.line ?? null,
    earlier: earlierOf(test),
    steps: (test.steps ?? []).map((step) => ({ text: step.name, status: stepWord(step.status) })),
  };
}

/** A file may contain any number. */
const earlierAtMost = 100;

/** The errors of earlier attempts; most writers only count attempts or mark the test as flaky. */
function earlierOf({ retryAttempts, retries, flaky, status: word }: z.output<typeof ctrfTest>): (string | null)[] {
  if (retryAttempts && retryAttempts.length > 0) return retryAttempts.map(({ message }) => message ?? null);
  const count = Math.max(Math.floor(retries ?? 0), flaky && word === 'passed' ? 1 : 0);
  return Array.from({ length: Math.min(count, earlierAtMost) }, () => null);
}

const stepWord = (word: z.output<typeof status>): string =>
  word === 'passed' ? 'ok' : word === 'failed' ? 'failed' : 'missing';
