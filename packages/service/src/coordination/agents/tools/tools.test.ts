import { expect, test } from 'vitest';
import { agentTools, mcpCaller, toolNamed } from './tools.ts';

const silent = { client: null, userAgent: null };

test('Codex names its session in every call, and its subagents name the same one', () => {
  expect(mcpCaller(silent, { sessionId: 's-1', threadId: 't-9' })).toEqual({
    client: 'codex',
    session: 's-1',
    toolCall: null,
    token: null,
  });
});

test('Claude Code names the call, by which its session is found', () => {
  const meta = { 'claudecode/toolUseId': 'toolu_01', progressToken: 3 };
  expect(mcpCaller(silent, meta)).toEqual({ client: 'claude-code', session: null, toolCall: 'toolu_01', token: null });
});

test('a program that does not identify itself is recognised by its address, then by its headers', () => {
  expect(mcpCaller({ client: 'gemini', userAgent: 'node' })).toMatchObject({ client: 'gemini', session: null });
  expect(mcpCaller({ client: null, userAgent: 'claude-code/2.1.325 (cli)' })).toMatchObject({ client: 'claude-code' });
  expect(mcpCaller({ client: null, userAgent: 'undici' })).toMatchObject({ client: null, session: null });
});

test('a program that is not observed keeps its name, so that no session of another fits it', () => {
  expect(mcpCaller({ client: 'Zed', userAgent: 'undici' })).toMatchObject({ client: 'zed', session: null });
  expect(mcpCaller({ client: 'a b', userAgent: 'claude-code/2' })).toMatchObject({ client: 'claude-code' });
});

test('an invalid id is ignored', () => {
  expect(mcpCaller(silent, { sessionId: 'a b\n', 'claudecode/toolUseId': 7 })).toEqual({
    client: null,
    session: null,
    toolCall: null,
    token: null,
  });
});

test('each tool has one name, which no other tool uses as a name or alias, and its own client', () => {
  const spellings = agentTools.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  expect(new Set(spellings).size).toBe(spellings.length);
  for (const { name } of agentTools)
    expect(mcpCaller({ client: name, userAgent: null }), name).toMatchObject({ client: name });
  expect(toolNamed('claude')?.name).toBe('claude-code');
  expect(toolNamed('emacs')).toBeUndefined();
});
