import type { Session, Tree } from '../packages/service/src/coordination/agents/contract.ts';
import type { SessionFacts } from '../packages/service/src/coordination/agents/session-state.ts';
import type { ClaimWithPrevious } from '../packages/service/src/kernel/claim-view.ts';
import type { RunSender, RunSummary } from '../packages/service/src/kernel/run-summary.ts';

/** A run that ended green, changed by `more`. */
export const runSample = (more: Partial<RunSummary> = {}): RunSummary => ({
  runId: 'r-1',
  host: 'box',
  suite: 'shop',
  repository: '/home/ada/shop',
  repositoryName: 'acme/shop',
  branch: 'main',
  mode: 'full',
  tag: null,
  session: null,
  command: null,
  commit: null,
  dirty: null,
  repositoryId: null,
  interrupted: null,
  state: 'finished',
  finished: true,
  orphaned: false,
  exitCode: 0,
  green: true,
  scenarios: 3,
  scenariosFinished: 3,
  totalScenarios: 3,
  running: 0,
  passed: 3,
  failed: 0,
  passedOnRetry: 0,
  skipped: 0,
  indeterminate: 0,
  lost: 0,
  publisher: null,
  trust: 'local',
  receivedAt: '2026-11-15T09:59:00.000Z',
  endedAt: '2026-11-15T10:00:00.000Z',
  clockSkewMs: null,
  late: 0,
  startedAt: '2026-11-15T09:59:00.000Z',
  finishedAt: '2026-11-15T10:00:00.000Z',
  lastEventAt: '2026-11-15T10:00:00.000Z',
  expectedMs: null,
  counted: true,
  ...more,
});

/** A claim of ada's whose session lives, changed by `more`. */
export const claimSample = (more: Partial<ClaimWithPrevious> = {}): ClaimWithPrevious => ({
  agent: 'ada',
  session: null,
  note: null,
  progress: null,
  claimedAt: '2026-11-15T10:00:00.000Z',
  expiresAt: '2026-11-15T10:30:00.000Z',
  fence: 1,
  health: 'held',
  correlation: 'strong',
  linkedBy: 'argument',
  reason: null,
  sessionId: 's-1',
  previous: null,
  ...more,
});

/** A publisher on this machine that needs no token. */
export const localSender: RunSender = { publisher: null, trust: 'local', address: '127.0.0.1' };

/** A live session of Claude Code that waits for a permission, changed by `more`. */
export const sessionSample = (more: Partial<Session> = {}): Session => ({
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
  claims: [],
  overlaps: 0,
  ...more,
});

/** The same session as it is observed. */
export function sessionFactsSample(more: Partial<SessionFacts> = {}): SessionFacts {
  const { claims: _, overlaps: _none, ...facts } = sessionSample();
  return { ...facts, processes: 1, ...more };
}

/** The claim of a session as the board shows it. */
export const sessionClaimSample = (more: Partial<Session['claims'][number]> = {}): Session['claims'][number] => ({
  plan: 'p',
  node: 'a',
  agent: 'ada',
  health: 'held',
  correlation: 'strong',
  linkedBy: 'argument',
  expiresAt: '2026-01-01T09:30:00.000Z',
  ...more,
});

/** A tree that two live sessions contest, changed by `more`. */
export const treeSample = (more: Partial<Tree> = {}): Tree => ({
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
  changes: null,
  changesTruncated: false,
  overlaps: 0,
  ...more,
});
