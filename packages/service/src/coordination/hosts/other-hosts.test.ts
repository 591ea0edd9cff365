import { expect, test } from 'vitest';
import type { HostRow, SharedItem } from '../../kernel/host-table.ts';
import { OtherHosts } from './other-hosts.ts';

const session = (id: string): SharedItem => ({ kind: 'session', id, body: { sessionId: id, state: 'running' } });
const row = (revision: number, items: number, changed: readonly SharedItem[] = [], silentMs = 0): HostRow => ({
  key: 'bob',
  name: 'Bob',
  url: null,
  revision,
  items,
  silentMs,
  changed,
});

const idsIn = (neighbours: OtherHosts) => [...neighbours.all()].flatMap((host) => [...host.session.keys()]);

test('what is newer is folded, and a removal is noticed by the count', () => {
  const neighbours = new OtherHosts();
  expect(neighbours.fold([row(1, 2, [session('a'), session('b')])], 0)).toMatchObject({
    moved: { sessions: ['a', 'b'] },
    overfull: [],
  });
  expect(neighbours.revisions()).toEqual({ bob: 1 });
  expect(neighbours.fold([row(2, 2, [session('c')])], 0).overfull).toEqual(['bob']);
  expect(neighbours.retainOnly('bob', [session('b'), session('c')])).toMatchObject({ sessions: ['a'] });
  expect(idsIn(neighbours)).toEqual(['b', 'c']);
});

test('a host is away after half a minute of silence and back with its next heartbeat', () => {
  const neighbours = new OtherHosts();
  neighbours.fold([row(1, 1, [session('a')])], 1_000);
  expect(neighbours.checkSilence(31_000)).toMatchObject({ sessions: [] });
  expect(neighbours.checkSilence(31_001)).toMatchObject({ sessions: ['a'] });
  expect(neighbours.checkSilence(40_000)).toMatchObject({ sessions: [] });
  expect(neighbours.fold([row(1, 1, [], 35_000)], 40_000).moved.sessions).toEqual([]);
  expect(neighbours.fold([row(1, 1, [], 10)], 41_000).moved.sessions).toEqual(['a']);
  expect([...neighbours.all()].map(({ away }) => away)).toEqual([false]);
});

test('one that went back in time is asked for all of it, and one that is listed no more is gone', () => {
  const neighbours = new OtherHosts();
  neighbours.fold([row(9, 1, [session('a')])], 0);
  neighbours.fold([row(3, 1)], 0);
  expect(neighbours.revisions()).toEqual({ bob: -1 });
  neighbours.fold([row(3, 1, [session('a')])], 0);
  expect(neighbours.revisions()).toEqual({ bob: 3 });
  const { version } = neighbours;
  expect(neighbours.fold([], 0).moved.sessions).toEqual(['a']);
  expect([idsIn(neighbours), neighbours.version > version]).toEqual([[], true]);
});

test('a poll that was under way when the store was replaced does not count as having read all of it', () => {
  const neighbours = new OtherHosts();
  neighbours.fold([row(8, 1, [session('a')])], 0);
  const asked = neighbours.revisions();
  neighbours.readAgain();
  // The answer lacks an item of the restored store that is older than revision 8.
  neighbours.fold([row(300, 1)], 0, asked);
  expect(neighbours.revisions()).toEqual({ bob: -1 });
  neighbours.fold([row(300, 1, [session('a')])], 0);
  expect(neighbours.revisions()).toEqual({ bob: 300 });
});

test('a live run of a host that is away has lost its publisher, and is live again when that host is back', () => {
  const neighbours = new OtherHosts();
  const run = { runId: 'r', state: 'running', scenarios: 3, totalScenarios: 5, scenariosFinished: 1, indeterminate: 0 };
  const ended = { ...run, runId: 'e', state: 'finished' };
  const items = [run, ended].map((one) => ({ kind: 'run', id: one.runId, body: { run: one, retried: [] } }));
  neighbours.fold([row(1, 2, items)], 0);
  const { runs } = neighbours.checkSilence(30_001);
  expect(runs).toMatchObject([{ runId: 'r', state: 'orphaned', orphaned: true, green: false, running: 0, lost: 4 }]);
  expect(neighbours.fold([row(1, 2, [], 10)], 31_000).moved.runs).toEqual([run]);
});
