import { describe, expect, test } from 'vitest';
import type { SessionState } from './contract.ts';
import type { GitLocation, WorktreeOnDisk } from './ports.ts';
import type { SessionFacts } from './session-state.ts';
import { agentWorktreeOf, isWithin, treesOf } from './tree.ts';

const session = (sessionId: string, tree: string | null, state: SessionState, more: object = {}): SessionFacts => ({
  sessionId,
  host: 'h',
  tool: 'claude-code',
  cwd: tree,
  launchCwd: tree,
  state,
  reason: 'x',
  activity: null,
  since: null,
  startedAt: null,
  lastActivityAt: null,
  branch: null,
  repository: null,
  tree,
  pid: null,
  title: null,
  inferred: false,
  model: null,
  tokens: null,
  turns: null,
  contextPercent: null,
  live: state === 'running' || state === 'idle',
  processes: 0,
  ...more,
});
const place = (root: string, more: Partial<GitLocation> = {}): GitLocation => ({
  root,
  mainRoot: '/r',
  repository: 'acme/shop',
  branch: 'main',
  worktree: root !== '/r',
  onDisk: true,
  ...more,
});
const fern = '/r/.claude/worktrees/fern';
const onDisk = (more: Partial<WorktreeOnDisk> = {}): WorktreeOnDisk => ({
  ...place(fern),
  root: fern,
  lockedByLiveProcess: false,
  ...more,
});

const trees = (
  sessions: SessionFacts[],
  worktrees: WorktreeOnDisk[] = [],
  parents = new Map<string, string>(),
  places = [place('/r'), place(fern)],
) => treesOf({ host: 'h', sessions, locations: places, worktrees, parents });
const flags = (all: ReturnType<typeof trees>, root: string) => {
  const { contested, needsCleanup } = all.find((tree) => tree.root === root) ?? {};
  return { contested, needsCleanup };
};

test('two live sessions contest a tree; a gone one does not', () => {
  const one = session('a', '/r', 'running');
  expect(flags(trees([one, session('b', '/r', 'idle')]), '/r').contested).toBe(true);
  expect(flags(trees([one, session('b', '/r', 'gone')]), '/r').contested).toBe(false);
});

test('an unknown session with a living process contests, one without does not', () => {
  const one = session('a', '/r', 'running');
  expect(flags(trees([one, session('b', '/r', 'unknown', { live: true })]), '/r').contested).toBe(true);
  expect(flags(trees([one, session('b', '/r', 'unknown')]), '/r').contested).toBe(false);
});

test('two worktrees of one repository are two trees', () => {
  const all = trees([session('a', '/r', 'running'), session('b', fern, 'running')]);
  expect(all.map(({ root, sessions, contested }) => ({ root, sessions, contested }))).toEqual([
    { root: '/r', sessions: ['a'], contested: false },
    { root: fern, sessions: ['b'], contested: false },
  ]);
});

describe('a worktree of an agent needs cleanup', () => {
  test('when its sessions are all gone', () => {
    expect(flags(trees([session('a', fern, 'gone')], [onDisk()]), fern).needsCleanup).toBe(true);
  });
  test('when it never had one', () => {
    expect(flags(trees([], [onDisk()]), fern).needsCleanup).toBe(true);
  });
  test('when the session of its subagent is gone', () => {
    const parents = new Map([[fern, 'a']]);
    expect(flags(trees([session('a', '/r', 'gone')], [onDisk()], parents), fern).needsCleanup).toBe(true);
    const [, tree] = trees([session('a', '/r', 'running')], [onDisk()], parents);
    expect(tree).toMatchObject({ root: fern, sessions: ['a'], needsCleanup: false });
  });
});

describe('a tree needs no cleanup', () => {
  test.each<[says: string, sessions: SessionFacts[], worktrees: WorktreeOnDisk[], root: string]>([
    ['while one of its sessions is unknown', [session('a', fern, 'unknown')], [onDisk()], fern],
    [
      'while a living process holds its lock',
      [session('a', fern, 'gone')],
      [onDisk({ lockedByLiveProcess: true })],
      fern,
    ],
    [
      'while a session that was launched in it lives',
      [session('a', '/r', 'idle', { launchCwd: fern })],
      [onDisk()],
      fern,
    ],
    ['when it is the main one', [session('a', '/r', 'gone')], [], '/r'],
  ])('%s', (_says, sessions, worktrees, root) => {
    expect(flags(trees(sessions, worktrees), root).needsCleanup).toBe(false);
  });
  test('when it is no longer on disk', () => {
    const all = trees([session('a', fern, 'gone')], [], new Map(), [place(fern, { onDisk: false })]);
    expect(flags(all, fern).needsCleanup).toBe(false);
  });
});

test('the worktree of an agent is found from any path within, on any system', () => {
  expect(agentWorktreeOf(`${fern}/src/x`)).toEqual({ root: fern, mainRoot: '/r', name: 'fern', top: fern });
  expect(agentWorktreeOf('C:\\r\\.claude\\worktrees\\fern\\src')?.root).toBe('C:\\r\\.claude\\worktrees\\fern');
  expect(agentWorktreeOf('/r/src')).toBeNull();
});

test('a worktree made by an agent that works in a worktree is a tree of its own', () => {
  const inner = `${fern}/.claude/worktrees/agent-1`;
  expect(agentWorktreeOf(`${inner}/src`)).toEqual({ root: inner, mainRoot: fern, name: 'agent-1', top: inner });
  const all = trees([session('a', inner, 'gone')], [], new Map(), [place(inner)]);
  expect(flags(all, inner).needsCleanup).toBe(true);
});

test('a worktree in the home of Codex is a tree of an agent and needs cleanup like any other', () => {
  const top = '/home/ada/.codex/worktrees/4a21';
  const root = `${top}/shop`;
  expect(agentWorktreeOf(`${root}/src`)).toEqual({ root, mainRoot: null, name: '4a21', top });
  expect(agentWorktreeOf(top)?.root).toBe(top);
  expect(agentWorktreeOf('C:\\u\\.codex\\worktrees\\4a21\\shop\\src')?.root).toBe(
    'C:\\u\\.codex\\worktrees\\4a21\\shop',
  );
  expect(agentWorktreeOf(`${root}/.claude/worktrees/fern/src`)?.root).toBe(`${root}/.claude/worktrees/fern`);
  expect(flags(trees([session('a', root, 'gone')], [], new Map(), [place(root)]), root).needsCleanup).toBe(true);
  expect(flags(trees([session('a', root, 'idle')], [], new Map(), [place(root)]), root).needsCleanup).toBe(false);
});

test('a sibling with a longer name is not within', () => {
  expect(isWithin('/r/ab', '/r/a')).toBe(false);
  expect(isWithin('/r/a/b', '/r/a')).toBe(true);
});
