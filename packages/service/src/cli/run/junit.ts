import { type SaxesAttributePlain, SaxesParser } from 'saxes';
import { type Reported, reported } from './reported.ts';

type Attributes = Record<string, string | SaxesAttributePlain>;
const verdicts = { failure: 'failed', error: 'failed', skipped: 'skipped' } as const;
const earlier = new Set(['flakyFailure', 'flakyError', 'rerunFailure', 'rerunError']);

const attribute = (attributes: Attributes, name: string): string | null => {
  const value = attributes[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

/** Tests of a JUnit file; null when it is none, or broken. */
export function readJunit(content: string): Reported[] | null {
  const parser = new SaxesParser();
  const tests: Reported[] = [];
  const suites: string[] = [];
  let open: Reported | null = null;
  let inside: string | null = null;
  let words = '';
  let root: string | null = null;
  let broken = false;

  parser.on('error', () => {
    broken = true;
  });
  parser.on('opentag', ({ name, attributes }) => {
    root ??= name;
    if (name === 'testsuite') suites.push(attribute(attributes, 'name') ?? '');
    if (name === 'testcase') open = testOf(attributes, suites.at(-1) ?? '');
    if (open) tell(open, name, attributes);
    inside = name;
    words = '';
  });
  parser.on('text', (part) => (words += part));
  parser.on('cdata', (part) => (words += part));
  parser.on('closetag', ({ name }) => {
    if (open && name === inside && name in verdicts && words.trim() !== '') open.stackTrace = words.trim();
    if (open) open.message ??= open.state === 'failed' ? (open.stackTrace?.split('\n')[0] ?? null) : null;
    if (name === 'testcase' && open) {
      tests.push(open);
      open = null;
    }
    if (name === 'testsuite') suites.pop();
  });
  parser.write(content).close();
  return broken || (root !== 'testsuites' && root !== 'testsuite') ? null : tests;
}

function testOf(attributes: Attributes, suite: string): Reported {
  const seconds = Number(attribute(attributes, 'time') ?? Number.NaN);
  const line = Number(attribute(attributes, 'line') ?? Number.NaN);
  return reported({
    feature: attribute(attributes, 'classname') ?? suite,
    scenario: attribute(attributes, 'name') ?? '(no name)',
    durationMs: Number.isFinite(seconds) ? Math.round(seconds * 1000) : null,
    file: attribute(attributes, 'file'),
    line: Number.isInteger(line) ? line : null,
  });
}

function tell(test: Reported, name: string, attributes: Attributes): void {
  if (name in verdicts) {
    test.state = verdicts[name as keyof typeof verdicts];
    test.message = attribute(attributes, 'message');
  }
  if (earlier.has(name)) test.attempts++;
}
