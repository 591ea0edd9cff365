import { describe, expect, test } from 'vitest';
import { copilotHeadReader, copilotTailReader, copilotTurnOf } from './copilot.ts';

const timestamp = '2026-01-01T09:00:00.000Z';
const open = (detail: string, waiting = false) => ({ state: 'open', detail, waiting });
const closed = (detail: string) => ({ state: 'closed', detail, waiting: false });
const event = (type: string, data: object = {}, more: object = {}) => ({ type, data, timestamp, ...more });

describe('an event of a Copilot session', () => {
  test.each([
    ['a prompt', event('user.message'), open('model')],
    ['a call of the model', event('assistant.turn_start'), open('model')],
    ['an answer in words', event('assistant.message', { toolRequests: [] }), closed('end_turn')],
    ['an answer with calls', event('assistant.message', { toolRequests: [{ name: 'bash' }] }), open('tool:bash')],
    [
      'a tool that runs',
      event('tool.execution_start', { toolName: 'signalbox-claim_next' }),
      open('tool:signalbox-claim_next'),
    ],
    ['a tool that ran', event('tool.execution_complete'), open('model')],
    ['the end of one call of the model', event('assistant.turn_end'), null],
    ['a question to the person', event('permission.requested'), open('permission', true)],
    ['the person stopped it', event('abort', { reason: 'user_initiated' }), closed('user_interrupt')],
    ['something else stopped it', event('abort', { reason: 'a long story' }), closed('aborted:unknown')],
    ['the end', event('session.shutdown'), closed('shutdown')],
    ['what a subagent does', event('assistant.message', { toolRequests: [] }, { agentId: 'x' }), null],
    ['a hook', event('hook.start'), null],
  ])('tells of the turn: %s', (_, record, turn) => {
    expect(copilotTurnOf(record)).toEqual(turn);
  });
});

test('the end of one answer does not end the turn while its tools run', () => {
  const tail = copilotTailReader();
  expect(tail.accept(event('assistant.turn_end'))).toBe(false);
  expect(tail.accept(event('tool.execution_complete'))).toBe(true);
  expect(tail.result()).toMatchObject({ turn: open('model'), lastAt: Date.parse(timestamp) });
});

test('the first event gives the launch directory; a later one the current directory', () => {
  const head = copilotHeadReader();
  expect(head.accept(event('session.start', { context: { cwd: '/fx/shop', branch: 'main' } }))).toBe(true);
  expect(head.result()).toMatchObject({ launchCwd: '/fx/shop', branch: 'main', firstAt: Date.parse(timestamp) });
  const tail = copilotTailReader();
  tail.accept(event('session.context_changed', { cwd: '/fx/other', branch: 'next' }));
  expect(tail.result()).toMatchObject({ cwd: '/fx/other', branch: 'next' });
});
