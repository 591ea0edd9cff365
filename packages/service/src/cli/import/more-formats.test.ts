import { expect, test } from 'vitest';
import { eventsOf } from './imported-events.ts';
import { readResults } from './read-results.ts';

const runIn = (text: string) => {
  const read = readResults(text);
  if (read.format === 'ndjson') throw new Error('it was read as events');
  return read.run;
};
const figures = (text: string) =>
  runIn(text).tests.map(({ feature, name, outcome, durationMs }) => [feature, name, outcome, durationMs]);

const go = [
  '{"Time":"2026-01-01T10:00:00Z","Action":"start","Package":"example.com/shop"}',
  '{"Action":"run","Package":"example.com/shop","Test":"TestAdds"}',
  '{"Action":"output","Package":"example.com/shop","Test":"TestAdds","Output":"=== RUN   TestAdds\\n"}',
  '{"Action":"output","Package":"example.com/shop","Test":"TestAdds","Output":"    cart_test.go:12: got 1, want 2\\n"}',
  '{"Action":"fail","Package":"example.com/shop","Test":"TestAdds","Elapsed":0.25}',
  '{"Action":"run","Package":"example.com/shop","Test":"TestTable"}',
  '{"Action":"run","Package":"example.com/shop","Test":"TestTable/empty"}',
  '{"Action":"pass","Package":"example.com/shop","Test":"TestTable/empty","Elapsed":0}',
  '{"Action":"pass","Package":"example.com/shop","Test":"TestTable","Elapsed":0.01}',
  '{"Action":"output","Package":"example.com/shop","Test":"TestLater","Output":"    cart_test.go:30: no network\\n"}',
  '{"Action":"skip","Package":"example.com/shop","Test":"TestLater","Elapsed":0}',
  '{"Action":"fail","Package":"example.com/shop","Elapsed":0.3}',
  '# example.com/shop/broken',
  '{"Action":"output","Package":"example.com/shop/broken","Output":"./a.go:3:2: undefined: x\\n"}',
  '{"Time":"2026-01-01T10:00:01Z","Action":"fail","Package":"example.com/shop/broken","Elapsed":0}',
].join('\n');

test('go test -json becomes a run with its subtests, and a package that does not build is listed as a test', () => {
  expect(figures(go)).toEqual([
    ['example.com/shop', 'TestAdds', 'Failed', 250],
    ['example.com/shop', 'TestTable', 'CleanPass', 10],
    ['example.com/shop', 'TestTable/empty', 'CleanPass', 0],
    ['example.com/shop', 'TestLater', 'Skipped', 0],
    ['example.com/shop/broken', '(package)', 'Failed', 0],
  ]);
  expect(runIn(go).tests[0]).toMatchObject({ message: 'got 1, want 2', file: 'cart_test.go', line: 12 });
  expect(runIn(go)).toMatchObject({ startedAtMs: Date.parse('2026-01-01T10:00:00Z') });
});

const trx = `<?xml version="1.0"?>
<TestRun id="1" xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010">
  <Times start="2026-01-01T10:00:00Z" finish="2026-01-01T10:00:02Z"/>
  <Results>
    <UnitTestResult testId="a" testName="Shop.CartTests.Adds" outcome="Passed" duration="00:00:00.0120000"><Output><StdOut>said aloud</StdOut></Output></UnitTestResult>
    <UnitTestResult testId="b" testName="Shop.CartTests.Breaks" outcome="Failed" duration="00:00:01.5000000"><Output><ErrorInfo>
      <Message>expected 1</Message><StackTrace>   at Shop.CartTests.Breaks() in /src/Cart Tests/CartTests.cs:line 12</StackTrace></ErrorInfo></Output></UnitTestResult>
    <UnitTestResult testId="c" testName="Shop.CartTests.Later" outcome="NotExecuted"><Output><ErrorInfo><Message>no network</Message></ErrorInfo></Output></UnitTestResult>
  </Results>
  <TestDefinitions>
    <UnitTest name="Adds" id="a"><TestMethod className="Shop.CartTests" name="Adds"/></UnitTest>
    <UnitTest name="Breaks" id="b"><TestMethod className="Shop.CartTests" name="Breaks"/></UnitTest>
    <UnitTest name="Later" id="c"><TestMethod className="Shop.CartTests, Shop" name="Later"/></UnitTest>
  </TestDefinitions>
</TestRun>`;

test('a TRX file of dotnet test becomes a run with places, reasons and output', () => {
  expect(figures(trx)).toEqual([
    ['Shop.CartTests', 'Adds', 'CleanPass', 12],
    ['Shop.CartTests', 'Breaks', 'Failed', 1500],
    ['Shop.CartTests', 'Later', 'Skipped', 0],
  ]);
  const defaults = { runId: 'r', suite: 's', repository: '/', branch: null, tag: null, writtenAtMs: 0 };
  // biome-ignore lint/suspicious/noExplicitAny: events of any type
  const finished = (eventsOf(runIn(trx), defaults) as any[]).filter(({ type }) => type === 'scenario_finished');
  expect(finished).toMatchObject([
    { stdout: ['said aloud'] },
    {
      file: '/src/Cart Tests/CartTests.cs',
      line: 12,
      errors: [{ message: 'expected 1', stack: expect.stringContaining('CartTests.cs:line 12') }],
    },
    { skipReason: 'no network' },
  ]);
});

const bun = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="bun test" tests="3" assertions="2" failures="1" skipped="1" time="0.02">
  <testsuite name="cart.test.ts" file="cart.test.ts" tests="3" failures="1" skipped="1" time="0.01">
    <testsuite name="cart" file="cart.test.ts" line="3" tests="3">
      <testcase name="adds" classname="cart" time="0.001" file="cart.test.ts" line="4" assertions="1" />
      <testcase name="breaks" classname="cart" time="0.002" file="cart.test.ts" line="7" assertions="1"><failure type="AssertionError" /></testcase>
      <testcase name="later" classname="cart" time="0" file="cart.test.ts" line="9" assertions="0"><skipped message="TODO" /></testcase>
    </testsuite>
  </testsuite>
</testsuites>`;

test('the JUnit files of Bun and Deno keep file, line, reasons and output', () => {
  expect(runIn(bun).tests).toMatchObject([
    { feature: 'cart', name: 'adds', outcome: 'CleanPass', file: 'cart.test.ts', line: 4 },
    { name: 'breaks', outcome: 'Failed', line: 7 },
    { name: 'later', outcome: 'Skipped', message: 'TODO' },
  ]);
  const deno = `<testsuites name="deno test" tests="1" failures="1" errors="0" time="0.1"><testsuite name="./cart_test.ts" tests="1" disabled="0" errors="0" failures="1">
    <testcase name="adds" classname="./cart_test.ts" time="0.01" line="3" col="6"><failure message="Uncaught Error: broken">Error: broken
    at cart_test.ts:4:9</failure><system-out>said aloud</system-out></testcase></testsuite></testsuites>`;
  expect(runIn(deno).tests).toMatchObject([
    {
      feature: './cart_test.ts',
      outcome: 'Failed',
      line: 3,
      stdout: 'said aloud',
      stackTrace: expect.stringContaining(':4:9'),
    },
  ]);
});

const xunitTrx = `\ufeff<?xml version="1.0" encoding="utf-8"?>
<TestRun id="9def9218" name="kim@build 2026-01-02 08:50:24" runUser="kim" xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010">
  <Times creation="2026-01-02T08:50:24.8723274+10:00" queuing="2026-01-02T08:50:24.8723283+10:00" start="2026-01-02T08:50:23.5137164+10:00" finish="2026-01-02T08:50:24.9028186+10:00" />
  <TestSettings name="default" id="62b05707"><Deployment runDeploymentRoot="kim_build_2026-01-02" /></TestSettings>
  <Results>
    <UnitTestResult executionId="e1" testId="t1" testName="Shop.CartTests.Sums(expected: False)" computerName="build" duration="00:00:00.0024407" startTime="2026-01-02T08:50:24.6816889+10:00" endTime="2026-01-02T08:50:24.6816923+10:00" testType="13cdc9d9" outcome="Failed" testListId="8c84fa94" relativeResultsDirectory="e1">
      <Output>
        <StdOut>said aloud</StdOut>
        <ErrorInfo>
          <Message>Assert.Equal() Failure&#xD;
Expected: False&#xD;
Actual:   True</Message>
          <StackTrace>   at Shop.CartTests.Sums(Boolean expected) in /src/Shop.Tests/CartTests.cs:line 29</StackTrace>
        </ErrorInfo>
      </Output>
    </UnitTestResult>
    <UnitTestResult executionId="e2" testId="t2" testName="Shop.CartTests.Adds" computerName="build" duration="00:00:00.0012345" testType="13cdc9d9" outcome="Passed" testListId="8c84fa94" relativeResultsDirectory="e2" />
    <UnitTestResult executionId="e3" testId="t3" testName="Shop.CartTests.Skips" computerName="build" duration="00:00:00.0010000" testType="13cdc9d9" outcome="NotExecuted" testListId="8c84fa94" relativeResultsDirectory="e3"><Output><StdOut>not today</StdOut></Output></UnitTestResult>
  </Results>
  <TestDefinitions>
    <UnitTest name="Shop.CartTests.Sums(expected: False)" storage="/src/shop.tests.dll" id="t1"><Execution id="e1" /><TestMethod codeBase="/src/Shop.Tests.dll" adapterTypeName="executor://xunit/VsTestRunner2/netcoreapp" className="Shop.CartTests" name="Sums" /></UnitTest>
    <UnitTest name="Shop.CartTests.Adds" storage="/src/shop.tests.dll" id="t2"><Execution id="e2" /><TestMethod className="Shop.CartTests" name="Adds" /></UnitTest>
    <UnitTest name="Shop.CartTests.Skips" storage="/src/shop.tests.dll" id="t3"><Execution id="e3" /><TestMethod className="Shop.CartTests" name="Skips" /></UnitTest>
  </TestDefinitions>
  <TestEntries><TestEntry testId="t1" executionId="e1" testListId="8c84fa94" /></TestEntries>
  <TestLists><TestList name="Results Not in a List" id="8c84fa94" /></TestLists>
  <ResultSummary outcome="Failed">
    <Counters total="3" executed="2" passed="1" failed="1" error="0" timeout="0" aborted="0" inconclusive="0" passedButRunAborted="0" notRunnable="0" notExecuted="0" disconnected="0" warning="0" completed="0" inProgress="0" pending="0" />
    <Output><StdOut>[xUnit.net 00:00:00.00] xUnit.net VSTest Adapter v2.4.3</StdOut></Output>
    <RunInfos>
      <RunInfo computerName="build" outcome="Error" timestamp="2026-01-02T08:50:24.6773984+10:00"><Text>[xUnit.net 00:00:00.55]     Shop.CartTests.Sums(expected: False) [FAIL]</Text></RunInfo>
      <RunInfo computerName="build" outcome="Warning" timestamp="2026-01-02T08:50:24.6831347+10:00"><Text>[xUnit.net 00:00:00.56]     Shop.CartTests.Skips [SKIP]</Text></RunInfo>
    </RunInfos>
  </ResultSummary>
</TestRun>`;

test('a TRX file of xUnit has each failed test once, although its run messages repeat it', () => {
  expect(figures(xunitTrx)).toEqual([
    ['Shop.CartTests', 'Sums(expected: False)', 'Failed', 2],
    ['Shop.CartTests', 'Adds', 'CleanPass', 1],
    ['Shop.CartTests', 'Skips', 'Skipped', 1],
  ]);
  const gone = xunitTrx.replace('Sums(expected: False) [FAIL]', 'Vanished [FAIL]');
  expect(figures(gone).at(-1)).toEqual(['', '(run)', 'Failed', null]);
});

test('the rows of a data-driven test are tests; the test itself is one only if it failed outside its rows', () => {
  const row = (name: string, outcome: string) => `<UnitTestResult testName="${name}" outcome="${outcome}"/>`;
  const around = (outcome: string, rows: string) =>
    `<TestRun><Results><UnitTestResult testName="Sums" outcome="${outcome}" resultType="DataDrivenTest"><Output><ErrorInfo><Message>outer</Message></ErrorInfo></Output><InnerResults>${rows}</InnerResults></UnitTestResult></Results></TestRun>`;
  const [one, two] = [row('Sums (Data Row 0)', 'Passed'), row('Sums (Data Row 1)', 'Failed')];
  const names = (text: string) => runIn(text).tests.map(({ name, outcome }) => `${name}: ${outcome}`);
  expect(names(around('Failed', one + two))).toEqual(['Sums (Data Row 0): CleanPass', 'Sums (Data Row 1): Failed']);
  expect(names(around('Failed', one))).toEqual(['Sums (Data Row 0): CleanPass', 'Sums: Failed']);
  expect(runIn(around('Failed', one)).tests[1]?.message).toBe('outer');
});

const surefire = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="https://maven.apache.org/surefire/maven-surefire-plugin/xsd/surefire-test-report.xsd" name="shop.CartTest" time="0.339" tests="5" errors="2" skipped="1" failures="2">
  <properties>
    <property name="java.specification.version" value="17"/>
  </properties>
  <testcase name="breaks" classname="shop.CartTest" time="0.147">
    <failure message="sums expected:&lt;4&gt; but was:&lt;3&gt;" type="java.lang.AssertionError"><![CDATA[java.lang.AssertionError: sums expected:<4> but was:<3>
	at java.base/java.util.ArrayList.forEach(ArrayList.java:1511)
	at shop.CartTest.breaks(CartTest.java:7)
]]></failure>
    <rerunFailure message="sums expected:&lt;4&gt; but was:&lt;3&gt;" type="java.lang.AssertionError">
      <stackTrace><![CDATA[java.lang.AssertionError: sums expected:<4> but was:<3>
]]></stackTrace>
      <system-out>of the rerun</system-out>
    </rerunFailure>
  </testcase>
  <testcase name="errors" classname="shop.CartTest" time="0.001">
    <error message="went wrong" type="java.lang.IllegalStateException">java.lang.IllegalStateException: went wrong
	at app//shop.CartTest$Inner.errors(CartTest.java:8)
</error>
    <system-out>said aloud</system-out>
  </testcase>
  <testcase name="adds" classname="shop.CartTest" time="0.003"/>
  <testcase name="flaky" classname="shop.CartTest" time="0">
    <flakyFailure message="not yet" type="java.lang.AssertionError">
      <stackTrace>java.lang.AssertionError: not yet</stackTrace>
    </flakyFailure>
  </testcase>
  <testcase name="skips" classname="shop.CartTest" time="0">
    <skipped message="no network"/>
  </testcase>
</testsuite>`;

test('a Surefire file has locations, attempts and reasons, and keeps the output of a rerun apart', () => {
  const of = (name: string) => runIn(surefire).tests.find((one) => one.name === name);
  expect(of('breaks')).toMatchObject({ outcome: 'Failed', file: 'shop/CartTest.java', line: 7 });
  expect(of('breaks')).toMatchObject({ earlier: ['sums expected:<4> but was:<3>'] });
  expect(of('breaks')?.stdout).toBeUndefined();
  expect(of('errors')).toMatchObject({ outcome: 'Failed', line: 8, message: 'went wrong', stdout: 'said aloud' });
  expect(of('flaky')).toMatchObject({ outcome: 'CleanPass', earlier: ['not yet'] });
  expect(of('skips')).toMatchObject({ outcome: 'Skipped', message: 'no network' });
  expect(runIn(surefire).tests).toHaveLength(5);
});

const nextest = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nextest-run" tests="3" failures="1" errors="0" uuid="6ab8bd34" timestamp="2026-01-01T10:00:00.000+00:00" time="0.083">
    <testsuite name="shop" tests="3" disabled="0" errors="0" failures="1">
        <testcase name="tests::adds" classname="shop" timestamp="2026-01-01T10:00:00.000+00:00" time="0.004">
        </testcase>
        <testcase name="tests::breaks" classname="shop" timestamp="2026-01-01T10:00:00.000+00:00" time="0.005">
            <failure message="thread &apos;tests::breaks&apos; panicked at src/lib.rs:9:27:&#10;assertion \`left == right\` failed: sums&#10;  left: 3&#10; right: 4" type="test failure with exit code 101">thread &apos;tests::breaks&apos; panicked at src/lib.rs:9:27:
assertion \`left == right\` failed: sums
  left: 3
 right: 4
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace</failure>
            <system-out>running 1 test</system-out>
        </testcase>
        <testcase name="tests::flaky" classname="shop" timestamp="2026-01-01T10:00:00.000+00:00" time="0.004">
            <flakyFailure timestamp="2026-01-01T10:00:00.000+00:00" time="0.003" message="not yet" type="test failure with exit code 101"><stackTrace>not yet</stackTrace><system-out>first</system-out></flakyFailure>
        </testcase>
    </testsuite>
</testsuites>`;

test('a JUnit file of cargo nextest has the assertion, file and line of a panic', () => {
  expect(figures(nextest)).toEqual([
    ['shop', 'tests::adds', 'CleanPass', 4],
    ['shop', 'tests::breaks', 'Failed', 5],
    ['shop', 'tests::flaky', 'CleanPass', 4],
  ]);
  const [, breaks, flaky] = runIn(nextest).tests;
  expect(breaks).toMatchObject({ file: 'src/lib.rs', line: 9, message: expect.stringMatching(/^assertion .* sums/) });
  expect(flaky).toMatchObject({ earlier: ['not yet'] });
});
