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
  const observer = createSuiteObserver(
    { list: async () => ({ runs: board, ageMs: null }), ejectedBy: async () => null },
    shared,
  );
  return async (runs: RunSummary[]) => {
    board = runs;
    return (await observer.observe([target])).map(({ observation: { state, detail } }) => [state, detail]);
  };
}

const missed = [[null, expect.stringContaining('no longer on the board')]];

test('a host that never knew the run that another host saw has nothing to say about it', async () => {
  const look = observerOf(true);
  expect(await look([])).toEqual([[null, null]]);
  await look([run]);
  expect(await look([])).toEqual(missed);
});

test('where the evidence is of this host alone a run that is not there is missed', async () => {
  expect(await observerOf(false)([])).toEqual(missed);
});
