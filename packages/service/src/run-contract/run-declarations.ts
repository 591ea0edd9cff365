import { z } from 'zod';
import { Document } from '../kernel/document.ts';
import { isRefusal, type Refusal, refuse, refuseShape } from '../kernel/outcome.ts';
import type { Proofs } from './proofs.ts';

// What both ports do with runs in the same way, said once: each port adds its gate and whom it asks.

/** Without a name: each port has its own word for it. */
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
  .describe('Who asks for it; the history of a node names who withdrew its proof');

const eject = { effect: 'write', destructive: true, mcp: false } as const;

const ejectInput = z.strictObject({
  runId: z.string().describe('Id of the run'),
  by,
  withdraw: z
    .boolean()
    .optional()
    .describe('true: also take back what the run proved, and judge its nodes by the runs that are left'),
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

/** What both ports do with it, each with its own runs and its own proofs. */
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

const noPlans = 'This console holds no plans, so no run proves anything here. Send it to the coordination service.';

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
      .describe('An instant, or a duration such as 7d, 36h, P7D or 36:00:00; by the start, else by the arrival'),
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
