import { z } from 'zod';
import { Document } from '../kernel/document.ts';
import { listOf, paging } from '../kernel/list.ts';
import { isRefusal, type Refusal, refuse, refuseShape } from '../kernel/outcome.ts';
import { runState, runSummary } from '../kernel/run-summary.ts';
import { runSearch } from './run-search.ts';
import { suiteSummary } from './suites.ts';
import { testHistory, testHistoryInput, testOrder, testSummary } from './test-history.ts';

// Commands that both ports have. Each port adds its gate and its sources.

const listRunsInput = z.strictObject({
  tag: z.string().optional(),
  suite: z.string().optional(),
  repository: z.string().optional().describe('Root path or owner/name'),
  state: runState.optional(),
  ...runSearch,
  ...paging,
});

export const listRunsDeclaration = {
  name: 'list_runs',
  description: 'Test runs, newest start first.',
  effect: 'read',
  scope: ['read', 'publish'],
  input: listRunsInput,
  output: listOf(runSummary),
  rest: { method: 'GET', path: '/api/runs' },
  examples: [
    { title: 'every run', input: {} },
    { title: 'the live runs with a tag', input: { tag: 'checkout-2/gate', state: 'running' } },
    { title: 'the failed runs of a branch', input: { search: 'main', failed: true } },
    { title: 'an unknown state', input: { state: 'paused' }, refused: 'invalid_request' },
  ],
} as const;

/** The name, input and output of this command differ between the ports. */
export const runDeclaration = {
  description: 'One run with its scenarios, lanes, recycles, worker faults, stalls and progress.',
  effect: 'read',
  scope: ['read', 'publish'],
  rest: { method: 'GET', path: '/api/runs/{runId}' },
  examples: [{ title: 'an unknown run', input: { runId: 'nowhere' }, refused: 'run_not_found' }],
} as const;

/** The name, description and input of this command differ between the ports. */
export const exportDeclaration = {
  effect: 'read',
  scope: ['read', 'publish'],
  output: z.instanceof(Document),
  rest: {
    method: 'GET',
    path: '/api/runs/{runId}/export',
    query: ['format'],
    responseTypes: ['application/json', 'application/xml', 'text/html', 'application/x-ndjson'],
  },
} as const;

/** The name of this command differs between the ports. */
export const attachmentDeclaration = {
  effect: 'read',
  scope: ['read', 'publish'],
  mcp: false,
  description:
    'A file that a test attached, by its hash. Images, videos and plain text open in the browser; other types are downloaded.',
  input: z.strictObject({ runId: z.string(), sha256: z.string().describe('File name, as the run names it') }),
  output: z.instanceof(Document),
  rest: {
    method: 'GET',
    path: '/api/runs/{runId}/attachments/{sha256}',
    responseTypes: ['application/octet-stream', 'image/png', 'image/jpeg', 'video/webm', 'text/plain'],
  },
  examples: [{ title: 'an unknown run', input: { runId: 'nowhere', sha256: 'none' }, refused: 'run_not_found' }],
} as const;

const by = z
  .string()
  .min(1)
  .max(200)
  .default('anonymous')
  .describe('The person who asks for it; the history of a node names who withdrew its proof');

const eject = { effect: 'write', destructive: true, mcp: false } as const;

const ejectInput = z.strictObject({
  runId: z.string().describe('Id of the run'),
  by,
  withdraw: z
    .boolean()
    .optional()
    .describe('true: also take back what the run proved, and judge its nodes by the remaining runs'),
  dryRun: z.boolean().optional().describe('With withdraw: only list the nodes that would be reopened'),
});

export const ejectRunDeclaration = {
  ...eject,
  name: 'eject_run',
  description:
    'Removes one ended run from the board. Its archive is kept until retention deletes it, and what it proved stays proven. With `withdraw` (scope author) its proof is taken back, and the answer lists the nodes that are no longer done.',
  scope: 'author',
  scopeFor: ({ withdraw }: z.output<typeof ejectInput>) => (withdraw ? 'author' : 'admin'),
  input: ejectInput,
  output: z.object({
    runId: z.string().optional(),
    reopened: z.array(z.string()).optional().describe('plan/node of each node that is no longer done'),
  }),
  rest: {
    method: 'DELETE',
    path: '/api/runs/{runId}',
    query: ['by', 'withdraw', 'dryRun'],
    status: ({ reopened }: { reopened?: unknown }) => (reopened === undefined ? 204 : 200),
    statuses: [200, 204],
  },
  examples: [
    { title: 'an unknown run', input: { runId: 'nowhere' }, refused: 'run_not_found' },
    { title: 'the proof of an unknown run', input: { runId: 'nowhere', withdraw: true }, refused: 'run_not_found' },
  ],
} as const;

/** Runs `eject_run` on either port, with that port's runs and proofs. */
export async function ejectOrWithdraw(
  { runId, by, withdraw, dryRun = false }: z.output<typeof ejectInput>,
  eject: (runId: string, by: string) => Promise<Refusal | Record<string, never>>,
  proofs: Pick<Proofs, 'withdraw'> | null,
): Promise<Refusal | { runId?: string; reopened?: string[] }> {
  if (!withdraw) {
    if (dryRun) return refuseShape([{ path: 'dryRun', message: 'needs withdraw=true' }]);
    return eject(runId, by);
  }
  if (!proofs) return refuse('run_not_found', noPlans);
  const answer = await proofs.withdraw(runId, by, dryRun);
  return isRefusal(answer) ? answer : { ...answer, reopened: [...answer.reopened] };
}

const noPlans =
  'This console holds no plans, so no run proves anything here. Send the request to the coordination service.';

export const ejectRunsDeclaration = {
  ...eject,
  scope: 'admin',
  name: 'eject_runs',
  description:
    'Removes every ended run that matches the filters from the board, and lists the removed runs. Live runs always stay.',
  input: z.strictObject({
    olderThan: z
      .string()
      .optional()
      .describe(
        'An instant, or a duration such as 7d, 36h, P7D or 36:00:00; compared with the start of a run, otherwise with its arrival',
      ),
    exceptRunId: z.array(z.string()).optional().describe('Ids of runs to keep, repeated or with commas between them'),
    by,
  }),
  output: z.object({ count: z.int(), runIds: z.array(z.string()) }),
  rest: { method: 'DELETE', path: '/api/runs', query: ['olderThan', 'exceptRunId', 'by'] },
  examples: [
    { title: 'everything that has ended', input: {} },
    { title: 'an invalid age', input: { olderThan: 'last week' }, refused: 'invalid_request' },
    { title: 'an unknown run to keep', input: { exceptRunId: ['nowhere'] } },
  ],
} as const;

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
    order: testOrder.default('flaky').describe('Which tests, and in which order'),
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

/** Cursors of a list of suites and of a list of tests. */
export const suiteKey = ({ repository, suite }: { repository: string; suite: string }): string =>
  JSON.stringify([repository, suite]);
export const testKey = ({ repository, suite, uid }: { repository: string; suite: string; uid: string }): string =>
  JSON.stringify([repository, suite, uid]);

/** A run whose proof was withdrawn, and the nodes that are no longer done because of it. */
export type WithdrawnProof = { runId: string; reopened: readonly string[] };

/** The proofs by runs, in a process that holds plans. */
export type Proofs = {
  /** Resolves once every ended run has been examined as evidence; false if that was not possible. */
  settle(): Promise<boolean>;
  /** Withdraws what a run proved and ejects it; `dryRun` only lists the nodes that would be reopened. */
  withdraw(runId: string, by: string, dryRun: boolean): Promise<WithdrawnProof | Refusal>;
};
