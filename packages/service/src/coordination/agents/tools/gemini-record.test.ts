import { describe, expect, test } from 'vitest';
import { noTurn } from '../turn.ts';
import { geminiHeadReader, geminiTailReader, geminiTurnOf } from './gemini.ts';

const at = (second: number) => `2026-01-01T09:00:0${second}.000Z`;
const open = (detail: string) => ({ state: 'open', detail, waiting: false });
const closed = (detail: string) => ({ state: 'closed', detail, waiting: false });

describe('a record of a Gemini chat', () => {
  test.each([
    ['a prompt', { type: 'user', content: [{ text: 'go' }] }, open('model')],
    ['an answer in words', { type: 'gemini', content: 'Done.' }, closed('end_turn')],
    ['an answer that calls a tool which still runs', { type: 'gemini', content: '' }, open('tool:other')],
    [
      'a tool that ran',
      { type: 'gemini', content: '', toolCalls: [{ name: 'run_shell_command' }] },
      open('tool:run_shell_command'),
    ],
    ['a failed request', { type: 'error', content: 'quota' }, closed('error')],
    ['a request that the person cancelled', { type: 'info', content: 'Request cancelled.' }, closed('user_interrupt')],
    ['a hint', { type: 'info', content: 'Update available' }, null],
    ['a change of members', { $set: { lastUpdated: at(1) } }, null],
  ])('tells of the turn: %s', (_, record, turn) => {
    expect(geminiTurnOf(record)).toEqual(turn);
  });
});

test('the end of a chat gives its last time and the state of the turn', () => {
  const tail = geminiTailReader();
  expect(tail.accept({ $set: { lastUpdated: at(5) } })).toBe(false);
  expect(tail.accept({ type: 'gemini', content: 'Done.', timestamp: at(4) })).toBe(true);
  expect(tail.result()).toMatchObject({ lastAt: Date.parse(at(5)), turn: closed('end_turn'), sawRecords: true });
  expect(geminiTailReader().result()).toMatchObject({ turn: noTurn, sawRecords: false });
});

test('the first line gives the start and whether a subagent wrote it', () => {
  const head = geminiHeadReader();
  expect(head.accept({ sessionId: 'a', startTime: at(0), kind: 'main' })).toBe(true);
  expect(head.result()).toMatchObject({ firstAt: Date.parse(at(0)), subagent: false });
  const other = geminiHeadReader();
  other.accept({ sessionId: 'a', startTime: at(0), kind: 'subagent' });
  expect(other.result()).toMatchObject({ subagent: true });
});
