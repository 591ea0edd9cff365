import { closedTurn, noTurn, openTurn, type Turn, toolNameOf, vocabularyWord } from '../turn.ts';
import { agentTool } from './tool.ts';

/** The newest message of an OpenCode session, by its columns and members. None of its text is read. */
export type OpenCodeMessage = {
  role: string | null;
  completedAt: number | null;
  finish: string | null;
  error: string | null;
  /** The newest part of the message, where it is a call of a tool. */
  tool: string | null;
  toolStatus: string | null;
};

const unfinished = new Set(['pending', 'running']);

export function openCodeTurnOf(message: OpenCodeMessage | null): Turn {
  if (!message) return noTurn;
  if (message.role === 'user') return openTurn('model');
  if (message.role !== 'assistant') return noTurn;
  if (message.error !== null) {
    return closedTurn(
      message.error === 'MessageAbortedError' ? 'user_interrupt' : `error:${vocabularyWord(message.error) ?? 'other'}`,
    );
  }
  if (message.completedAt === null) {
    const calls = message.tool !== null && unfinished.has(message.toolStatus ?? '');
    return openTurn(calls ? `tool:${toolNameOf(message.tool)}` : 'model');
  }
  // Each model call is a separate message: this one only ends a step.
  if (message.finish === 'tool-calls') return openTurn('model');
  return closedTurn(
    message.finish === 'stop' ? 'end_turn' : (vocabularyWord(message.finish?.replaceAll('-', '_')) ?? 'turn_ended'),
  );
}

/** OpenCode: one SQLite database, `opencode.db`, that its processes write to. */
export const opencode = agentTool({
  name: 'opencode',
  title: 'OpenCode',
  client: /^opencode/i,
  call: (meta) => ({ session: meta.sessionID, toolCall: null }),
  sessions: { home: { variable: 'XDG_DATA_HOME', fallback: '~/.local/share', folder: 'opencode' } },
  resume: (id) => `opencode --session ${id}`,
  mcp: {
    path: 'opencode.json',
    orPath: 'opencode.jsonc',
    servers: 'mcp',
    token: '{env:SIGNALBOX_TOKEN}',
    address: { client: 'opencode' },
    server: ({ url, headers }) => ({ type: 'remote', url, enabled: true, ...headers }),
  },
});
