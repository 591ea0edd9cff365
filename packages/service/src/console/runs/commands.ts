import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';

/** What the run console's own commands need. */
export type RunsContext = { version: string };

const command = commandFor<RunsContext>();

export const ping = command({
  name: 'ping',
  says: 'Tells that a console listens here, and which version.',
  effect: 'read',
  gate: 'never',
  input: z.strictObject({}),
  output: z.object({ tool: z.literal('signalbox'), version: z.string() }),
  rest: { method: 'GET', path: '/api/ping' },
  mcp: false,
  examples: [{ title: 'a publisher asks whether anyone listens', input: {} }],
  run: ({ version }) => ({ tool: 'signalbox' as const, version }),
});

export const commands = [ping] as const;
