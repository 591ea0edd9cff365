import type { RunSummary, ScenarioView } from '../contract.ts';
import type { FailureView } from './failures.ts';
import { fenceForeignText } from './foreign-text.ts';

type PromptScenario = Pick<ScenarioView, 'scenario' | 'feature' | 'file' | 'line' | 'rerun'>;

const longestText = 4_000;
const framesTold = 6;

/**
 * Everything an agent needs to fix a failure, as text to paste: what failed, where, the compared values, how to run it
 * again. The test run wrote all of it, so it is put between two boundary lines that it cannot contain.
 */
export function agentPrompt(
  run: Pick<RunSummary, 'suite' | 'branch' | 'commit' | 'repository'>,
  test: PromptScenario,
  failures: readonly FailureView[],
  newBoundary: () => string,
): string {
  const at = test.file ? ` (${test.file}${test.line ? `:${test.line}` : ''})` : '';
  const state = [run.branch && `on ${run.branch}`, run.commit && `at ${run.commit.slice(0, 12)}`].filter(Boolean);
  const foreign = [
    `The test "${test.scenario}"${at} fails in the suite ${run.suite}${state.length > 0 ? ` ${state.join(' ')}` : ''}.`,
    ...failures.flatMap((failure, index) => textOf(failure, failures.length > 1 ? index + 1 : null)),
    ...(test.rerun ? ['', 'Run it again:', '', `    ${test.rerun}`] : []),
  ];
  return [
    'A test fails. Find the cause and fix it. Change the test only if the test itself is wrong, and say so.',
    ...fenceForeignText(foreign, newBoundary),
  ].join('\n');
}

function textOf({ name, message, place, compared, frame, stack, trace, causes }: FailureView, number: number | null) {
  const own = stack.filter(({ own }) => own).slice(0, framesTold);
  return [
    '',
    `${number === null ? 'Error' : `Error ${number}`}${name ? ` (${name})` : ''}${place ? ` at ${place.file}:${place.line}` : ''}:`,
    ...indented(message),
    ...(compared ? ['Expected:', ...indented(compared.expected), 'Actual:', ...indented(compared.actual)] : []),
    ...(frame ? ['Code:', ...frame.lines.map((line, index) => codeLine(line, frame.start + index, frame.line))] : []),
    ...(own.length > 1 ? ['Stack:', ...own.map(({ text }) => `    ${text.trim()}`)] : []),
    ...(trace ? ['Traceback:', ...indented(trace)] : []),
    ...causes.flatMap((cause) => ['Caused by:', ...indented(cause)]),
  ];
}

const codeLine = (text: string, number: number, failing: number | null): string =>
  `${number === failing ? '>' : ' '} ${String(number).padStart(4)} | ${text}`;

const indented = (text: string): string[] =>
  (text.length > longestText ? `${text.slice(0, longestText)}…` : text).split('\n').map((line) => `    ${line}`);
