import { expect, test } from 'vitest';
import { type GitLocation, noUsage, type RegistryEntry, type SessionScan, type Transcript } from './ports.ts';
import { createSessionTracker } from './session-tracker.ts';
import { treesOf } from './tree.ts';
import { noTurn } from './turn.ts';

const id = (n: number) => `0000000${n}-0000-4000-8000-000000000000`;
const start = Date.UTC(2026, 8, 20, 12);
const hour = 3_600_000;

const entry = (n: number, more: Partial<RegistryEntry> = {}): RegistryEntry => ({
  pid: 100 + n,
  sessionId: id(n),
  liveness: 'live',
  status: 'busy',
  waitingFor: null,
  cwd: '/r',
  entrypoint: 'cli',
  name: null,
  startedAt: start - hour,
  updatedAt: start,
  statusUpdatedAt: start,
  formerIds: [],
  ...more,
});
const transcript = (n: number, more: Partial<Transcript> = {}): Transcript => ({
  sessionId: id(n),
  folder: '-r',
  firstAt: start - hour,
  lastAt: start - hour / 2,
  launchCwd: '/r',
  cwd: '/r',
  branch: 'main',
  entrypoint: 'cli',
  afterClear: false,
  subagent: false,
  turn: { state: 'closed', detail: 'end_turn', waiting: false },
  usage: noUsage,
  ...more,
});
const scan = (entries: RegistryEntry[], transcripts: Transcript[], more: Partial<SessionScan> = {}): SessionScan => ({
  tool: 'claude-code',
  path: '/home/.claude',
  ok: true,
  detail: null,
  registry: 'clean',
  entries,
  transcripts: new Map(transcripts.map((one) => [one.sessionId, one])),
  changed: new Set(transcripts.map(({ sessionId }) => sessionId)),
  processes: [],
  ended: new Set(),
  processesCheckedAt: 0,
  ...more,
});

const notes = { starts: new Map<string, string>(), ends: new Map<string, { reason: string; at: number }>() };

function watching(hooks = notes) {
  const roster = createSessionTracker();
  let at = 0;
  let scannedAt = 0;
  return {
    look(seen: SessionScan, afterMs = 1000, scannedMs = afterMs) {
      at += afterMs;
      scannedAt += scannedMs;
      const look = {
        host: 'h',
        scans: [{ ...seen, processesCheckedAt: scannedAt }],
        locations: new Map<string, GitLocation>(),
        locationsChanged: false,
        hookReports: hooks,
      };
      return [...roster.observe({ ...look, at: { wall: start + at, monotonic: at } }).keys()];
    },
    awaitsConfirmation: () => roster.awaitsConfirmation(),
    states: () => roster.sessions().map(({ state, reason }) => `${state} ${reason}`),
    get: (n: number) => roster.get(id(n)),
    all: () => roster.sessions(),
  };
}

test('a session that its registry no longer names is gone only at the second poll, a second later', () => {
  const { look, states, awaitsConfirmation } = watching();
  look(scan([entry(1)], [transcript(1)]));
  const absent = scan([], [transcript(1)]);
  look(absent);
  expect(states()).toEqual(['running turn']);
  look(absent, 20);
  expect(states()).toEqual(['running turn']);
  expect(awaitsConfirmation()).toBe(true);
  expect(look(absent)).toEqual([id(1)]);
  expect(states()).toEqual(['gone exited:end_turn']);
  expect(awaitsConfirmation()).toBe(false);
});

test('a session is gone as soon as its process has ended, regardless of its last record', () => {
  const { look, states } = watching();
  const just = transcript(1, { lastAt: start + 900 });
  look(scan([entry(1)], [just]));
  look(scan([entry(1, { liveness: 'dead' })], [just]));
  expect(states()).toEqual(['gone killed_after:end_turn']);
  const exited = watching();
  exited.look(scan([entry(1)], [just]));
  exited.look(scan([], [just], { ended: new Set([101]) }));
  expect(exited.states()).toEqual(['gone exited:end_turn']);
  // What its process still wrote while it ended does not bring it back; what comes later does.
  exited.look(scan([], [transcript(1, { lastAt: start + 1_500 })]));
  expect(exited.states()).toEqual(['gone exited:end_turn']);
  exited.look(scan([], [transcript(1, { lastAt: start + 2_500 })]));
  expect(exited.states()).toEqual(['unknown written_after_gone']);
});

test('a recent record makes a session unknown only if its process was never seen', () => {
  const { look, states } = watching();
  look(scan([], [transcript(1, { lastAt: start })]));
  expect(states()).toEqual(['unknown unregistered_recent_write']);
});

test('where no registry is kept the process in its directory serves a session, and its end ends it', () => {
  const { look, states, get } = watching();
  const unused = { registry: 'unused' } as const;
  const mine = [{ pid: 7, cwd: '/r', startedAt: start - hour }];
  const written = transcript(1, { lastAt: start });
  look(scan([], [written], { ...unused, processes: mine }));
  expect(states()).toEqual(['idle end_turn']);
  expect(get(1)?.pid).toBe(7);
  look(scan([], [written], { ...unused, processes: [...mine, { pid: 8, cwd: '/r', startedAt: start }] }));
  expect(states()).toEqual(['unknown no_liveness_evidence']);
  look(scan([], [written], unused));
  expect(states()).toEqual(['gone exited:end_turn']);
  look(scan([], [written], { ...unused, processes: [{ pid: 9, cwd: '/r', startedAt: start + 5_000 }] }));
  expect(states()).toEqual(['gone exited:end_turn']);
});

test('a process that its registry names with another session has replaced the first one', () => {
  const { look, states } = watching();
  look(scan([entry(1)], [transcript(1)]));
  const next = { ...entry(2), pid: 101, formerIds: [id(1)] };
  look(scan([next], [transcript(1), transcript(2, { firstAt: start + 500 })]));
  expect(states()).toEqual(['gone replaced:/clear', 'running turn']);
  look(scan([], [transcript(1), transcript(2, { firstAt: start + 500 })], { ended: new Set([101]) }));
  expect(states()).toEqual(['gone replaced:/clear', 'gone exited:end_turn']);
});

test('a process that was only missed once is not gone', () => {
  const { look, states } = watching();
  const seen = scan([entry(1)], [transcript(1)]);
  look(seen);
  look(scan([], [transcript(1)]));
  look(seen);
  look(scan([], [transcript(1)]));
  expect(states()).toEqual(['running turn']);
});

test('without a registry a session that is gone stays gone when its file is removed', () => {
  const { look, states } = watching();
  const unused = { registry: 'unused' } as const;
  look(scan([], [transcript(1)], unused));
  expect(states()).toEqual(['gone exited:end_turn']);
  look(scan([], [], unused));
  look(scan([], [], unused));
  expect(states()).toEqual(['gone exited:end_turn']);
});

test('a scan that only repeats earlier results does not count as a second poll', () => {
  const { look, states } = watching();
  look(scan([entry(1)], [transcript(1)]));
  const absent = scan([], [transcript(1)]);
  look(absent);
  look(absent, 5_000, 0);
  expect(states()).toEqual(['running turn']);
});

test('a record written after a session was found gone reopens it', () => {
  const { look, states } = watching();
  const dead = entry(1, { liveness: 'dead' });
  look(scan([dead], [transcript(1)]));
  expect(states()).toEqual(['gone killed_after:end_turn']);
  look(scan([dead], [transcript(1, { lastAt: start + 1500 })]));
  expect(states()).toEqual(['unknown written_after_gone']);
  look(scan([dead], [transcript(1, { lastAt: start + 1500 })]));
  expect(states()).toEqual(['unknown written_after_gone']);
});

test('a directory that cannot be read leaves its sessions as they were', () => {
  const { look, states } = watching();
  look(scan([entry(1)], []));
  expect(look(scan([], [], { ok: false }))).toEqual([]);
  expect(look(scan([], [], { ok: false }))).toEqual([]);
  expect(states()).toEqual(['running turn']);
});

test('a session that left no file is gone, and forgotten after a day', () => {
  const { look, states } = watching();
  look(scan([entry(1)], []));
  look(scan([], []));
  look(scan([], []));
  expect(states()).toEqual(['gone exited:no_turn']);
  look(scan([], []), 24 * hour);
  expect(states()).toEqual([]);
});

test('what did not change is the same object and is not reported', () => {
  const { look, get } = watching();
  const seen = scan([entry(1)], [transcript(1)]);
  expect(look(seen)).toEqual([id(1)]);
  const before = get(1);
  expect(look(seen)).toEqual([]);
  expect(get(1)).toBe(before);
});

const later = { firstAt: start - 60_000, lastAt: start, turn: noTurn };

test('after /clear the newest of a line of transcripts takes the process over', () => {
  const { look, get } = watching();
  const next = transcript(2, { ...later, lastAt: start - 30_000, afterClear: true });
  const newest = transcript(3, { ...later, firstAt: start - 10_000, afterClear: true });
  look(scan([entry(1)], [transcript(1), next, newest]));
  expect(get(1)).toMatchObject({ state: 'gone', reason: 'replaced:/clear' });
  expect(get(2)).toMatchObject({ state: 'gone', reason: 'replaced:/clear' });
  expect(get(3)).toMatchObject({ state: 'running', inferred: true, pid: 101 });
});

test('a start hook names how a session took the process over', () => {
  const { look, get } = watching({ ...notes, starts: new Map([[id(2), 'fork']]) });
  look(scan([entry(1)], [transcript(1), transcript(2, later)]));
  expect(get(1)?.reason).toBe('replaced:fork');
});

test.each<[says: string, seen: SessionScan]>([
  ['two successors at once', scan([entry(1)], [transcript(1), transcript(2, later), transcript(3, later)])],
  ['two living processes in the place', scan([entry(1), entry(4)], [transcript(1), transcript(2, later)])],
])('with %s nobody knows which session lives', (_says, seen) => {
  const { look, get } = watching();
  look(seen);
  expect(get(1)?.state).toBe('unknown');
  expect(get(2)?.state).toBe('unknown');
});

test.each<[says: string, other: Partial<Transcript>]>([
  ['came and went long before the status changed', { ...later, lastAt: start - 120_000 }],
  ['belongs to another front end', { ...later, entrypoint: 'sdk-cli' }],
  ['began before the old one ended', { ...later, firstAt: start - hour }],
  ['lies in another folder', { ...later, folder: '-x' }],
])('a transcript that %s takes nothing over', (_says, other) => {
  const { look, get } = watching();
  look(scan([entry(1)], [transcript(1), transcript(2, { firstAt: start - 180_000, ...other })]));
  expect(get(1)?.state).toBe('running');
});

test('two living processes of one session contest its tree, and the busier one speaks', () => {
  const { look, get, all } = watching();
  const place: GitLocation = {
    root: '/r',
    mainRoot: '/r',
    repository: null,
    branch: null,
    worktree: false,
    onDisk: true,
  };
  look(scan([entry(1, { status: 'idle' }), entry(1, { pid: 7 })], []));
  expect(get(1)).toMatchObject({ state: 'running', pid: 7 });
  const sessions = all().map((facts) => ({ ...facts, tree: '/r' }));
  expect(treesOf({ host: 'h', sessions, locations: [place], worktrees: [], parents: new Map() })[0]?.contested).toBe(
    true,
  );
});
