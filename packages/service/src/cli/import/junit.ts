import { SaxesParser, type SaxesTagPlain } from 'saxes';
import type { ImportedRun, ImportedTest } from './imported-run.ts';

type Attributes = Record<string, string>;
type JunitProblem = { kind: string; message: string | null; text: string };
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

/** JUnit XML in any of its dialects: suites nested or not, with or without a root around them. */
export function readJunit(xml: string): ImportedRun {
  const reader = new JunitReader();
  const parser = new SaxesParser();
  parser.on('error', (fault) => {
    throw new Error(`the file is not well-formed XML: ${fault.message}`);
  });
  parser.on('opentag', (tag) => reader.open(tag as SaxesTagPlain));
  parser.on('text', (text) => reader.text(text));
  parser.on('cdata', (text) => reader.text(text));
  parser.on('closetag', (tag) => reader.close(tag.name));
  parser.write(xml).close();
  return reader.run();
}

class JunitReader {
  readonly #suites: string[] = [];
  readonly #tests: ImportedTest[] = [];
  #name = '';
  #startedAtMs: number | null = null;
  #case: JunitCase | null = null;
  #problem: JunitProblem | null = null;
  #stream: string | null = null;
  #isJunit = false;

  open({ name, attributes }: SaxesTagPlain): void {
    if (name === 'testsuites' || name === 'testsuite') this.#openSuite(name, attributes);
    else if (name === 'testcase')
      this.#case = { suite: this.#suites.at(-1) ?? '', attributes, problems: [], output: {} };
    else if (this.#case && problemKinds.has(name)) {
      this.#problem = { kind: name, message: attributes.message ?? null, text: '' };
      this.#case.problems.push(this.#problem);
    } else if (this.#case && (name === 'system-out' || name === 'system-err')) this.#stream = name;
  }

  #openSuite(element: string, attributes: Attributes): void {
    this.#isJunit = true;
    if (this.#name === '') this.#name = attributes.name ?? '';
    const at = Date.parse(withZone(attributes.timestamp ?? ''));
    if (!Number.isNaN(at)) this.#startedAtMs = Math.min(this.#startedAtMs ?? at, at);
    if (element === 'testsuite') this.#suites.push(attributes.name ?? '');
  }

  text(text: string): void {
    if (this.#stream && this.#case) {
      this.#case.output[this.#stream] = ((this.#case.output[this.#stream] ?? '') + text).slice(-outputAtMost);
    } else if (this.#problem) this.#problem.text += text;
  }

  close(name: string): void {
    if (name === this.#stream) this.#stream = null;
    if (problemKinds.has(name)) this.#problem = null;
    if (name === 'testsuite') this.#suites.pop();
    if (name !== 'testcase' || !this.#case) return;
    this.#tests.push(testOf(this.#case));
    this.#case = null;
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
    message: last ? messageOf(last) : null,
    stackTrace: (failures.length > 0 ? failures : of('skipped')).map(textOf).filter(Boolean).join('\n') || null,
    file: attributes.file ?? null,
    line: Number.isNaN(line) ? null : line,
    earlier: of('rerunFailure', 'rerunError', 'flakyFailure', 'flakyError').map(messageOf),
    steps: [],
    ...(output['system-out']?.trim() && { stdout: output['system-out'] }),
    ...(output['system-err']?.trim() && { stderr: output['system-err'] }),
  };
}

/** GoogleTest and CTest tell only in an attribute that a test was left out. */
const leftOut = new Set(['notrun', 'disabled', 'suppressed', 'skipped']);

function outcomeOf(
  { status = '', result = '' }: Attributes,
  problems: readonly JunitProblem[],
): ImportedTest['outcome'] {
  const has = (wanted: string) => problems.some(({ kind }) => kind === wanted);
  if (has('failure')) return 'Failed';
  if (has('error')) return 'Aborted';
  return has('skipped') || leftOut.has(status) || leftOut.has(result) ? 'Skipped' : 'CleanPass';
}

/** `1,234.5` has a comma between thousands, `0,25` and `1,5` in place of the point. */
function secondsOf(time: string): number {
  const isPoint = /^(0*,\d+|\d+,(\d{1,2}|\d{4,}))$/.test(time);
  return Number(isPoint ? time.replace(',', '.') : time.replaceAll(',', ''));
}

const textOf = ({ text }: JunitProblem): string => text.trim();
const messageOf = (problem: JunitProblem): string | null => problem.message || textOf(problem) || null;
