import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { goHeadline } from './go-headline.ts';
import { type ImportedRun, type ImportedTest, outsideTests } from './imported-run.ts';
import { jvmPlace } from './jvm-place.ts';
import { rustFailure } from './libtest.ts';

type Attributes = Record<string, string>;
type JunitProblem = { kind: string; type: string; message: string | null; text: string };
type JunitSuite = { name: string; problems: JunitProblem[]; claimed: number; bad: number };
type JunitCase = { suite: string; attributes: Attributes; problems: JunitProblem[]; output: Record<string, string> };

const outputAtMost = 64 * 1024;
const problemKinds = new Set([
  'failure',
  'error',
  'skipped',
  'rerunFailure',
  'rerunError',
  'flakyFailure',
  'flakyError',
]);

/** JUnit XML in any dialect: with nested or flat suites, with or without a root element. */
export function readJunit(xml: string): ImportedRun {
  const reader = new JunitReader();
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', (fault) => {
    throw new Error(`the file is not well-formed XML: ${fault.message}`);
  });
  parser.on('opentag', (tag) => reader.open(tag));
  parser.on('text', (text) => reader.text(text));
  parser.on('cdata', (text) => reader.text(text));
  parser.on('closetag', (tag) => reader.close(tag.name));
  parser.write(xml).close();
  return reader.run();
}

class JunitReader {
  readonly #suites: JunitSuite[] = [];
  readonly #tests: ImportedTest[] = [];
  #name = '';
  #startedAtMs: number | null = null;
  #case: JunitCase | null = null;
  #problem: JunitProblem | null = null;
  #stream: string | null = null;
  #isJunit = false;

  open({ name, attributes }: SaxesTagPlain): void {
    if (name === 'testsuites' || name === 'testsuite') this.#openSuite(attributes);
    else if (name === 'testcase')
      this.#case = { suite: this.#suites.at(-1)?.name ?? '', attributes, problems: [], output: {} };
    else if (problemKinds.has(name)) {
      this.#problem = { kind: name, type: attributes.type ?? '', message: attributes.message ?? null, text: '' };
      (this.#case ?? this.#suites.at(-1))?.problems.push(this.#problem);
    } else if (this.#case && !this.#problem && (name === 'system-out' || name === 'system-err')) this.#stream = name;
  }

  #openSuite(attributes: Attributes): void {
    this.#isJunit = true;
    if (this.#name === '') this.#name = attributes.name ?? '';
    const at = Date.parse(withZone(attributes.timestamp ?? ''));
    if (!Number.isNaN(at)) this.#startedAtMs = Math.min(this.#startedAtMs ?? at, at);
    const claimed = (Number(attributes.failures) || 0) + (Number(attributes.errors) || 0);
    this.#suites.push({ name: attributes.name ?? '', problems: [], claimed, bad: 0 });
  }

  text(text: string): void {
    if (this.#stream && this.#case) {
      this.#case.output[this.#stream] = ((this.#case.output[this.#stream] ?? '') + text).slice(-outputAtMost);
    } else if (this.#problem) this.#problem.text += text;
  }

  close(name: string): void {
    if (name === this.#stream) this.#stream = null;
    if (problemKinds.has(name)) this.#problem = null;
    if (name === 'testsuite' || name === 'testsuites') this.#closeSuite();
    if (name !== 'testcase' || !this.#case) return;
    const test = testOf(this.#case);
    this.#tests.push(test);
    if (this.#case.problems.some(({ kind }) => kind === 'failure' || kind === 'error')) this.#count();
    this.#case = null;
  }

  /** Failures of the suite itself: an error outside its tests, or more failures than its tests have. */
  #closeSuite(): void {
    const suite = this.#suites.pop();
    if (!suite) return;
    const said = suite.problems.filter(({ kind }) => kind === 'failure' || kind === 'error');
    for (const problem of said) {
      this.#tests.push(outsideTests(suite.name, '(suite)', messageOf(problem) ?? 'The suite failed.', textOf(problem)));
      suite.bad += 1;
    }
    const above = this.#suites.at(-1);
    if (suite.claimed > 0 && suite.bad === 0) {
      const text = `The report counts ${suite.claimed} failures, but none of its tests failed.`;
      this.#tests.push(outsideTests(suite.name, '(suite)', text));
      suite.bad += 1;
    }
    if (above) above.bad += suite.bad;
  }

  #count(): void {
    const suite = this.#suites.at(-1);
    if (suite) suite.bad += 1;
  }

  run(): ImportedRun {
    if (!this.#isJunit) throw new Error('the file is XML but not a JUnit report: it has no testsuite');
    return { suite: this.#name, startedAtMs: this.#startedAtMs, stoppedAtMs: null, tests: this.#tests };
  }
}

const withZone = (timestamp: string): string => (/(Z|[+-]\d\d:?\d\d)$/i.test(timestamp) ? timestamp : `${timestamp}Z`);

function testOf({ suite, attributes, problems, output }: JunitCase): ImportedTest {
  const of = (...kinds: string[]) => problems.filter(({ kind }) => kinds.includes(kind));
  const failures = of('failure', 'error');
  const [last] = failures.length > 0 ? failures : of('skipped');
  const line = Number.parseInt(attributes.line ?? '', 10);
  return {
    feature: attributes.classname || suite,
    name: attributes.name || 'unnamed',
    outcome: outcomeOf(attributes, problems),
    durationMs: Math.max(0, Math.round(secondsOf(attributes.time ?? '0') * 1000) || 0),
    message: last ? (messageOf(last, attributes) ?? lastLineOf(output)) : null,
    stackTrace: (failures.length > 0 ? failures : of('skipped')).map(textOf).filter(Boolean).join('\n') || null,
    file: attributes.file ?? null,
    line: Number.isNaN(line) ? null : line,
    ...(last && saidElsewhere(last, attributes)),
    earlier: of('rerunFailure', 'rerunError', 'flakyFailure', 'flakyError').map((one) => messageOf(one)),
    steps: [],
    ...(output['system-out']?.trim() && { stdout: output['system-out'] }),
    ...(output['system-err']?.trim() && { stderr: output['system-err'] }),
  };
}

/** GoogleTest and CTest mark a skipped test only by an attribute. */
const leftOut = new Set(['notrun', 'disabled', 'suppressed', 'skipped']);

function outcomeOf(
  { status = '', result = '' }: Attributes,
  problems: readonly JunitProblem[],
): ImportedTest['outcome'] {
  const has = (wanted: string) => problems.some(({ kind }) => kind === wanted);
  if (problems.some(isRisky)) return 'Skipped';
  if (has('failure') || has('error')) return 'Failed';
  if (status === 'notrun' && problems.some(({ kind, message }) => kind === 'skipped' && isBrokenOff(message)))
    return 'Failed';
  return has('skipped') || leftOut.has(status) || leftOut.has(result) ? 'Skipped' : 'CleanPass';
}

/** PHPUnit writes a risky test as an error, but neither counts it nor fails because of it. */
const isRisky = ({ type }: JunitProblem): boolean => type.endsWith('RiskyTestError') || type.endsWith('RiskyTest');

/** CTest calls all of these "Not Run", counts them as failed, and writes them as skipped. */
const brokenOff = [
  'Unable to find executable',
  'Required Files Missing',
  'Fixture dependency failed',
  'Missing Configuration',
  'Insufficient resources',
  'Unable to find required file',
];
const isBrokenOff = (message: string | null): boolean => brokenOff.some((start) => message?.startsWith(start));

/** Details for which the text of a failure is more exact than its attributes. */
function saidElsewhere(problem: JunitProblem, { classname = '', file }: Attributes): Partial<ImportedTest> | null {
  if (isOfGo(problem)) return goPlace(problem);
  if (isOfRust(problem)) {
    const { message, file: source, line } = rustFailure(problem.text);
    return { message, file: source, line };
  }
  return file === undefined ? jvmPlace(problem.text, classname) : null;
}

/** cargo nextest copies the whole panic into the message. */
const isOfRust = ({ type, text }: JunitProblem): boolean => type.startsWith('test ') && text.includes(' panicked at ');

/** gotestsum calls every failure "Failed"; the output of Go is more specific. */
const isOfGo = ({ message, text }: JunitProblem): boolean =>
  message === 'Failed' && /^(?:=== RUN|---|[ \t]{1,20}[^\s:]{1,500}\.go:)/m.test(text);
function goPlace({ text }: JunitProblem) {
  const { message, file, line } = goHeadline(text);
  return { message: message ?? 'Failed', ...(file !== null && { file, line }) };
}

/** In `1,234.5` the comma separates thousands; in `0,25` and `1,5` it replaces the decimal point. */
function secondsOf(time: string): number {
  const isPoint = /^(0*,\d+|\d+,(\d{1,2}|\d{4,}))$/.test(time);
  return Number(isPoint ? time.replace(',', '.') : time.replaceAll(',', ''));
}

/** CTest failures have no message, so the last printed line is used. */
const lastLineOf = (output: Record<string, string>): string | null =>
  Object.values(output).join('\n').trimEnd().split('\n').at(-1)?.trim() || null;

const textOf = ({ text }: JunitProblem): string => text.trim();

/** PHPUnit has no message, only a text that begins with the test's name. */
function messageOf(problem: JunitProblem, { name = '', classname = '' }: Attributes = {}): string | null {
  const text = textOf(problem);
  const own = `${classname}::${name}`;
  const [first = '', second = ''] = text.split('\n');
  const bats = /^\(in test file \S+, line \d+\)$/.test(first) && second !== '';
  const said =
    problem.message ||
    (bats ? second.trim() : null) ||
    (name !== '' && first.startsWith(own) && second !== '' ? second : text) ||
    null;
  return isRisky(problem) ? `risky: ${said ?? ''}` : said;
}
