import { expect, test } from 'vitest';
import { runSample } from '../../../../../tests/samples.ts';
import { runSummaryFrom } from './other-console.ts';

/** The list of runs of the public console for which the interface was written. */
const foreign = {
  runId: '6F1C2F0E-3A55-4A0B-9D0E-0B6A1D2C3E4F',
  suite: 'Checkout.Specs',
  repository: '/src/checkout',
  branch: 'main',
  mode: 'supervised',
  finished: true,
  orphaned: false,
  exitCode: 0,
  scenarios: 3,
  startedAt: '2026-08-21T10:00:00.1234567+02:00',
  finishedAt: '2026-08-21T10:00:09+02:00',
  tag: 'p/n',
  totalScenarios: 3,
  scenariosFinished: 3,
  passed: 3,
  failed: 0,
  passedOnRetry: 0,
  indeterminate: 0,
};

test('a run of another console of this wire has the state and the verdict that this one would give it', () => {
  expect(runSummaryFrom(foreign)).toMatchObject({
    runId: '6f1c2f0e-3a55-4a0b-9d0e-0b6a1d2c3e4f',
    state: 'finished',
    green: true,
    counted: true,
    lost: 0,
    startedAt: '2026-08-21T08:00:00.123Z',
    trust: 'local',
  });
  expect(runSummaryFrom({ ...foreign, failed: 1 })?.green).toBe(false);
  expect(runSummaryFrom({ ...foreign, scenariosFinished: 2 })).toMatchObject({ green: null, lost: 1 });
  const figures = { ...foreign, scenarios: 0, scenariosFinished: 0 };
  expect(runSummaryFrom(figures)).toMatchObject({ green: true, counted: 'figures', lost: 0 });
  const live = { ...foreign, finished: false, exitCode: null, passed: null, failed: null, scenariosFinished: 1 };
  expect(runSummaryFrom(live)).toMatchObject({ state: 'running', green: null, passed: 0, running: 2, lost: 0 });
  expect(runSummaryFrom({ ...live, orphaned: true })).toMatchObject({ state: 'orphaned', green: false, lost: 2 });
});

test('a run of this product is read unchanged, and anything else is ignored', () => {
  expect(runSummaryFrom(runSample())).toEqual(runSample());
  for (const odd of [null, 'run', {}, { runId: 'a' }, { runId: 'a', suite: 's' }])
    expect(runSummaryFrom(odd)).toBeNull();
});
