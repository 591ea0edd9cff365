import { appendFileSync } from 'node:fs';
import { errorCode } from '../../kernel/error-code.ts';
import { CallFailed, exitCodes } from '../client.ts';
import { reportAnnotations, reportMarkdown, reportText } from './report-text.ts';
import type { RunReport } from './run-report.ts';

export type SummaryFormat = 'text' | 'markdown' | 'github';
export const summaryFormats: readonly SummaryFormat[] = ['text', 'markdown', 'github'];

type Env = Readonly<Record<string, string | undefined>>;

/** The output. `github` prints annotations and writes the Markdown to the step summary. */
export function writeSummary(report: RunReport, format: SummaryFormat, env: Env): string {
  if (format === 'text') return reportText(report);
  if (format === 'markdown') return reportMarkdown(report);
  const file = env.GITHUB_STEP_SUMMARY?.trim();
  if (file) append(file, reportMarkdown(report));
  return reportAnnotations(report);
}

function append(file: string, text: string): void {
  try {
    appendFileSync(file, `${text}\n`);
  } catch (fault) {
    const code = errorCode(fault);
    throw new CallFailed(`GITHUB_STEP_SUMMARY (${file}) cannot be written (${code}).`, exitCodes.refused);
  }
}
