import { expect, test } from 'vitest';
import { noTurn } from '../turn.ts';
import { type OpenCodeMessage, openCodeTurnOf } from './opencode.ts';

const message: OpenCodeMessage = {
  role: 'assistant',
  completedAt: null,
  finish: null,
  error: null,
  tool: null,
  toolStatus: null,
};
const open = (detail: string) => ({ state: 'open', detail, waiting: false });
const closed = (detail: string) => ({ state: 'closed', detail, waiting: false });

test.each([
  ['no message yet', null, noTurn],
  ['a prompt', { role: 'user' }, open('model')],
  ['an answer under way', {}, open('model')],
  ['a tool under way', { tool: 'bash', toolStatus: 'running' }, open('tool:bash')],
  ['a tool that ran', { tool: 'bash', toolStatus: 'completed' }, open('model')],
  ['a step that ended in calls', { completedAt: 1, finish: 'tool-calls' }, open('model')],
  ['an answer', { completedAt: 1, finish: 'stop' }, closed('end_turn')],
  ['an answer that was too long', { completedAt: 1, finish: 'max-tokens' }, closed('max_tokens')],
  ['the person stopped it', { error: 'MessageAbortedError' }, closed('user_interrupt')],
  ['the provider failed', { error: 'APIError' }, closed('error:APIError')],
  ['a role of a later version', { role: 'system' }, noTurn],
])('the newest message tells of the turn: %s', (_, more, turn) => {
  expect(openCodeTurnOf(more && { ...message, ...more })).toEqual(turn);
});
