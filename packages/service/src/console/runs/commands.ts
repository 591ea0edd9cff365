import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import { Document } from '../../kernel/document.ts';
import { listPage } from '../../kernel/list.ts';
import {
  attachmentDeclaration,
  ejectOrWithdraw,
  ejectRunDeclaration,
  ejectRunsDeclaration,
  exportDeclaration,
  listRunsDeclaration,
  listSuitesDeclaration,
  listTestsDeclaration,
  type Proofs,
  runDeclaration,
  suiteBadgeDeclaration,
  suiteKey,
  testHistoryDeclaration,
  testKey,
} from '../../run-contract/declarations.ts';
import { suiteBadge } from '../../run-contract/suite-badge.ts';
import { type RunDetail, runDetail } from './contract.ts';
import type { RunQueries } from './run-queries.ts';

/** The dependencies of the run console's own commands. */
export type RunsContext = { version: string; runs: RunQueries; proofs: () => Pick<Proofs, 'withdraw'> | null };

const command = commandFor<RunsContext>();
const runId = z.string().describe('Id of the run');

const ping = command({
  name: 'ping',
  description: 'Name and version of this console.',
  effect: 'read',
  scope: 'open',
  gate: 'never',
  // Unknown members are accepted: a publisher whose only probe is refused would publish nothing for the whole run.
  input: z.object({}),
  output: z.object({ tool: z.literal('signalbox'), version: z.string() }),
  rest: { method: 'GET', path: '/api/ping' },
  mcp: false,
  examples: [{ title: 'a publisher checks that a console answers', input: {} }],
  run: ({ version }) => ({ tool: 'signalbox' as const, version }),
});

const listRuns = command({
  ...listRunsDeclaration,
  gate: 'never',
  mcp: false,
  run: async ({ runs }, { limit, offset, cursor, ...filter }) =>
    listPage(
      await runs.list(filter),
      { limit, offset, cursor },
      (boardRun) => runs.summary(boardRun),
      ({ runId }) => runId,
    ),
});

const getRun = command({
  ...runDeclaration,
  name: 'get_run',
  gate: 'never',
  input: z.strictObject({ runId }),
  // A long run is streamed as a document of the same shape.
  output: runDetail as z.ZodType<RunDetail | Document>,
  mcp: false,
  run: ({ runs }, input) => runs.detail(input.runId),
});

const exportRun = command({
  ...exportDeclaration,
  name: 'get_run_export',
  description: 'A run as a file: ctrf, junit, html (the run page in one file), or ndjson, its archive byte for byte.',
  gate: 'never',
  mcp: false,
  input: z.strictObject({ runId, format: z.string().default('ctrf').describe('ctrf, junit, html or ndjson') }),
  examples: [
    { title: 'an unknown run', input: { runId: 'nowhere' }, refused: 'run_not_found' },
    { title: 'an unknown format', input: { runId: 'nowhere', format: 'pdf' }, refused: 'unknown_format' },
  ],
  run: ({ runs }, input) => runs.export(input.runId, input.format),
});

const getAttachment = command({
  ...attachmentDeclaration,
  name: 'get_run_attachment',
  gate: 'never',
  run: ({ runs }, input) => runs.attachment(input.runId, input.sha256),
});

const ejectRun = command({
  ...ejectRunDeclaration,
  gate: 'never',
  run: ({ runs, proofs }, input) => ejectOrWithdraw(input, (runId, by) => runs.eject(runId, by), proofs()),
});

const ejectRuns = command({
  ...ejectRunsDeclaration,
  gate: 'never',
  run: ({ runs }, { by: who, ...filter }) => runs.ejectMany(filter, who),
});

const listSuites = command({
  ...listSuitesDeclaration,
  gate: 'never',
  run: async ({ runs }, { limit, offset, cursor, ...filter }) =>
    listPage(await runs.suites(filter), { limit, offset, cursor }, (suite) => suite, suiteKey),
});

const getSuiteBadge = command({
  ...suiteBadgeDeclaration,
  gate: 'never',
  async run({ runs }, { suite, repository, look }) {
    const [summary] = await runs.suites({ suite, repository });
    return new Document('image/svg+xml', suiteBadge(suite, summary, look));
  },
});

const listTests = command({
  ...listTestsDeclaration,
  gate: 'never',
  run: async ({ runs }, { limit, offset, cursor, order, ...filter }) =>
    listPage(await runs.tests(filter, order), { limit, offset, cursor }, (test) => test, testKey),
});

const getTestHistory = command({
  ...testHistoryDeclaration,
  gate: 'never',
  run: ({ runs }, input) => runs.testHistory(input),
});

export const commands = [
  ping,
  listRuns,
  listSuites,
  getSuiteBadge,
  listTests,
  getTestHistory,
  getRun,
  exportRun,
  getAttachment,
  ejectRun,
  ejectRuns,
] as const;
