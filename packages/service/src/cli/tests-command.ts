import type { Command } from 'commander';
import { type TestOrder, type TestSummary, testOrder } from '../run-contract/test-history.ts';
import { consoleUrlOption, createConsoleClient } from './client.ts';
import { agoText } from './figures.ts';
import { printAnswer, table } from './table.ts';

type Options = { url?: string; json?: boolean; suite?: string; repository?: string; limit: string };

const orders: Readonly<Record<TestOrder, string>> = {
  flaky: 'tests whose verdict changes, or that pass only on retry; the flakiest first',
  failing: 'tests that fail now, and when each began to fail',
  slowest: 'the slowest tests',
};

/** `signalbox tests flaky | failing | slowest`: tests by their results in the newest runs of their suite. */
export function addTests(program: Command): void {
  const tests = program.command('tests').description('tests by their results in the newest 50 runs of their suite');
  for (const order of testOrder.options)
    tests
      .command(order)
      .description(orders[order])
      .option('--suite <name>', 'only tests of this suite')
      .option('--repository <name>', 'only tests of this repository: owner/name, or its path')
      .option('--limit <count>', 'maximum number', '20')
      .option('--json', 'print JSON')
      .option(...consoleUrlOption)
      .action(async ({ url, json, suite, repository, limit }: Options) => {
        const client = createConsoleClient(url);
        const found = await client.call('list_tests', { order, suite, repository, limit: Number(limit) });
        printAnswer(json, found, () => testsText(found, order, Date.now()));
      });
}

const signs = { CleanPass: '.', PassOnRetry: 'r', Failed: 'F', Aborted: 'F', Skipped: 's' } as const;
const percent = (share: number): string => `${Math.round(share * 100)} %`;

export function testsText(tests: readonly TestSummary[], order: TestOrder, now: number): string {
  if (tests.length === 0) return `No ${order} tests in the known runs.\n`;
  const rows = tests.map((test) => [
    test.uid,
    test.thisHostOnly ? `${test.suite} (this host only)` : test.suite,
    // Oldest first.
    test.recent
      .slice(0, 10)
      .map((outcome) => (outcome === null ? '?' : signs[outcome]))
      .reverse()
      .join(''),
    `${test.retried}/${test.runs}`,
    percent(test.failRate),
    test.medianMs === null ? '-' : `${test.medianMs} ms`,
    test.sinceAt === null ? '-' : agoText(test.sinceAt, now),
  ]);
  const [first] = tests;
  return `${table(['TEST', 'SUITE', 'LAST RUNS', 'RETRIED', 'FAILS', 'MEDIAN', 'FAILING SINCE'], rows)}
. passed  r passed on retry  F failed  s skipped  ? no verdict
Next: "signalbox open ${first?.lastRunId.slice(0, 8)}" shows the last run of the first test.
`;
}
