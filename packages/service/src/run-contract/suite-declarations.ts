import { z } from 'zod';
import { Document } from '../kernel/document.ts';
import { listOf, paging } from '../kernel/list.ts';
import { runState } from '../kernel/run-summary.ts';
import { runSearch } from './run-search.ts';
import { suiteSummary } from './suites.ts';
import { testHistory, testHistoryInput, testOrder, testSummary } from './test-history.ts';

/** What both ports tell of suites and tests, said once: each port adds its gate and where it reads them from. */
const common = { effect: 'read', scope: ['read', 'publish'], mcp: false } as const;
const suite = z.string().optional();
const repository = z.string().optional().describe('Root path or owner/name');

export const listSuitesDeclaration = {
  ...common,
  name: 'list_suites',
  description: 'The suites with runs here, each with verdict and duration of its last 50 runs.',
  input: z.strictObject({ suite, repository, state: runState.optional(), ...runSearch, ...paging }),
  output: listOf(suiteSummary),
  rest: { method: 'GET', path: '/api/suites' },
  examples: [
    { title: 'every suite', input: {} },
    { title: 'the suites of a repository', input: { repository: 'acme/shop' } },
    { title: 'the suites whose last run failed', input: { failed: true } },
  ],
} as const;

export const suiteBadgeDeclaration = {
  ...common,
  name: 'suite_badge',
  description: 'A badge of a suite for a README: whether its last run passed, or its last 30 runs as bars.',
  input: z.strictObject({
    suite: z.string().min(1).max(200),
    repository,
    look: z.enum(['badge', 'runs']).default('badge'),
  }),
  output: z.instanceof(Document),
  rest: { method: 'GET', path: '/api/suites/badge', responseTypes: ['image/svg+xml'] },
  examples: [
    { title: 'a suite without runs', input: { suite: 'unit' } },
    { title: 'no suite', input: {}, refused: 'invalid_request' },
  ],
} as const;

export const listTestsDeclaration = {
  ...common,
  name: 'list_tests',
  description: 'Tests by their results in the newest 50 runs of their suite: flaky, failing now, or slowest.',
  input: z.strictObject({
    suite,
    repository,
    order: testOrder.default('flaky').describe('Which of them, and in which order'),
    ...paging,
  }),
  output: listOf(testSummary),
  rest: { method: 'GET', path: '/api/suites/tests' },
  examples: [
    { title: 'the flaky tests of a repository', input: { repository: 'acme/shop' } },
    { title: 'an unknown order', input: { order: 'loudest' }, refused: 'invalid_request' },
  ],
} as const;

export const testHistoryDeclaration = {
  ...common,
  name: 'test_history',
  description: 'The verdicts of one test, newest first, kept for a year, even after its runs are ejected.',
  input: testHistoryInput,
  output: testHistory,
  rest: { method: 'GET', path: '/api/tests' },
  examples: [
    { title: 'an unknown test', input: { uid: 'cart.test.ts/totals', suite: 'unit' } },
    { title: 'no test', input: { suite: 'unit' }, refused: 'invalid_request' },
  ],
} as const;

/** By which a page of a list of suites, or of tests, goes on. */
export const suiteKey = ({ repository, suite }: { repository: string; suite: string }): string =>
  JSON.stringify([repository, suite]);
export const testKey = ({ repository, suite, uid }: { repository: string; suite: string; uid: string }): string =>
  JSON.stringify([repository, suite, uid]);
