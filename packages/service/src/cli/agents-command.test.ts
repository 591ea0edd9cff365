import { expect, test } from 'vitest';
import type { Board, Session } from '../coordination/agents/contract.ts';
import { boardText } from './agents-command.ts';

const empty: Board = { sessions: [], trees: [], unlinkedClaims: [], ambiguous: [], observedAt: null, sources: [] };
const session: Session = {
  sessionId: '00000001-0000-4000-8000-000000000001',
  host: 'box',
  tool: 'claude-code',
  cwd: '/r',
  launchCwd: '/r',
  state: 'running',
  reason: 'waiting:permission prompt',
  activity: 'waiting',
  since: '2026-01-01T09:00:00.000Z',
  startedAt: null,
  lastActivityAt: null,
  branch: 'main',
  repository: 'acme/shop',
  tree: '/r',
  pid: 7,
  title: null,
  inferred: false,
  live: true,
  model: null,
  tokens: null,
  turns: null,
  contextPercent: null,
  claims: [
    {
      plan: 'p',
      node: 'a',
      health: 'held',
      correlation: 'strong',
      linkedBy: 'argument',
      expiresAt: '2026-01-01T09:30:00.000Z',
    },
  ],
};
const tree = {
  host: 'box',
  root: '/r',
  mainRoot: '/r',
  repository: 'acme/shop',
  branch: 'main',
  worktree: false,
  onDisk: true,
  sessions: ['x', 'y'],
  live: ['x', 'y'],
  owners: [],
  contested: true,
  needsCleanup: false,
};

test('the board reads as tables, with what wants attention', () => {
  const observedAt = '2026-01-01T10:05:00.000Z';
  const sources = [{ tool: 'codex', path: '/c', ok: false, detail: 'cannot be read' }];
  const text = boardText({ ...empty, sessions: [session], trees: [tree], observedAt, sources });
  expect(text).toMatch(/running \(waiting\) +\S+01 +waiting:permission prompt +1h 5m +acme\/shop +main +p\/a held/);
  expect(text).toContain('attention: 2 sessions');
  expect(text).toContain('! codex /c: cannot be read');
});

test('an empty board says how sessions get there', () => {
  expect(boardText(empty)).toContain('No sessions seen');
});
