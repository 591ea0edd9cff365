import { expect, test } from 'vitest';
import { runSample } from '../../../../../tests/samples.ts';
import type { RunSummary } from '../runs/contract.ts';
import { createSuiteObserver } from './suite-observer.ts';

const run = runSample({ runId: 'r1', tag: 'p/n', startedAt: '2026-01-01T09:00:00.000Z' });
const target = {
  ref: { plan: 'p', node: 'n' },
  binding: { kind: 'suite', tag: 'p/n' },
  repository: null,
  observedBefore: true,
  settledBy: { runId: 'r1', startedAt: run.startedAt },
} as const;

function observerOf(shared: boolean) {
  let board: RunSummary[] = [];
  const observer = createSuiteObserver({ list: async () => ({ runs: board, ageMs: null }) }, shared);
  return async (runs: RunSummary[]) => {
    board = runs;
    return (await observer.observe([target])).map(({ observation: { state, detail } }) => [state, detail]);
  };
}

test('a run that is not counted yet holds up its own suite alone, and an unreadable one holds up nothing', async () => {
  const look = observerOf(false);
  const done = [['passed', expect.stringContaining('passed')]];
  const uncounted = (tag: string) => runSample({ runId: 'r2', tag, counted: false, green: null });
  expect(await look([run, uncounted('p/n')])).toEqual([]);
  expect(await look([run, uncounted('p/other')])).toEqual(done);
  const unreadable = { ...uncounted('p/n'), state: 'unreadable' } as const;
  expect(await look([run, unreadable])).toEqual(done);
  // The evidence of a run that has become unreadable stands; an older run does not replace it.
  const older = runSample({ runId: 'r0', tag: 'p/n', receivedAt: '2026-01-01T08:00:00.000Z' });
  expect(await look([older, { ...run, receivedAt: '2026-01-01T09:00:00.000Z', state: 'unreadable' }])).toEqual(missed);
});

const missed = [[null, expect.stringContaining('no longer on the board')]];

test('a host without the run that another host saw does not report on it', async () => {
  const look = observerOf(true);
  expect(await look([])).toEqual([[null, null]]);
  await look([run]);
  expect(await look([])).toEqual(missed);
});

test('where the evidence is of this host alone a run that is not there is missed', async () => {
  expect(await observerOf(false)([])).toEqual(missed);
});
