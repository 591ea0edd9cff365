import { z } from 'zod';
import { Document } from '../kernel/document.ts';

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
    answers: ['application/octet-stream', 'image/png', 'image/jpeg', 'video/webm', 'text/plain'],
  },
  examples: [{ title: 'an unknown run', input: { runId: 'nowhere', sha256: 'none' }, refused: 'run_not_found' }],
} as const;

const by = z
  .string()
  .min(1)
  .max(200)
  .default('anonymous')
  .describe('Who ejects; shown by evidence that relied on the run');

const eject = { effect: 'write', scope: 'admin', destructive: true, mcp: false } as const;

export const ejectRunDeclaration = {
  ...eject,
  name: 'eject_run',
  description: 'Removes one ended run from the board. Its archive is kept until retention deletes it.',
  input: z.strictObject({ runId: z.string().describe('Id of the run'), by }),
  output: z.object({}),
  rest: { method: 'DELETE', path: '/api/runs/{runId}', query: ['by'], status: () => 204 },
  examples: [{ title: 'an unknown run', input: { runId: 'nowhere' }, refused: 'run_not_found' }],
} as const;

export const ejectRunsDeclaration = {
  ...eject,
  name: 'eject_runs',
  description:
    'Removes every ended run that matches the filters from the board, and lists the removed runs. Live runs always stay.',
  input: z.strictObject({
    olderThan: z.string().optional().describe('An instant, or a duration such as 7d, 36h or P7D'),
    exceptRunId: z.array(z.string()).optional().describe('Ids of runs to keep'),
    by,
  }),
  output: z.object({ count: z.int(), runIds: z.array(z.string()) }),
  rest: { method: 'DELETE', path: '/api/runs', query: ['olderThan', 'exceptRunId', 'by'] },
  examples: [
    { title: 'everything that has ended', input: {} },
    { title: 'an invalid age', input: { olderThan: 'last week' }, refused: 'invalid_request' },
    { title: 'an unknown run to keep', input: { exceptRunId: ['nowhere'] }, refused: 'invalid_request' },
  ],
} as const;
