import { describe, expect, test } from 'vitest';
import type { TranscriptRecord } from '../turn.ts';
import { claudeHeadReader, claudeTailReader } from './claude.ts';

const assistant = (stop: string | null, block: object, more: object = {}): TranscriptRecord => ({
  type: 'assistant',
  message: { stop_reason: stop, content: [block] },
  ...more,
});
const text = { type: 'text', text: 'x' };
const prompt: TranscriptRecord = { type: 'user', promptSource: 'typed', message: { content: 'Go.' } };
const result: TranscriptRecord = { type: 'user', message: { content: [{ type: 'tool_result' }] } };
const marker = (value: string, more: object = {}): TranscriptRecord => ({
  type: 'user',
  message: { content: [{ type: 'text', text: value }] },
  ...more,
});

const turnOf = (...oldestFirst: TranscriptRecord[]) => {
  const tail = claudeTailReader();
  for (const record of oldestFirst.toReversed()) if (tail.accept(record)) break;
  const { state, detail: what } = tail.result().turn;
  return `${state} ${what}`;
};

describe('the newest deciding record gives the state of the turn', () => {
  test.each<[says: string, expected: string, records: TranscriptRecord[]]>([
    [
      'an error of the interface closes it',
      'closed api_error:rate_limit',
      [prompt, assistant('stop_sequence', text, { isApiErrorMessage: true, error: 'rate_limit' })],
    ],
    [
      'an error that is retried keeps it open',
      'open api_retry',
      [prompt, { type: 'system', subtype: 'api_error', retryInMs: 1000 }],
    ],
    [
      'a tool in use keeps it open',
      'open tool:Bash',
      [prompt, assistant('tool_use', { type: 'tool_use', name: 'Bash' })],
    ],
    ['so does text before a tool', 'open model', [prompt, assistant('tool_use', text)]],
    ['an answer that ended closes it', 'closed end_turn', [prompt, assistant('end_turn', text)]],
    ['so does a refusal', 'closed refusal', [prompt, assistant('refusal', text)]],
    ['text without an end keeps it open', 'open model', [prompt, assistant(null, text)]],
    [
      'a stop word nobody knows is unclear',
      'unclear unrecognised_stop:new_word',
      [prompt, assistant('new_word', text)],
    ],
    ['the interrupt marker closes it', 'closed user_interrupt', [prompt, marker('[Request interrupted by user]')]],
    [
      'the marker pasted as a prompt does not',
      'open model',
      [marker('[Request interrupted by user]', { promptSource: 'typed' })],
    ],
    ['a tool result waits for the model', 'open model', [result]],
    ['a prompt waits for the model', 'open model', [assistant('end_turn', text), prompt]],
    [
      'the end of a turn takes its cause from the record below',
      'closed end_turn',
      [assistant('end_turn', text), { type: 'system', subtype: 'turn_duration' }],
    ],
    ['or has none', 'closed turn_ended', [result, { type: 'system', subtype: 'turn_duration' }]],
    [
      'a sidechain never closes the turn of its parent',
      'open tool:Agent',
      [assistant('tool_use', { type: 'tool_use', name: 'Agent' }), assistant('end_turn', text, { isSidechain: true })],
    ],
    [
      'local commands and metadata say nothing',
      'closed end_turn',
      [
        assistant('end_turn', text),
        { type: 'user', message: { content: '<command-name>/help</command-name>' } },
        { type: 'user', isMeta: true, message: { content: 'x' } },
        { type: 'ai-title', aiTitle: 'x' },
      ],
    ],
    [
      'a name that is no tool name is not passed on',
      'open tool:other',
      [assistant('tool_use', { type: 'tool_use', name: 'rm -rf secret' })],
    ],
    ['nothing is no turn', 'none no_turn', [{ type: 'mode' }]],
  ])('%s', (_says, expected, records) => {
    expect(turnOf(...records)).toBe(expected);
  });
});

test('the newest working directory is that of a worktree entered last', () => {
  const tail = claudeTailReader();
  tail.accept({ type: 'worktree-state', worktreeSession: { worktreePath: '/r/.claude/worktrees/a' } });
  tail.accept({ ...prompt, cwd: '/r', timestamp: '2026-09-20T11:00:00.000Z' });
  expect(tail.result()).toMatchObject({ cwd: '/r/.claude/worktrees/a', lastAt: Date.UTC(2026, 8, 20, 11) });
});

test('a transcript that begins with /clear is recognised', () => {
  const head = claudeHeadReader();
  const clear = { type: 'user', isMeta: true, message: { content: '<command-name>/clear</command-name>' } };
  expect(head.accept({ ...clear, cwd: '/r', timestamp: '2026-09-20T11:00:00.000Z' })).toBe(false);
  expect(head.accept(prompt)).toBe(true);
  expect(head.result()).toMatchObject({ launchCwd: '/r', afterClear: true });
});
