import { expect, test } from 'vitest';
import { LibtestStream } from './libtest.ts';
import { PrintedResults } from './printed-results.ts';
import { readResults } from './read-results.ts';
import type { ResultStream, StreamNews } from './result-stream.ts';
import { TapStream } from './tap.ts';

const testsIn = (text: string) => {
  const read = readResults(text);
  return 'run' in read ? read.run.tests : [];
};
const rows = (news: readonly StreamNews[]) =>
  news.map((one) =>
    'ended' in one
      ? `${one.ended.feature}/${one.ended.name}: ${one.ended.outcome}`
      : `${one.started.feature}/${one.started.name}`,
  );
const feed = (stream: ResultStream, text: string, from: 'stdout' | 'stderr' = 'stdout') =>
  text.split('\n').flatMap((line) => stream.line(line, from));

const goOutput = (lines: readonly string[]) =>
  [
    '{"Action":"run","Package":"p","Test":"T"}',
    ...lines.map((Output) => JSON.stringify({ Action: 'output', Package: 'p', Test: 'T', Output: `${Output}\n` })),
    '{"Action":"fail","Package":"p","Test":"T","Elapsed":0.5}',
  ].join('\n');

test.each([
  [['    a_test.go:4: context first', '    a_test.go:11: boom'], 'boom', 'a_test.go', 11],
  [['    a_test.go:5: got 1', '        want 2', '    a_test.go:6: cleanup'], 'got 1\n        want 2', 'a_test.go', 5],
  [
    [
      'panic: kaboom [recovered]',
      '\tpanic: kaboom',
      '',
      'goroutine 7 [running]:',
      'testing.tRunner.func1.2()',
      '\t/go/src/testing/testing.go:1396 +0x1c8',
      'p.boom(...)',
      '\t/src/p/a_test.go:3',
    ],
    'panic: kaboom',
    '/src/p/a_test.go',
    3,
  ],
  [
    [
      '==================',
      'WARNING: DATA RACE',
      'Read at 0x00c by goroutine 8:',
      '  p.T.func1()',
      '      /src/p/r_test.go:3 +0x34',
      '    testing.go:1319: race detected during execution of test',
    ],
    'DATA RACE: Read at 0x00c by goroutine 8',
    '/src/p/r_test.go',
    3,
  ],
  [
    [
      '    a_test.go:9: ',
      '        \tError Trace:\t/src/p/a_test.go:9',
      '        \tError:      \tNot equal: ',
      '        \t            \texpected: 1',
      '        \tTest:       \tT',
    ],
    'Not equal:\nexpected: 1',
    'a_test.go',
    9,
  ],
])('a failed Go test has the error as its headline, and its location', (lines, message, file, line) => {
  expect(testsIn(goOutput(lines))).toMatchObject([{ outcome: 'Failed', message, file, line }]);
});

test("a Go package that does not build has the compiler's error", () => {
  const old = [
    '# q [q.test]',
    './a.go:3:5: undefined: x',
    'FAIL\tq [build failed]',
    '{"Action":"run","Package":"p","Test":"T"}',
  ];
  expect(testsIn(old.join('\n'))).toMatchObject([
    { feature: 'p', name: 'T', outcome: 'Aborted' },
    { feature: 'q', name: '(package)', message: 'undefined: x', file: './a.go', line: 3 },
  ]);
});

test('a Go test that printed an unfinished line has the verdict after it', () => {
  const lines = [
    '{"Action":"run","Package":"p","Test":"TestPartial"}',
    '{"Action":"output","Package":"p","Test":"TestPartial","Output":"no newline--- PASS: TestPartial (0.00s)\\n"}',
    '{"Action":"pass","Package":"p","Elapsed":0.1}',
  ];
  expect(testsIn(lines.join('\n'))).toMatchObject([{ name: 'TestPartial', outcome: 'CleanPass' }]);
});

test('gotestsum calls every failure "Failed", so its reason comes from the Go output', () => {
  const xml = `<testsuites><testsuite name="p" failures="1"><testcase classname="p" name="T"><failure message="Failed" type="">=== RUN   T
    a_test.go:4: context first
    a_test.go:11: boom
--- FAIL: T (0.00s)
</failure></testcase></testsuite></testsuites>`;
  expect(testsIn(xml)).toMatchObject([{ message: 'boom', file: 'a_test.go', line: 11 }]);
});

const proved = `t/a.t ... 
ok 1 - loads
not ok 2 - sums
# Subtest: inner
    1..2
    ok 1 - in one
    not ok 2 - in two
not ok 3 - inner
not ok 4 - later # TODO not yet
ok 5 # skip no network
1..5
Dubious, test returned 2 (wstat 512, 0x200)
Failed 2/5 subtests 
t/aa.t .. 
1..1
ok 1 - loads
ok
t/b.t ... 
1..5
ok 1 - loads
Dubious, test returned 255 (wstat 65280, 0xff00)
t/c.t ... skipped: not here`;

test('prove -v gives as many tests as prove counts, each under its file', () => {
  const stream = new TapStream();
  const said =
    "#   Failed test 'sums'\n#   at t/a.t line 2.\n#          got: '1'\n#     expected: '2'\n# Looks like you failed";
  const news = [...feed(stream, said, 'stderr'), ...feed(stream, proved), ...stream.end()];
  expect(rows(news).sort()).toEqual(
    [
      't/a.t/loads: CleanPass',
      't/a.t/later: Skipped',
      't/a.t/test 5: Skipped',
      't/a.t/sums: Failed',
      't/a.t/inner: Failed',
      't/aa.t/loads: CleanPass',
      't/b.t/loads: CleanPass',
      't/b.t/(file): Failed',
      't/c.t/(file): Skipped',
    ].sort(),
  );
  const of = (name: string) => news.flatMap((one) => ('ended' in one && one.ended.name === name ? one.ended : []))[0];
  expect(of('sums')).toMatchObject({ message: "got: '1', expected: '2'", file: 't/a.t', line: 2 });
  expect(of('inner')).toMatchObject({ message: 'in two', steps: [{ text: 'in one' }, { status: 'failed' }] });
  expect(of('(file)')).toMatchObject({ message: expect.stringContaining('5 tests were planned, 1 ran.') });
});

test('TAP of bats has messages, locations, reasons and files', () => {
  const tap =
    "1..3\nsuite /src/t.bats\nbegin 1 adds\nok 1 adds\nbegin 2 breaks\nnot ok 2 breaks\n# (in test file t.bats, line 2)\n#   `[ 1 -eq 2 ]' failed\n# printed\nok 3 later # skip no network";
  const stream = new TapStream();
  const news = [...feed(stream, tap), ...stream.end()];
  expect(rows(news)[0]).toBe('/src/t.bats/adds');
  const tests = news.flatMap((one) => ('ended' in one ? one.ended : []));
  expect(tests).toMatchObject([
    { name: 'adds', outcome: 'CleanPass' },
    { name: 'breaks', outcome: 'Failed', message: "`[ 1 -eq 2 ]' failed", file: 't.bats', line: 2 },
    { name: 'later', outcome: 'Skipped', message: 'no network' },
  ]);
});

const libtest = `
running 3 tests
test tests::adds ... ok
test tests::breaks ... FAILED
test tests::skips ... ignored, no network

failures:

---- tests::breaks stdout ----
printed

thread 'tests::breaks' (8873) panicked at src/lib.rs:10:48:
assertion \`left == right\` failed: sums
  left: 3
 right: 4
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace


failures:
    tests::breaks

test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.28s

running 1 test
test adds ... ok

test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s
`;

test('cargo test is read binary by binary, ignored tests and messages included', () => {
  const stream = new LibtestStream();
  feed(stream, '     Running unittests src/lib.rs (target/debug/deps/shop-ec084cd823696bdf)', 'stderr');
  const first = feed(stream, libtest);
  expect(rows(first)).toContain('shop src/lib.rs/tests::adds: CleanPass');
  expect(rows(first)).not.toContain('/adds: CleanPass');
  const rest = feed(stream, '     Running tests/cart.rs (target/debug/deps/cart-56f7c27ff79e5b97)', 'stderr');
  expect(rows([...rest, ...stream.end()])).toEqual(['cart tests/cart.rs/adds: CleanPass']);
  const failed = first.flatMap((one) => ('ended' in one && one.ended.outcome === 'Failed' ? one.ended : []));
  expect(failed).toMatchObject([
    {
      name: 'tests::breaks',
      message: 'assertion `left == right` failed: sums\n  left: 3\n right: 4',
      file: 'src/lib.rs',
      line: 10,
    },
  ]);
  expect(testsIn(libtest)).toHaveLength(4);
});

test("PHPUnit: an exception is a failure, a risky test is not, and the headline is not the test's name", () => {
  const xml = `<testsuites><testsuite name="CartTest" errors="2" failures="1">
    <testcase name="testBreaks" classname="CartTest"><failure type="ExpectationFailedException">CartTest::testBreaks
Failed asserting that 2 is identical to 1.

/src/CartTest.php:4</failure></testcase>
    <testcase name="testThrows" classname="CartTest"><error type="RuntimeException">CartTest::testThrows
RuntimeException: went wrong</error></testcase>
    <testcase name="testRisky" classname="CartTest"><error type="PHPUnit\\Framework\\RiskyTestError">CartTest::testRisky
This test did not perform any assertions</error></testcase></testsuite></testsuites>`;
  expect(testsIn(xml)).toMatchObject([
    { outcome: 'Failed', message: 'Failed asserting that 2 is identical to 1.' },
    { outcome: 'Failed', message: 'RuntimeException: went wrong' },
    { outcome: 'Skipped', message: 'risky: This test did not perform any assertions' },
  ]);
});

test('TRX: messages are kept apart from the error, and durations may include days', () => {
  const result = (outcome: string, texts: string) =>
    `<UnitTestResult testId="a" testName="A" outcome="${outcome}" duration="1.00:00:02"><Output>${texts}<TextMessages><Message>extra info</Message></TextMessages></Output></UnitTestResult>`;
  const xml = `<TestRun><Results>${result('Failed', '<ErrorInfo><Message>sum</Message></ErrorInfo>')}${result('Passed', '')}</Results></TestRun>`;
  expect(testsIn(xml)).toMatchObject([
    { outcome: 'Failed', message: 'sum', durationMs: 86_402_000 },
    { outcome: 'CleanPass', message: null },
  ]);
});

test('results of every format are read as they are printed, and other lines are ignored', () => {
  const go = new PrintedResults();
  expect(feed(go, 'building\n{"Action":"run","Package":"p","Test":"T"}')).toEqual([
    { started: { feature: 'p', name: 'T' } },
  ]);
  const xml = new PrintedResults();
  expect(feed(xml, '<testsuite name="s">\n<testcase name="a"/>\n</testsuite>')).toEqual([]);
  expect(rows(xml.end())).toEqual(['s/a: CleanPass']);
  const nothing = new PrintedResults();
  feed(nothing, 'hello');
  expect(nothing.end()).toEqual([]);
  expect(nothing.unread).toContain('what the command printed is not in a known format');
});
