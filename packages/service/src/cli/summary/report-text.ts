import { paint, visible } from '../table.ts';
import type { ReportedFailure, RunReport } from './run-report.ts';

const placeOf = ({ file, line }: ReportedFailure): string =>
  file === null ? '' : line === null ? file : `${file}:${line}`;
const linesOf = (text: string): string[] => text.trimEnd().split('\n').map(visible);

/** For a terminal. */
export function reportText(report: RunReport): string {
  const lines = [
    paint('bold', visible(report.title)),
    ...(report.facts.length > 0 ? [`  ${visible(report.facts.join(', '))}`] : []),
    ...report.failures.flatMap((failure, index) => ['', ...failureLines(failure, index + 1)]),
    ...(report.moreFailures > 0 ? ['', `and ${report.moreFailures} more failures`] : []),
    ...report.faults.flatMap((fault) => ['', `${paint('red', 'worker fault')}  ${visible(fault)}`]),
    ...(report.flaky.length > 0 ? ['', 'Passed on retry:'] : []),
    ...report.flaky.map(({ name, attempts, reason }) =>
      visible(`  ${name} (${attempts} attempts)${reason ? `: ${reason}` : ''}`),
    ),
    ...(report.moreFlaky > 0 ? [`  and ${report.moreFlaky} more`] : []),
    '',
    ...(report.url === null ? [] : [report.url]),
  ];
  return `${lines.join('\n')}\n`;
}

function failureLines(failure: ReportedFailure, number: number): string[] {
  const place = placeOf(failure);
  return [
    `${paint('red', `${number}. ${visible(failure.name)}`)}`,
    ...(place ? [`   ${visible(place)}`] : []),
    ...linesOf(failure.message).map((line) => `   ${line}`),
    ...(failure.expected !== null && failure.actual !== null
      ? [
          ...linesOf(failure.expected).map((line) => paint('green', `   - ${line}`)),
          ...linesOf(failure.actual).map((line) => paint('red', `   + ${line}`)),
        ]
      : []),
    ...(failure.rerun ? [`   $ ${visible(failure.rerun)}`] : []),
  ];
}

/**
 * The report for a pull request or a step summary. Texts from tests are escaped, so that they are never rendered as
 * Markdown or HTML.
 */
export function reportMarkdown(report: RunReport): string {
  const lines = [
    `## ${inline(report.title)}`,
    '',
    ...(report.facts.length > 0 ? [inline(report.facts.join(', ')), ''] : []),
    ...report.failures.flatMap(failureMarkdown),
    ...(report.moreFailures > 0 ? [`and ${report.moreFailures} more failures`, ''] : []),
    ...report.faults.flatMap((fault) => ['**Worker fault**', '', ...fenced(fault, ''), '']),
    ...(report.flaky.length > 0 ? ['| Passed on retry | Attempts | Reason |', '|---|---|---|'] : []),
    ...report.flaky.map(
      ({ name, attempts, reason }) => `| ${inline(name)} | ${attempts} | ${inline(reason?.split('\n')[0] ?? '')} |`,
    ),
    ...(report.moreFlaky > 0 ? [`| and ${report.moreFlaky} more | | |`] : []),
    ...(report.flaky.length > 0 ? [''] : []),
    ...(report.url === null ? [] : [`[The run](${report.url})`]),
    '',
  ];
  return lines.join('\n');
}

function failureMarkdown(failure: ReportedFailure): string[] {
  const place = placeOf(failure);
  const diff =
    failure.expected !== null && failure.actual !== null
      ? fenced(
          [
            ...failure.expected.split('\n').map((line) => `- ${line}`),
            ...failure.actual.split('\n').map((line) => `+ ${line}`),
          ].join('\n'),
          'diff',
        )
      : [];
  return [
    `### ${inline(failure.name)}`,
    '',
    ...(place ? [`\`${place.replaceAll('`', "'")}\``, ''] : []),
    ...fenced(failure.message, ''),
    '',
    ...(diff.length > 0 ? [...diff, ''] : []),
    ...(failure.rerun ? [...fenced(failure.rerun, 'sh'), ''] : []),
  ];
}

/** A fence longer than any in the text, so that the text cannot close it. */
function fenced(text: string, language: string): string[] {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((ticks) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return [fence + language, text.trimEnd(), fence];
}

const inline = (text: string): string =>
  visible(text)
    .replace(/[\\`*_{}[\]<>()#+!|~]/g, (sign) => (sign === '<' ? '&lt;' : sign === '>' ? '&gt;' : `\\${sign}`))
    .replaceAll('@', '&#64;');

/** GitHub shows ten errors of a step at most. */
const mostAnnotations = 10;

/** Workflow commands that show each failure at its line in a pull request. */
export function reportAnnotations(report: RunReport): string {
  const failures = report.failures.slice(0, mostAnnotations).map(({ name, file, line, message }) => {
    const place = file === null ? '' : `file=${property(file)},${line === null ? '' : `line=${line},`}`;
    return `::error ${place}title=${property(name)}::${data(message)}`;
  });
  const faults = report.faults.slice(0, 3).map((fault) => `::error title=Worker fault::${data(fault)}`);
  const flaky = report.flaky
    .slice(0, 3)
    .map(({ name, attempts }) => `::warning title=Passed on retry::${data(`${name} (${attempts} attempts)`)}`);
  return [...failures, ...faults, ...flaky].map((line) => `${line}\n`).join('');
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
