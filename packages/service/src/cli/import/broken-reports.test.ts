import { expect, test } from 'vitest';
import { figuresOf } from './imported-events.ts';
import { readResults } from './read-results.ts';

const suite = (inside: string, attributes = '') =>
  `<testsuites><testsuite name="s" ${attributes}>${inside}</testsuite></testsuites>`;
const good = '<testcase classname="c" name="good" time="0.1"/>';
const trx = (results: string, summary: string) => `<TestRun><Results>${results}</Results>${summary}</TestRun>`;
const passed = '<UnitTestResult testId="a" testName="A" outcome="Passed" duration="00:00:00.1"/>';
const info = (outcome: string) =>
  `<ResultSummary outcome="Completed"><RunInfos><RunInfo outcome="${outcome}"><Text>Test host process crashed</Text></RunInfo></RunInfos></ResultSummary>`;
const goPass = [
  '{"Action":"run","Package":"p","Test":"A"}',
  '{"Action":"pass","Package":"p","Test":"A","Elapsed":0.1}',
];

/** Reports of runners that broke: none of them may count as a success. */
const broken: Record<string, string> = {
  'JUnit: an error of the suite': suite(`${good}<error message="died">stack</error>`, 'errors="1"'),
  'JUnit: a failure of the suite': suite(`${good}<failure>died</failure>`),
  'JUnit: an error of an outer suite': `<testsuites>${`<testsuite name="o">${suite(good)}<error/></testsuite>`}</testsuites>`,
  'JUnit: errors that no test shows': suite(good, 'errors="1"'),
  'JUnit: failures that no test shows': suite(good, 'failures="2"'),
  'JUnit: failures that only the root counts': `<testsuites failures="1"><testsuite name="s">${good}</testsuite></testsuites>`,
  'JUnit: an error of a test': suite(`${good}<testcase name="b"><error/></testcase>`),
  'JUnit: cut in a test': suite(good).slice(0, -40),
  'JUnit: cut between suites': suite(good).slice(0, -13),
  'JUnit: two documents': `${suite(good)}${suite(good)}`,
  'JUnit: no test': suite(''),
  'JUnit: nothing but its root': '<testsuites/>',
  'JUnit: all skipped': suite('<testcase name="a"><skipped/></testcase>'),
  'CTest: a program that is not there': suite(
    `${good}<testcase name="m" status="notrun"><skipped message="Unable to find executable"/></testcase>`,
  ),
  'CTest: no tests': '<testsuite name="(empty)" tests="0" failures="0" disabled="0" skipped="0"></testsuite>',
  'TRX: a failed summary': trx(passed, '<ResultSummary outcome="Failed"/>'),
  'TRX: an aborted summary': trx(passed, '<ResultSummary outcome="Aborted"/>'),
  'TRX: a host that crashed': trx(passed, info('Error')),
  'TRX: a run that failed': trx(passed, info('Failed')),
  'TRX: cut': trx(passed, '').slice(0, -12),
  'TRX: a test that was aborted': trx(passed.replace('Passed', 'Aborted'), ''),
  'TAP: fewer tests than planned': '1..5\nok 1 - a\nok 2 - b\n',
  'TAP: more tests than planned': '1..1\nok 1 - a\nok 2 - b\n',
  'TAP: a bail out': '1..2\nok 1 - a\nBail out! database gone\n',
  'TAP: a bail out after all': '1..1\nok 1 - a\nBail out! database gone\n',
  'TAP: no plan': 'TAP version 14\nok 1 - a\n',
  'TAP: prove and a file that died': 't/a.t .. \n1..1\nok 1 - a\nDubious, test returned 255 (wstat 65280, 0xff00)\n',
  'Go: a package that does not build': [...goPass, '{"Action":"pass","Package":"p"}', 'FAIL\tq [build failed]'].join(
    '\n',
  ),
  'Go: the same, said first': ['FAIL\tq [build failed]', ...goPass, '{"Action":"pass","Package":"p"}'].join('\n'),
  'Go: the same, as Go 1.24 says it': [
    '{"ImportPath":"q","Action":"build-output","Output":"# q\\n./a.go:3:5: undefined: x\\n"}',
    '{"ImportPath":"q","Action":"build-fail"}',
    ...goPass,
    '{"Action":"fail","Package":"q","FailedBuild":"q"}',
  ].join('\n'),
  'Go: a package that fails after its tests': [...goPass, '{"Action":"fail","Package":"p"}'].join('\n'),
  'Go: a test without a verdict': [...goPass, '{"Action":"run","Package":"p","Test":"B"}'].join('\n'),
  'cargo: a binary that died': 'running 2 tests\ntest a ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored\n',
  'cargo: cut': 'running 2 tests\ntest a ... ok\ntest result: \ntest b ... ',
  'cargo: an event stream that ends early':
    '{"type":"suite","event":"started","test_count":2}\n{"type":"test","event":"ok","name":"a"}\n',
  'TeamCity: a test without an end':
    "##teamcity[testStarted name='a']\n##teamcity[testFinished name='a']\n##teamcity[testStarted name='b']\n",
  'TeamCity: a suite without an end':
    "##teamcity[testSuiteStarted name='s']\n##teamcity[testStarted name='a']\n##teamcity[testFinished name='a']\n",
  'RSpec: an error outside of examples': JSON.stringify({
    examples: [{ description: 'a', full_description: 'a', status: 'passed', file_path: './a.rb' }],
    summary: { errors_outside_of_examples_count: 1 },
    messages: ['An error occurred while loading ./b_spec.rb.'],
  }),
  'CTRF: a test of another state':
    '{"results":{"tests":[{"name":"a","status":"passed"},{"name":"b","status":"other"}]}}',
  'CTRF: cut': '{"results":{"tests":[{"name":"a","status":"passed"}',
  'CTRF: failures that no test shows': '{"results":{"summary":{"failed":2},"tests":[{"name":"a","status":"passed"}]}}',
};

/** The console's rule for an imported run: exit code 0, no failure, and at least one pass. */
function isGreen(text: string): boolean {
  try {
    const read = readResults(text);
    if (!('run' in read)) return false;
    const { exitCode, passed: good, passedOnRetry } = figuresOf(read.run.tests);
    return exitCode === 0 && good + passedOnRetry > 0;
  } catch {
    return false;
  }
}

test.each(Object.entries(broken))('%s is not green', (_, text) => {
  expect(isGreen(text)).toBe(false);
});

test('the same files without the error are green', () => {
  expect(Object.keys(broken).length).toBeGreaterThanOrEqual(30);
  const whole = [
    suite(good),
    trx(passed, '<ResultSummary outcome="Completed"/>'),
    '1..2\nok 1 - a\nok 2 - b\n',
    [...goPass, '{"Action":"pass","Package":"p"}'].join('\n'),
    'running 1 test\ntest a ... ok\n\ntest result: ok. 1 passed; 0 failed; 0 ignored\n',
    "##teamcity[testStarted name='a']\n##teamcity[testFinished name='a']\n",
    '{"results":{"summary":{"failed":0},"tests":[{"name":"a","status":"passed"}]}}',
  ];
  expect(whole.map(isGreen)).toEqual(whole.map(() => true));
});
