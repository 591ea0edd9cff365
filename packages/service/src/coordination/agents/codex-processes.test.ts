import { expect, test } from 'vitest';
import { type CodexProcess, codexEntries } from './codex-processes.ts';
import { noUsage, type Transcript } from './ports.ts';
import type { Turn } from './turn.ts';

const now = Date.UTC(2026, 8, 20, 12);
const open: Turn = { state: 'open', detail: 'model', waiting: false };
const closed: Turn = { state: 'closed', detail: 'end_turn', waiting: false };

const rollout = (sessionId: string, more: Partial<Transcript> = {}): Transcript => ({
  sessionId,
  folder: '/sessions/2026/09/20',
  firstAt: now - 60_000,
  lastAt: now - 1_000,
  launchCwd: '/r',
  cwd: '/r',
  branch: null,
  entrypoint: null,
  afterClear: false,
  subagent: false,
  turn: closed,
  usage: noUsage,
  ...more,
});
const process = (pid: number, args: string[], more: Partial<CodexProcess> = {}): CodexProcess => ({
  pid,
  cwd: '/r',
  startedAt: now - 60_000,
  args: ['codex', ...args],
  rollouts: [],
  ...more,
});
const daemon = (...rollouts: Transcript[]) =>
  process(1, ['app-server', '--managed-daemon'], { cwd: '/', startedAt: now - 3_600_000, rollouts });
const served = (processes: CodexProcess[], hadTerminal = new Set<string>()) =>
  codexEntries(processes, hadTerminal, now).map(({ sessionId, pid }) => `${sessionId} ${pid}`);

test('a session on the shared server is served by the terminal in its directory', () => {
  expect(served([daemon(rollout('a')), process(2, [])])).toEqual(['a 2']);
});

test('it ends with its terminal, but not while a turn is open', () => {
  const hadTerminal = new Set<string>();
  expect(served([daemon(rollout('a')), process(2, [])], hadTerminal)).toEqual(['a 2']);
  expect(served([daemon(rollout('a', { turn: open }))], hadTerminal)).toEqual(['a 1']);
  expect(served([daemon(rollout('a'))], hadTerminal)).toEqual([]);
});

test('two terminals in one directory have one session each, and an older one that is still held open has none', () => {
  const [first, second] = [rollout('a', { firstAt: now - 9_000 }), rollout('b', { firstAt: now - 5_000 })];
  const stale = rollout('c', { firstAt: now - 100_000 });
  const terminals = [process(2, [], { startedAt: now - 9_500 }), process(3, [], { startedAt: now - 5_500 })];
  expect(served([daemon(stale, first, second), ...terminals]).sort()).toEqual(['a 2', 'b 3']);
});

test('a server of another program keeps its recent sessions, because its front end is not visible', () => {
  const server = process(1, ['app-server'], {
    rollouts: [rollout('a'), rollout('b', { lastAt: now - 31 * 60_000 })],
  });
  expect(served([server])).toEqual(['a 1']);
});

test('a process that holds its own rollout open serves it', () => {
  expect(served([process(5, ['exec'], { rollouts: [rollout('a')] })])).toEqual(['a 5']);
});
