import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import { Document } from '../../kernel/document.ts';
import { listOf, listPage, paging } from '../../kernel/list.ts';
import type { Proofs } from '../../run-contract/proofs.ts';
import {
  attachmentDeclaration,
  ejectOrWithdraw,
  ejectRunDeclaration,
  ejectRunsDeclaration,
} from '../../run-contract/run-declarations.ts';
import { runSearch } from '../../run-contract/run-search.ts';
import { type RunDetail, runDetail, runState, runSummary } from './contract.ts';
import type { RunQueries } from './run-queries.ts';
import { suiteCommands } from './suite-commands.ts';

/** What the run console's own commands need. */
export type RunsContext = { version: string; runs: RunQueries; proofs: () => Pick<Proofs, 'withdraw'> | null };

const command = commandFor<RunsContext>();
const runId = z.string().describe('Id of the run');

export const ping = command({
  name: 'ping',
  description: 'Name and version of this console.',
  effect: 'read',
  scope: 'open',
  gate: 'never',
  // A publisher that appends anything to its one probe would be silent for the whole run.
  input: z.object({}),
  output: z.object({ tool: z.literal('signalbox'), version: z.string() }),
  rest: { method: 'GET', path: '/api/ping' },
  mcp: false,
  examples: [{ title: 'a publisher asks whether anyone listens', input: {} }],
  run: ({ version }) => ({ tool: 'signalbox' as const, version }),
});

const filters = {
  tag: z.string().optional().describe('Only runs with this tag'),
  suite: z.string().optional(),
  repository: z.string().optional().describe('Root path or owner/name'),
  state: runState.optional(),
  ...runSearch,
};

export const listRuns = command({
  name: 'list_runs',
  description: 'Test runs, newest start first.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'never',
  input: z.strictObject({ ...filters, ...paging }),
  output: listOf(runSummary),
  rest: { method: 'GET', path: '/api/runs' },
  mcp: false,
  examples: [
    { title: 'every run', input: {} },
    { title: 'the live runs with a tag', input: { tag: 'checkout-2/gate', state: 'running' } },
    { title: 'the failed runs of a branch', input: { search: 'main', failed: true } },
    { title: 'a state that does not exist', input: { state: 'paused' }, refused: 'invalid_request' },
  ],
  run: async ({ runs }, { limit, offset, cursor, ...filter }) =>
    listPage(
      await runs.list(filter),
      { limit, offset, cursor },
      (boardRun) => runs.summary(boardRun),
      ({ runId }) => runId,
    ),
});

export const getRun = command({
  name: 'get_run',
  description: 'One run with its scenarios, lanes, recycles, worker faults, stalls and progress.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'never',
  input: z.strictObject({ runId }),
  // A long one comes as a document of the same shape, piece by piece.
  output: runDetail as z.ZodType<RunDetail | Document>,
  rest: { method: 'GET', path: '/api/runs/{runId}' },
  mcp: false,
  examples: [{ title: 'a run that is not there', input: { runId: 'nowhere' }, refused: 'run_not_found' }],
  run: ({ runs }, input) => runs.detail(input.runId),
});

export const exportRun = command({
  name: 'get_run_export',
  description: 'A run as a file: ctrf, junit, html (the run page in one file), or ndjson, its archive byte for byte.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'never',
  input: z.strictObject({ runId, format: z.string().default('ctrf').describe('ctrf, junit, html or ndjson') }),
  output: z.instanceof(Document),
  rest: {
    method: 'GET',
    path: '/api/runs/{runId}/export',
    query: ['format'],
    responseTypes: ['application/json', 'application/xml', 'text/html', 'application/x-ndjson'],
  },
  mcp: false,
  examples: [
    { title: 'a run that is not there', input: { runId: 'nowhere' }, refused: 'run_not_found' },
    { title: 'a format that is not there', input: { runId: 'nowhere', format: 'pdf' }, refused: 'unknown_format' },
  ],
  run: ({ runs }, input) => runs.export(input.runId, input.format),
});

export const getAttachment = command({
  ...attachmentDeclaration,
  name: 'get_run_attachment',
  gate: 'never',
  run: ({ runs }, input) => runs.attachment(input.runId, input.sha256),
});

export const ejectRun = command({
  ...ejectRunDeclaration,
  gate: 'never',
  run: ({ runs, proofs }, input) => ejectOrWithdraw(input, (runId, by) => runs.eject(runId, by), proofs()),
});

export const ejectRuns = command({
  ...ejectRunsDeclaration,
  gate: 'never',
  run: ({ runs }, { by: who, ...filter }) => runs.ejectMany(filter, who),
});

export const commands = [
  ping,
  listRuns,
  ...suiteCommands,
  getRun,
  exportRun,
  getAttachment,
  ejectRun,
  ejectRuns,
] as const;
