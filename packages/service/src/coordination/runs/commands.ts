import { z } from 'zod';
import type { Clock } from '../../kernel/clock.ts';
import { commandFor } from '../../kernel/command.ts';
import type { Document } from '../../kernel/document.ts';
import { listOf, paging } from '../../kernel/list.ts';
import { isRefusal, type Refusal } from '../../kernel/outcome.ts';
import { defaultWaitSeconds, timeoutSeconds } from '../../kernel/shape.ts';
import {
  ejectOrWithdraw,
  ejectRunDeclaration,
  ejectRunsDeclaration,
  exportDeclaration,
  listRunsDeclaration,
  type Proofs,
  runDeclaration,
} from '../../run-contract/declarations.ts';
import { age, agedList } from './aged-list.ts';
import { failingTests, flakyTest, type RunDetail, type RunSummary, runDetail, runSummary } from './contract.ts';
import { failingTestsOf } from './failing-tests.ts';
import { flakyTestsIn, flakyTestsOf, mostRetriedFirst } from './flaky-tests.ts';
import { matchesRun, pickRun, unknownRun } from './pick-run.ts';
import type { RunSource } from './ports.ts';
import { waitFor } from './wait-for.ts';

export type RunsContext = { runs: RunSource; clock: Clock; proofs: Pick<Proofs, 'withdraw'> };

const command = commandFor<RunsContext>();
const runId = z.string().optional().describe('Default: the live run, otherwise the newest');
const noRun = { title: 'an unknown run', input: { runId: 'nowhere' }, refused: 'run_not_found' } as const;

const listRuns = command({
  ...listRunsDeclaration,
  gate: 'relay',
  rest: { ...listRunsDeclaration.rest, headers: age },
  async run({ runs }, { limit, offset, cursor, ...filter }) {
    const list = await runs.list();
    const wanted = list.runs.filter((run) => matchesRun(run, filter));
    return agedList(wanted, { limit, offset, cursor }, list.ageMs, ({ runId }) => runId);
  },
});

const runStatus = command({
  ...runDeclaration,
  name: 'run_status',
  gate: 'relay',
  input: z.strictObject({ runId }),
  // A long run is streamed as a document of the same shape.
  output: runDetail as z.ZodType<RunDetail | Document>,
  async run({ runs }, input) {
    const picked = await pickRun(runs, input.runId);
    return isRefusal(picked) ? picked : runs.detail(picked);
  },
});

const exportRun = command({
  ...exportDeclaration,
  name: 'export_run',
  description: 'A run as ctrf (default), junit, html or ndjson text.',
  gate: 'relay',
  input: z.strictObject({ runId, format: z.string().default('ctrf') }),
  examples: [
    noRun,
    { title: 'an unknown format', input: { runId: 'nowhere', format: 'pdf' }, refused: 'unknown_format' },
  ],
  async run({ runs }, input) {
    const picked = await pickRun(runs, input.runId);
    return isRefusal(picked) ? picked : runs.export(picked, input.format);
  },
});

const failing = command({
  name: 'failing_tests',
  description: 'The failed tests of a run with file and line, grouped by similar failures.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'relay',
  input: z.strictObject({ runId }),
  output: failingTests,
  examples: [noRun],
  async run({ runs }, input) {
    const picked = await pickRun(runs, input.runId);
    if (isRefusal(picked)) return picked;
    const failing = await runs.failing(picked);
    return isRefusal(failing) ? failing : failingTestsOf(failing.run, failing.scenarios);
  },
});

const flaky = command({
  name: 'flaky_tests',
  description: 'Flaky tests of all hosts: retried, or with verdicts that change; most retried first.',
  effect: 'read',
  scope: ['read', 'publish'],
  gate: 'relay',
  input: z.strictObject({
    suite: z.string().optional(),
    repository: z.string().optional(),
    runId: z.string().optional().meta({ 'x-restOnly': true }),
    ...paging,
  }),
  output: listOf(flakyTest),
  otherTool: { name: 'flaky_ledger' },
  examples: [{ title: 'nothing was retried', input: {} }],
  async run({ runs }, { limit, offset, cursor, runId: only, ...filter }) {
    if (only !== undefined) {
      const run = await runs.get(only);
      if (!run) return unknownRun(only);
      const flaky = mostRetriedFirst(flakyTestsOf([{ run, retried: await runs.retried(run) }]));
      return agedList(flaky, { limit, offset, cursor }, null);
    }
    const tests = await runs.tests(filter, 'flaky');
    if (isRefusal(tests)) return tests;
    // Live runs, and runs of hosts with older versions, are in no history.
    const others = (await runs.list()).runs.filter((run) => matchesRun(run, filter) && runs.isOutsideHistory(run));
    const retried = await Promise.all(others.map(async (run) => ({ run, retried: await runs.retried(run) })));
    const flaky = mostRetriedFirst([...flakyTestsIn(tests), ...flakyTestsOf(retried)]);
    return agedList(flaky, { limit, offset, cursor }, null);
  },
});

const longestWaitSeconds = 50;

const awaitRun = command({
  name: 'await_run',
  description: 'Wait until a run has ended or been orphaned, up to timeoutSeconds (default 40, at most 50).',
  effect: 'read',
  scope: ['read', 'publish'],
  waits: true,
  gate: 'relay',
  input: z.strictObject({ runId, timeoutSeconds }),
  // Other consoles wait up to an hour; here a caller that gets `timeout` asks again.
  otherTool: {
    name: 'await_run_completion',
    arguments: ({ timeoutSeconds: wanted, ...given }) => ({
      ...given,
      ...(typeof wanted === 'number' && { timeoutSeconds: Math.min(wanted, longestWaitSeconds) }),
    }),
  },
  output: z.object({
    outcome: z.enum(['finished', 'orphaned', 'unreadable', 'timeout']),
    run: runSummary,
    waitedSeconds: z.number(),
  }),
  examples: [noRun, { title: 'longer than a client waits', input: { timeoutSeconds: 51 }, refused: 'invalid_request' }],
  async run({ runs, clock }, input) {
    const picked = await pickRun(runs, input.runId);
    if (isRefusal(picked)) return picked;
    const first = (await runs.get(picked)) ?? (await summaryOf(runs, picked));
    if (isRefusal(first)) return first;
    const now = async () => (await runs.get(first.runId)) ?? first;
    const { found, waitedSeconds } = await waitFor(
      { clock, listen: runs.listen },
      input.timeoutSeconds ?? defaultWaitSeconds,
      async () => {
        const run = await now();
        return run.state === 'running' ? undefined : run;
      },
    );
    const run = found ?? (await now());
    return { outcome: run.state === 'running' ? ('timeout' as const) : run.state, run, waitedSeconds };
  },
});

/** The summary of a run that is not on the list yet. */
async function summaryOf(runs: RunSource, runId: string): Promise<RunSummary | Refusal> {
  const failing = await runs.failing(runId);
  return isRefusal(failing) ? failing : failing.run;
}

const ejectRun = command({
  ...ejectRunDeclaration,
  gate: 'relay',
  run: ({ runs, proofs }, input) => ejectOrWithdraw(input, (runId, by) => runs.eject(runId, by), proofs),
});

const ejectRuns = command({
  ...ejectRunsDeclaration,
  gate: 'relay',
  run: ({ runs }, { by: who, ...filter }) => runs.ejectMany(filter, who),
});

export const runCommands = [listRuns, runStatus, exportRun, failing, flaky, awaitRun, ejectRun, ejectRuns] as const;
