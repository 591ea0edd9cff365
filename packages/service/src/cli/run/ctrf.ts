import { type Reported, reported } from './reported.ts';

type CtrfTest = {
  name?: unknown;
  status?: unknown;
  duration?: unknown;
  message?: unknown;
  trace?: unknown;
  suite?: unknown;
  filePath?: unknown;
  line?: unknown;
  retries?: unknown;
};

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const whole = (value: unknown): number | null => (typeof value === 'number' ? Math.round(value) : null);
const states = { passed: 'passed', failed: 'failed', skipped: 'skipped', pending: 'skipped' } as const;

/** Tests of a CTRF document; null when it is none. */
export function readCtrf(content: string): Reported[] | null {
  const document = parsed(content) as { results?: { tests?: unknown } } | null;
  const tests = document?.results?.tests;
  if (!Array.isArray(tests)) return null;
  return (tests as CtrfTest[]).map((test) => {
    const suite = Array.isArray(test.suite) ? test.suite.join(' > ') : text(test.suite);
    return reported({
      feature: suite ?? text(test.filePath) ?? '',
      scenario: text(test.name) ?? '(no name)',
      state: states[test.status as keyof typeof states] ?? 'other',
      attempts: (whole(test.retries) ?? 0) + 1,
      durationMs: whole(test.duration),
      message: text(test.message),
      stackTrace: text(test.trace),
      file: text(test.filePath),
      line: whole(test.line),
    });
  });
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}
