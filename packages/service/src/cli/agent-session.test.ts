import { expect, test } from 'vitest';
import { agentSession } from './agent-session.ts';

test('the session is read from the variable of whichever program runs the command', () => {
  expect(agentSession({})).toBeNull();
  expect(agentSession({ CLAUDE_CODE_SESSION_ID: 'a' })).toBe('a');
  expect(agentSession({ CODEX_SESSION_ID: 'b', CODEX_THREAD_ID: 'c' })).toBe('b');
  expect(agentSession({ COPILOT_AGENT_SESSION_ID: 'd' })).toBe('d');
});

test('of two nested programs, the inner one runs the command', () => {
  expect(agentSession({ CLAUDE_CODE_SESSION_ID: 'outer', CODEX_SESSION_ID: 'inner' })).toBe('inner');
  expect(agentSession({ CLAUDE_CODE_SESSION_ID: 'a', CODEX_SESSION_ID: '' })).toBe('a');
});
