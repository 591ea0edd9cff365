import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import { Document } from '../../kernel/document.ts';
import { listOf, paging } from '../../kernel/list.ts';
import { isRefusal } from '../../kernel/outcome.ts';
import { suiteBadge } from '../../kernel/suite-badge.ts';
import { type SuiteSummary, suiteSummary, suitesOf } from '../../kernel/suites.ts';
import { testHistory, testHistoryInput, testOrder, testSummary } from '../../kernel/test-history.ts';
import { agedList, ageOf } from './aged-list.ts';
import type { RunsContext } from './commands.ts';
import { matchesRun } from './pick-run.ts';
import type { RunList, SuiteFilter } from './ports.ts';

const command = commandFor<RunsContext>();
const suite = z.string().optional();
const repository = z.string().optional().describe('Root path or owner/name');

/** The last received run first. */
const suitesAmong = ({ runs }: RunList, filter: SuiteFilter): SuiteSummary[] =>
  suitesOf(
    runs
      .filter((run) => matchesRun(run, filter))
      .sort((a, b) => ((a.receivedAt ?? '') < (b.receivedAt ?? '') ? 1 : -1)),
  );

const listSuites = command({
  name: 'list_suites',
  description: 'The suites that have runs here, each with verdict and length of its last 50.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'relay',
  input: z.strictObject({ suite, repository, ...paging }),
  output: listOf(suiteSummary),
  rest: { method: 'GET', path: '/api/suites', headers: ageOf },
  mcp: false,
  examples: [{ title: 'every suite', input: {} }],
  async run({ runs }, { limit, offset, cursor, ...filter }) {
    const list = await runs.list();
    return agedList(suitesAmong(list, filter), { limit, offset, cursor }, list.ageMs, (one) =>
      JSON.stringify([one.repository, one.suite]),
    );
  },
});

const getSuiteBadge = command({
  name: 'suite_badge',
  description: 'A picture of a suite for a README: whether its last run passed, or its last 30 runs as bars.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'relay',
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
  async run({ runs }, { look, ...filter }) {
    const [summary] = suitesAmong(await runs.list(), filter);
    return new Document('image/svg+xml', suiteBadge(filter.suite, summary, look));
  },
});

const listTests = command({
  name: 'list_tests',
  description: 'Tests by what they did in the newest 50 runs of their suite: flaky, failing now, or slowest.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'relay',
  input: z.strictObject({
    suite,
    repository,
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
  async run({ runs }, { limit, offset, cursor, order, ...filter }) {
    const tests = await runs.tests(filter, order);
    if (isRefusal(tests)) return tests;
    return agedList(tests, { limit, offset, cursor }, null, (one) =>
      JSON.stringify([one.repository, one.suite, one.uid]),
    );
  },
});

const getTestHistory = command({
  name: 'test_history',
  description: 'The verdicts of one test, newest first, kept for a year and beyond the eject of its runs.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'relay',
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

const getAttachment = command({
  name: 'run_attachment',
  description:
    'A file that a test left behind, by its hash. Pictures, films and plain texts are shown; the rest is saved.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'relay',
  input: z.strictObject({ runId: z.string(), sha256: z.string().describe('As the run names it') }),
  output: z.instanceof(Document),
  rest: {
    method: 'GET',
    path: '/api/runs/{runId}/attachments/{sha256}',
    answers: ['application/octet-stream', 'image/png', 'image/jpeg', 'video/webm', 'text/plain'],
  },
  mcp: false,
  examples: [
    { title: 'a run that is not there', input: { runId: 'nowhere', sha256: 'none' }, refused: 'run_not_found' },
  ],
  run: ({ runs }, input) => runs.attachment(input.runId, input.sha256),
});

export const testCommands = [listSuites, getSuiteBadge, listTests, getTestHistory, getAttachment] as const;
