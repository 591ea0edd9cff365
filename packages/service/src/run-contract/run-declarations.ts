import { z } from 'zod';
import { Document } from '../kernel/document.ts';

// What both ports do with runs in the same way, said once: each port adds its gate and whom it asks.

/** Without a name: each port has its own word for it. */
export const attachmentDeclaration = {
  effect: 'read',
  scope: ['read', 'publish'],
  mcp: false,
  description:
    'A file that a test left behind, by its hash. Pictures, films and plain texts are shown; the rest is saved.',
  input: z.strictObject({ runId: z.string(), sha256: z.string().describe('As the run names it') }),
  output: z.instanceof(Document),
  rest: {
    method: 'GET',
    path: '/api/runs/{runId}/attachments/{sha256}',
    answers: ['application/octet-stream', 'image/png', 'image/jpeg', 'video/webm', 'text/plain'],
  },
  examples: [
    { title: 'a run that is not there', input: { runId: 'nowhere', sha256: 'none' }, refused: 'run_not_found' },
  ],
} as const;

const by = z
  .string()
  .min(1)
  .max(200)
  .default('anonymous')
  .describe('Who ejects; evidence that rested on the run names them');

const eject = { effect: 'write', scope: 'admin', destructive: true, mcp: false } as const;

export const ejectRunDeclaration = {
  ...eject,
  name: 'eject_run',
  description: 'Takes one ended run off the board. Its archive is kept until the age policy deletes it.',
  input: z.strictObject({ runId: z.string().describe('Id of the run'), by }),
  output: z.object({}),
  rest: { method: 'DELETE', path: '/api/runs/{runId}', query: ['by'], status: () => 204 },
  examples: [{ title: 'a run that is not there', input: { runId: 'nowhere' }, refused: 'run_not_found' }],
} as const;

export const ejectRunsDeclaration = {
  ...eject,
  name: 'eject_runs',
  description:
    'Takes every ended run off the board that the filters leave, and names those it took. Live runs always stay.',
  input: z.strictObject({
    olderThan: z.string().optional().describe('An instant, or a duration such as 7d, 36h or P7D'),
    exceptRunId: z.array(z.string()).optional().describe('Ids of runs to keep'),
    by,
  }),
  output: z.object({ count: z.int(), runIds: z.array(z.string()) }),
  rest: { method: 'DELETE', path: '/api/runs', query: ['olderThan', 'exceptRunId', 'by'] },
  examples: [
    { title: 'everything that has ended', input: {} },
    { title: 'an age that cannot be read', input: { olderThan: 'last week' }, refused: 'invalid_request' },
    { title: 'a run to keep that is not there', input: { exceptRunId: ['nowhere'] }, refused: 'invalid_request' },
  ],
} as const;
