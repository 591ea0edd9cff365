import { expect, test } from 'vitest';
import { runSample, sessionClaimSample, sessionSample, treeSample } from '../../../../../tests/samples.ts';
import type { Overlap } from '../trees/contract.ts';
import { type NeedsFacts, needsOf } from './decide.ts';
import { cleanupCommand, resumeCommand } from './next-command.ts';

const quiet: NeedsFacts = {
  board: { sessions: [], trees: [] },
  failed: [],
  parked: [],
  overBudget: [],
  submitted: [],
  overlaps: [],
  now: '2026-01-03T09:00:00.000Z',
  runs: [],
  ready: 0,
  claimed: 0,
};
const gone = { state: 'gone', reason: 'killed_mid_turn', activity: null, live: false } as const;
const idle = { state: 'idle', reason: 'turn_ended', activity: null } as const;

const everything: NeedsFacts = {
  board: {
    sessions: [
      sessionSample({ sessionId: 's-gone', ...gone, claims: [sessionClaimSample({ health: 'orphaned' })] }),
      sessionSample({ sessionId: 's-idle', ...idle, claims: [sessionClaimSample({ node: 'b', health: 'stalled' })] }),
      sessionSample({ sessionId: 's-busy', activity: null, claims: [sessionClaimSample({ node: 'c' })] }),
      sessionSample({ sessionId: 's-waits', title: 'checkout' }),
    ],
    trees: [treeSample({ root: '/w', contested: false, needsCleanup: true, worktree: true }), treeSample()],
  },
  failed: [{ ref: 'p/d', title: 'Gate', claimedBy: null, evidence: null }],
  parked: [],
  overBudget: [],
  submitted: [],
  overlaps: [],
  now: quiet.now,
  runs: [
    runSample({ runId: 'live', state: 'running', failed: 2, green: null }),
    runSample({ failed: 1 }),
    runSample({ runId: 'torn', state: 'unreadable', green: null, counted: false }),
  ],
  consoleTrouble: 'The run console at Service:PublisherUrl does not answer.',
  ready: 3,
  claimed: 3,
};

test('an agent that waits comes first, then claims, trees, evidence, live runs, unreadable runs and consoles, worktrees', () => {
  expect(needsOf(everything).needs.map(({ kind }) => kind)).toEqual([
    'agent_waiting',
    'claim_orphaned',
    'claim_stalled',
    'tree_contested',
    'node_failed',
    'run_failing',
    'run_unreadable',
    'console_unreadable',
    'worktree_cleanup',
  ]);
});

test('the counts cover everything, whether it needs a person or not', () => {
  expect(needsOf(everything).counts).toEqual({
    sessions: 3,
    waiting: 1,
    claimed: 3,
    troubledClaims: 2,
    ready: 3,
    liveRuns: 1,
  });
  expect(needsOf(quiet)).toEqual({
    needs: [],
    counts: { sessions: 0, waiting: 0, claimed: 0, troubledClaims: 0, ready: 0, liveRuns: 0 },
  });
});

test('of one kind, what has waited longest comes first', () => {
  const sessions = ['2026-01-01T09:05:00.000Z', '2026-01-01T09:00:00.000Z'].map((since, index) =>
    sessionSample({ sessionId: `s-${index}`, since }),
  );
  const { needs } = needsOf({ ...quiet, board: { sessions, trees: [] } });
  expect(needs.map(({ sessionId }) => sessionId)).toEqual(['s-1', 's-0']);
});

test('waiting for a permission and for an answer differ, and a session that is gone waits for nobody', () => {
  const detailOf = (more: Parameters<typeof sessionSample>[0]) =>
    needsOf({ ...quiet, board: { sessions: [sessionSample(more)], trees: [] } }).needs[0]?.detail;
  expect(detailOf({})).toBe('Waits for a permission.');
  expect(detailOf({ reason: 'tool:AskUserQuestion' })).toBe('Waits for an answer.');
  expect(detailOf({ claims: [sessionClaimSample()] })).toBe('Waits for a permission. It holds p/a.');
  expect(detailOf({ live: false })).toBeUndefined();
});

test('each claim of a session is its own need, under its own agent; an inferred link is only possible', () => {
  const claims = [
    sessionClaimSample({ health: 'orphaned' }),
    sessionClaimSample({ node: 'b', agent: 'bob', health: 'orphaned', correlation: 'inferred' }),
  ];
  const { needs } = needsOf({ ...quiet, board: { sessions: [sessionSample({ ...gone, claims })], trees: [] } });
  expect(needs).toMatchObject([
    {
      ref: 'p/a',
      agent: 'ada',
      possibly: false,
      detail: expect.stringMatching(/^The session of ada ended \(killed mid turn\)/),
    },
    {
      ref: 'p/b',
      agent: 'bob',
      possibly: true,
      detail: expect.stringMatching(/^A session that is possibly bob's ended/),
    },
  ]);
});

test('an orphaned claim comes with the command that resumes its session, by its tool', () => {
  const command = (tool: string, cwd = '/home/ada/shop') =>
    resumeCommand({ tool, sessionId: 's-1', cwd, launchCwd: null });
  expect(command('claude-code')).toBe('cd /home/ada/shop && claude --resume s-1');
  expect(command('codex')).toBe('cd /home/ada/shop && codex resume s-1');
  expect(command('opencode', "/home/a b/it's")).toBe("cd '/home/a b/it'\\''s' && opencode --session s-1");
  expect(command('vscode')).toBeNull();
  expect(command('a-tool-of-tomorrow')).toBeNull();
});

test('a worktree is removed by git, which refuses while something is unsaved', () => {
  expect(cleanupCommand({ root: '/r/w', mainRoot: '/r' })).toBe('git -C /r worktree remove /r/w');
  expect(cleanupCommand({ root: '/r/w', mainRoot: null })).toBe('rm -r /r/w');
});

test('a submission needs a person if a person decides or nothing can prove it, and nobody if a machine observes it', () => {
  const submission = { agent: 'ada', session: null, at: '2026-01-01T09:00:00.000Z', note: null, until: null };
  const node = { ref: 'p/e', title: 'Prices', submission, evidence: null };
  const detailsOf = (one: NeedsFacts['submitted'][number]) =>
    needsOf({ ...quiet, submitted: [one] }).needs.map(({ detail }) => detail);
  expect(detailsOf({ ...node, binding: { kind: 'issue', issue: 'acme/shop#12' } })).toEqual([
    'Submitted by ada 2 days ago; acme/shop#12 is still open.',
  ]);
  expect(detailsOf({ ...node, binding: null })).toEqual([
    'Submitted by ada 2 days ago, but it has no binding, so nothing can prove it. Bind it.',
  ]);
  const until = '2026-01-03T13:00:00.000Z';
  expect(detailsOf({ ...node, binding: { kind: 'suite' }, submission: { ...submission, until } })).toEqual([]);
});

test('trees that change the same lines are one need, by the names of their agents; the same file needs nobody', () => {
  const at = (root: string): Overlap['trees'][number] => ({
    host: 'box',
    root,
    branch: `b${root}`,
    sessions: [],
    claims: [],
  });
  const overlap = (path: string, kind: Overlap['kind'], since: string): Overlap => ({
    repository: 'acme/shop',
    path,
    kind,
    trees: [at('/a'), at('/b')],
    since,
  });
  const owner = { sessionId: 's', agent: 'ada', claims: ['p/a'], health: 'held' as const };
  const found = needsOf({
    ...quiet,
    board: { sessions: [], trees: [treeSample({ root: '/a', contested: false, owners: [owner] })] },
    overlaps: [
      overlap('src/price.ts', 'same_lines', '2026-01-03T08:00:00.000Z'),
      overlap('src/cart.ts', 'same_lines', '2026-01-03T07:00:00.000Z'),
      overlap('package.json', 'same_file', '2026-01-03T06:00:00.000Z'),
    ],
  });
  expect(found.needs).toMatchObject([
    {
      kind: 'lines_overlap',
      title: 'src/price.ts',
      detail: 'ada and b/b change the same lines of src/price.ts and of 1 more file.',
      since: '2026-01-03T07:00:00.000Z',
    },
  ]);
});
