import { z } from 'zod';
import { type ImportedRun, type ImportedTest, importedTest, outsideTests } from './imported-run.ts';

const rspecReport = z.looseObject({
  examples: z.array(
    z.looseObject({
      description: z.string(),
      full_description: z.string(),
      status: z.enum(['passed', 'failed', 'pending']),
      file_path: z.string(),
      line_number: z.number().nullish(),
      run_time: z.number().nullish(),
      pending_message: z.string().nullish(),
      exception: z.looseObject({ message: z.string().nullish(), backtrace: z.array(z.string()).nullish() }).nullish(),
    }),
  ),
  summary: z.looseObject({ errors_outside_of_examples_count: z.number().nullish() }).nullish(),
  messages: z.array(z.string()).nullish(),
});

type Example = z.output<typeof rspecReport>['examples'][number];

export const isRspec = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'examples' in value &&
  Array.isArray(value.examples) &&
  'summary' in value;

/** The report of `rspec --format json`. */
export function readRspec(value: unknown): ImportedRun {
  const parsed = rspecReport.safeParse(value);
  if (!parsed.success) throw new Error(`the file is not a valid report of RSpec: ${z.prettifyError(parsed.error)}`);
  const { examples, summary, messages } = parsed.data;
  const text = (messages ?? []).join('\n').trim();
  const outside = summary?.errors_outside_of_examples_count ?? 0;
  const said = text.split('\n').find((line) => line.trim() !== '') ?? `${outside} errors outside of examples`;
  return {
    suite: '',
    startedAtMs: null,
    stoppedAtMs: null,
    tests: [...examples.map(testOf), ...(outside > 0 ? [outsideTests('', '(outside of examples)', said, text)] : [])],
  };
}

const outcomes = { passed: 'CleanPass', failed: 'Failed', pending: 'Skipped' } as const;

function testOf(example: Example): ImportedTest {
  const file = example.file_path.replace(/^\.\//, '');
  const stack = (example.exception?.backtrace ?? []).join('\n');
  const message = example.exception?.message?.trim();
  return importedTest({
    feature: file,
    name: example.full_description.trim() || example.description,
    outcome: outcomes[example.status],
    durationMs: Math.round((example.run_time ?? 0) * 1000),
    message: (example.status === 'pending' ? example.pending_message : message) || null,
    stackTrace: example.status === 'failed' ? stack || null : null,
    file,
    line: lineIn(stack, file) ?? example.line_number ?? null,
  });
}

/** The location of the failure, not of the example. */
function lineIn(stack: string, file: string): number | null {
  const at = stack.indexOf(`${file}:`);
  return at < 0 ? null : Number.parseInt(stack.slice(at + file.length + 1), 10) || null;
}
