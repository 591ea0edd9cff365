import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import { Document } from '../../kernel/document.ts';
import { listOf, listPage, paging } from '../../kernel/list.ts';
import { suiteBadge } from '../../kernel/suite-badge.ts';
import { suiteSummary } from '../../kernel/suites.ts';
import { testHistory, testHistoryInput, testOrder, testSummary } from '../../kernel/test-history.ts';
import type { RunQueries } from './run-queries.ts';

const command = commandFor<{ runs: RunQueries }>();
const suite = z.string().optional();
const repository = z.string().optional().describe('Root path or owner/name');

const listSuites = command({
  name: 'list_suites',
  description: 'The suites that have runs here, each with verdict and length of its last 50.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'never',
  input: z.strictObject({ suite: suite, repository: repository, ...paging }),
  output: listOf(suiteSummary),
  rest: { method: 'GET', path: '/api/suites' },
  mcp: false,
  examples: [
    { title: 'every suite', input: {} },
    { title: 'the suites of a repository', input: { repository: 'acme/shop' } },
  ],
  run: async ({ runs }, { limit, offset, cursor, ...filter }) =>
    listPage(
      await runs.suites(filter),
      { limit, offset, cursor },
      (suite) => suite,
      ({ repository, suite }) => JSON.stringify([repository, suite]),
    ),
});

const getSuiteBadge = command({
  name: 'suite_badge',
  description: 'A picture of a suite for a README: whether its last run passed, or its last 30 runs as bars.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'never',
  input: z.strictObject({
    suite: z.string().min(1).max(200),
    repository: repository,
    look: z.enum(['badge', 'runs']).default('badge'),
  }),
  output: z.instanceof(Document),
  rest: { method: 'GET', path: '/api/suites/badge', answers: ['image/svg+xml'] },
  mcp: false,
  examples: [
    { title: 'a suite without runs', input: { suite: 'unit' } },
    { title: 'no suite', input: {}, refused: 'invalid_request' },
  ],
  async run({ runs }, { suite, repository, look }) {
    const [summary] = await runs.suites({ suite, repository });
    return new Document('image/svg+xml', suiteBadge(suite, summary, look));
  },
});

const listTests = command({
  name: 'list_tests',
  description: 'Tests by what they did in the newest 50 runs of their suite: flaky, failing now, or slowest.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'never',
  input: z.strictObject({
    suite: suite,
    repository: repository,
    order: testOrder.default('flaky').describe('Which of them, and in which order'),
    ...paging,
  }),
  output: listOf(testSummary),
  rest: { method: 'GET', path: '/api/suites/tests' },
  mcp: false,
  examples: [
    { title: 'the flaky tests of a repository', input: { repository: 'acme/shop' } },
    { title: 'an order that does not exist', input: { order: 'loudest' }, refused: 'invalid_request' },
  ],
  run: async ({ runs }, { limit, offset, cursor, order, ...filter }) =>
    listPage(await runs.tests(filter, order), { limit, offset, cursor }, (test) => test, testKey),
});

const testKey = ({ repository, suite, uid }: { repository: string; suite: string; uid: string }) =>
  JSON.stringify([repository, suite, uid]);

const getTestHistory = command({
  name: 'test_history',
  description: 'The verdicts of one test, newest first, kept for a year and beyond the eject of its runs.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'never',
  input: testHistoryInput,
  output: testHistory,
  rest: { method: 'GET', path: '/api/tests' },
  mcp: false,
  examples: [
    { title: 'a test of which nothing is known', input: { uid: 'cart.test.ts/totals', suite: 'unit' } },
    { title: 'no test', input: { suite: 'unit' }, refused: 'invalid_request' },
  ],
  run: ({ runs }, input) => runs.testHistory(input),
});

export const suiteCommands = [listSuites, getSuiteBadge, listTests, getTestHistory] as const;
