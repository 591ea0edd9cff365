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

test('go test -json becomes a run with its subtests, and a package that does not build stands for itself', () => {
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
