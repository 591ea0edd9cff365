import { expect, test } from 'vitest';
import type { RunSummary } from '../../live/wire.ts';
import { concurrentRuns } from './concurrent-runs.ts';

const at = (second: number) => new Date(second * 1000).toISOString();
const run = (runId: string, from: number, to: number | null, more: Partial<RunSummary> = {}): RunSummary =>
  ({
    runId,
    host: 'here',
    state: to === null ? 'running' : 'finished',
    startedAt: at(from),
    finishedAt: to === null ? null : at(to),
    lastEventAt: at(to ?? from),
    ...more,
  }) as RunSummary;

const own = run('own', 10, 20);
const ids = (others: RunSummary[], now = 100) =>
  concurrentRuns(own, [own, ...others], now * 1000).map((one) => one.run.runId);

test('runs that were under way at the same time on the same host are told, those that shared most first', () => {
  expect(ids([run('brief', 18, 30), run('long', 5, 40), run('before', 1, 10), run('after', 20, 25)])).toEqual([
    'long',
    'brief',
  ]);
});

test('a run on another host does not count', () => {
  expect(ids([run('far', 10, 20, { host: 'there' })])).toEqual([]);
});

test('a live run lasts until now, one whose publisher is gone until its last word', () => {
  expect(ids([run('live', 1, null)], 12)).toEqual(['live']);
  expect(ids([run('lost', 1, null, { state: 'orphaned', lastEventAt: at(9) })])).toEqual([]);
  expect(ids([run('lost', 1, null, { state: 'orphaned', lastEventAt: at(12) })])).toEqual(['lost']);
});

test('a run that never said when it started cannot be placed', () => {
  expect(ids([run('shell', 1, 30, { startedAt: null })])).toEqual([]);
});
