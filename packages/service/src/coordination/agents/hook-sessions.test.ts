import { expect, test } from 'vitest';
import { HookSessions } from './hook-sessions.ts';

const session_id = '00000000-0000-4000-8000-00000000000a';
const at = Date.UTC(2026, 0, 1, 9);
const minute = 60_000;

function hooks() {
  const sessions = new HookSessions();
  const hear = (hook_event_name: string, more: object = {}, wall = at) =>
    sessions.receive({ session_id, hook_event_name, cwd: '/workspace', ...more }, 'cloud', wall);
  const state = () => sessions.all()[0]?.session.get(session_id);
  return { sessions, hear, state };
}

test('a session known only from hooks is running, waiting, idle and gone as they report', () => {
  const { hear, state } = hooks();
  hear('SessionStart');
  expect(state()).toMatchObject({ state: 'idle', host: 'cloud', via: 'hooks', cwd: '/workspace', live: true });
  hear('UserPromptSubmit');
  expect(state()).toMatchObject({ state: 'running', reason: 'turn' });
  hear('PreToolUse', { tool_name: 'Edit' });
  expect(state()).toMatchObject({ state: 'running', reason: 'Edit', since: new Date(at).toISOString() });
  hear('Notification', { message: 'May I run rm -rf?' });
  expect(state()).toMatchObject({ state: 'running', activity: 'waiting', reason: 'waiting:user' });
  hear('Stop');
  expect(state()).toMatchObject({ state: 'idle', activity: null });
  hear('SessionEnd', { reason: 'logout' });
  expect(state()).toMatchObject({ state: 'gone', reason: 'session_end:logout', live: false });
  expect(JSON.stringify(state())).not.toContain('rm -rf');
});

test('ten minutes without a hook make it unknown, and the next hook makes it known again', () => {
  const { sessions, hear, state } = hooks();
  hear('UserPromptSubmit');
  expect(sessions.checkSilence(at + 10 * minute)).toEqual([]);
  expect(sessions.checkSilence(at + 10 * minute + 1)).toEqual([session_id]);
  expect(state()).toMatchObject({ state: 'unknown', reason: 'no_hook' });
  hear('PostToolUse', { tool_name: 'Read' }, at + 11 * minute);
  expect(state()).toMatchObject({ state: 'running' });
  hear('SessionEnd', {}, at + 12 * minute);
  expect(sessions.checkSilence(at + 60 * minute)).toEqual([]);
  expect(state()).toMatchObject({ state: 'gone' });
});

test('a hook without a session, or of an irrelevant kind, is ignored', () => {
  const { sessions, hear } = hooks();
  expect(sessions.receive({ hook_event_name: 'Stop', session_id: '../etc' }, 'cloud', at)).toBeNull();
  expect(hear('PreCompact')).toBeNull();
  expect(sessions.all()[0]?.session.size).toBe(0);
});
