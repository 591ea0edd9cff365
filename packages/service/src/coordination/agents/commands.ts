import { z } from 'zod';
import { commandFor } from '../../kernel/command.ts';
import type { DispatchContext } from '../../kernel/dispatch.ts';
import { refuse } from '../../kernel/outcome.ts';
import { board, sessionDetail, unsavedWork } from './contract.ts';
import type { AgentBoard } from './ports.ts';
import { parseSince } from './since.ts';

export type AgentsContext = DispatchContext & { agents: AgentBoard };

const command = commandFor<AgentsContext>();

const since = z
  .string()
  .refine((text) => parseSince(text, 0) !== undefined, 'must be a duration such as 7d or PT12H, or an instant')
  .optional()
  .describe('Such as 7d; live sessions and sessions with a claim are always included')
  .meta({ 'x-toolDefault': '7d' });

const listAgents = command({
  name: 'list_agents',
  description: 'The board: agent sessions, working trees (contested, needsCleanup), claims without a session.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  input: z.strictObject({ since }),
  output: board,
  rest: { method: 'GET', path: '/api/agents', query: ['since'] },
  examples: [
    { title: 'the whole board', input: {} },
    { title: 'sessions active in the last week', input: { since: '7d' } },
    { title: 'an invalid time', input: { since: 'lately' }, refused: 'invalid_request' },
  ],
  run: ({ agents }, input) => agents.all(input.since),
});

const getAgent = command({
  name: 'get_agent',
  description: 'One session: its state and why, its tree, its claims, and the test runs it started.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  input: z.strictObject({ sessionId: z.string() }),
  output: sessionDetail,
  rest: { method: 'GET', path: '/api/agents/{sessionId}' },
  examples: [
    {
      title: 'an unknown session',
      input: { sessionId: '00000000-0000-4000-8000-000000000000' },
      refused: 'session_not_found',
    },
    { title: 'a name that is not a session id', input: { sessionId: 'hooks' }, refused: 'session_not_found' },
  ],
  async run({ agents }, { sessionId }) {
    const found = await agents.one(sessionId);
    return found ?? refuse('session_not_found', 'Unknown session. list_agents lists the sessions.');
  },
});

const unsaved = command({
  name: 'unsaved_work',
  description:
    'The work that removing a working tree would lose: uncommitted, unpushed and ignored files. Reads with git and changes nothing. Call it before you remove the tree.',
  effect: 'read',
  scope: 'read',
  gate: 'record',
  mcp: false,
  input: z.strictObject({ root: z.string().max(4096).describe('Root path of the tree, as shown on the board') }),
  output: unsavedWork,
  rest: { method: 'GET', path: '/api/agents/trees/unsaved', query: ['root'] },
  examples: [{ title: 'a folder that is not a tree of the board', input: { root: '/nowhere' }, refused: 'not_found' }],
  run: ({ agents }, { root }) => agents.unsaved(root),
});

const agentHook = command({
  name: 'agent_hook',
  description:
    'Accepts a hook payload of an agent tool, so that changes show sooner. Adds the session to a claim, and reminds the agent once of a claim it still holds. Prompts are never stored.',
  effect: 'write',
  scope: 'work',
  gate: 'never',
  mcp: false,
  input: z.strictObject({
    payload: z.unknown(),
    attended: z
      .string()
      .max(20)
      .optional()
      .describe('`0` for a non-interactive session such as `claude -p`: no reminders'),
    host: z
      .string()
      .regex(/^[\w][\w.-]{0,62}$/)
      .optional()
      .describe(
        'The host where it runs, if neither this service nor an observer can see it there; default: the name of the token',
      ),
  }),
  output: z.object({ hookSpecificOutput: z.looseObject({ hookEventName: z.string() }).optional() }),
  rest: {
    method: 'POST',
    path: '/api/agents/hooks',
    query: ['attended', 'host'],
    body: 'payload',
    maxBytes: 8 * 1024 * 1024,
    maxValues: 200_000,
    status: (answer) => (answer.hookSpecificOutput ? 200 : 204),
    statuses: [200, 204],
  },
  examples: [
    { title: 'a session that ends', input: { payload: { hook_event_name: 'SessionEnd', reason: 'logout' } } },
    {
      title: 'just before a claim',
      input: {
        payload: {
          session_id: '00000000-0000-4000-8000-000000000000',
          hook_event_name: 'PreToolUse',
          tool_name: 'mcp__signalbox__claim_next',
          tool_input: { agent: 'ada' },
        },
      },
    },
    { title: 'a payload of a later version', input: { payload: { hook_event_name: 'Unheard', more: [1] } } },
  ],
  run: ({ agents }, { payload, attended, host }, { token }) =>
    agents.receiveHook(payload, attended !== '0', token === null ? null : (host ?? token)),
});

export const agentCommands = [listAgents, getAgent, unsaved, agentHook] as const;
