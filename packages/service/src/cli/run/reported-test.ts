/** One test as a report file tells it. */
export type ReportedTest = {
  feature: string;
  scenario: string;
  state: 'passed' | 'failed' | 'skipped' | 'other';
  /** How often it was tried. */
  attempts: number;
  durationMs: number | null;
  message: string | null;
  stackTrace: string | null;
  file: string | null;
  line: number | null;
  stdout?: string | undefined;
  stderr?: string | undefined;
};

/** A test that passed at once and of which nothing else is known. */
export const reportedTest = (test: Partial<ReportedTest> & { scenario: string }): ReportedTest => ({
  feature: '',
  state: 'passed',
  attempts: 1,
  durationMs: null,
  message: null,
  stackTrace: null,
  file: null,
  line: null,
  ...test,
});
