import { expect, test } from 'vitest';
import { noUsage, type Transcript } from './ports.ts';
import { entriesByDirectory, withoutChildren } from './processes-by-directory.ts';
import { noTurn } from './turn.ts';

const session = (sessionId: string, firstAt: number, lastAt: number, cwd = '/fx/shop'): Transcript => ({
  sessionId,
  folder: 'f',
  firstAt,
  lastAt,
  launchCwd: cwd,
  cwd,
  branch: null,
  entrypoint: null,
  afterClear: false,
  subagent: false,
  turn: noTurn,
  usage: noUsage,
});
const served = (processes: Parameters<typeof entriesByDirectory>[0], ...sessions: Transcript[]) =>
  entriesByDirectory(processes, sessions).map(({ pid, sessionId }) => [pid, sessionId]);

test('a process serves the session of its directory that was written last', () => {
  const process = { pid: 7, cwd: '/fx/shop', startedAt: 50_000 };
  expect(served([process], session('old', 10_000, 20_000), session('new', 51_000, 60_000))).toEqual([[7, 'new']]);
  expect(served([process], session('resumed', 10_000, 60_000))).toEqual([[7, 'resumed']]);
  expect(served([process], session('elsewhere', 51_000, 60_000, '/fx/other'))).toEqual([]);
});

test('a process that has written nothing yet serves none of the sessions before it', () => {
  expect(served([{ pid: 7, cwd: '/fx/shop', startedAt: 50_000 }], session('old', 10_000, 20_000))).toEqual([]);
  expect(served([{ pid: 7, cwd: '/fx/shop', startedAt: null }], session('old', 10_000, 20_000))).toEqual([[7, 'old']]);
});

test('as many sessions live as processes stand in the directory', () => {
  const processes = [
    { pid: 8, cwd: '/fx/shop', startedAt: 70_000 },
    { pid: 7, cwd: '/fx/shop', startedAt: 50_000 },
  ];
  const sessions = [session('a', 51_000, 90_000), session('b', 71_000, 80_000), session('old', 1_000, 49_000)];
  expect(served(processes, ...sessions)).toEqual([
    [7, 'a'],
    [8, 'b'],
  ]);
});

test('a process that serves another session does not count', () => {
  const subagent = { ...session('sub', 51_000, 60_000), subagent: true };
  expect(served([{ pid: 7, cwd: '/fx/shop', startedAt: 50_000 }], subagent)).toEqual([]);
});

test('a child process of the same program serves the same session', () => {
  const [launcher, program, other] = [
    { pid: 7, parent: 1 },
    { pid: 8, parent: 7 },
    { pid: 9, parent: 5 },
  ];
  expect(withoutChildren([program, launcher, other])).toEqual([launcher, other]);
});
