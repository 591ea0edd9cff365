/**
 * What the public publisher sends for a supervised run on the test platforms of .NET, member for member and in order: a
 * bracket, the lanes, and, since newer releases, an event for each test. Ids and words are those of each framework.
 */
export const frameworks = {
  xunit: [
    '3b0c4a4de1c2a5ad6f4f0c6c',
    '77d1f1c64a8f4f9a6f7b0a11',
    '90ab4d1e5c3a4b8f8e2d6c22',
    'c5a7f0a94be14e3b9c1d7e33',
  ],
  nunit: ['Acme.Orders.Pays(1,"EUR")', 'Acme.Orders.Pays(2,"EUR")', 'Acme.Orders.Ships', 'Acme.Orders.Cancels'],
  tunit: [
    'Acme.Orders.0.0.Pays.0.0.0',
    'Acme.Orders.0.0.Pays.0.0.1',
    'Acme.Orders.0.0.Ships.0',
    'Acme.Orders.0.0.Cancels.0',
  ],
  mstest: ['Acme.Orders.Pays', 'Acme.Orders.PaysTwice', 'Acme.Orders.Ships', 'Acme.Orders.Cancels'],
} as const;
export type Framework = keyof typeof frameworks;

const at = (ms: number) => `2026-08-21T10:00:0${Math.floor(ms / 1000)}.${String(ms % 1000).padStart(3, '0')}4321+00:00`;

export function supervisedRun(
  framework: Framework,
  runId: string,
  { tag, testEvents, dropped = 0 }: { tag: string; testEvents: boolean; dropped?: number },
): object[] {
  const uids = frameworks[framework];
  const lanes = [uids.slice(0, 2), uids.slice(2)];
  const tests = lanes.flatMap((ofLane, lane) =>
    ofLane.map((uid) => ({ uid, lane, displayName: `Acme.Orders ${uid}` })),
  );
  const verdicts = tests.flatMap(({ uid, lane, displayName }, index) => [
    { type: 'test_started', runId, uid, displayName, lane, at: at(100 + index) },
    { type: 'test_finished', runId, uid, displayName, state: 'Passed', durationMs: 12, lane, at: at(200 + index) },
  ]);
  return [
    {
      type: 'run_started',
      runId,
      suite: `Acme.Orders.${framework}`,
      repository: '/src/orders',
      branch: 'main',
      mode: 'supervised',
      startedAt: at(0),
      totalScenarios: uids.length,
      tag,
    },
    ...lanes.map((ofLane, lane) => ({ type: 'lane_started', runId, lane, uids: ofLane, at: at(10 + lane) })),
    ...(testEvents ? verdicts.slice(0, verdicts.length - dropped) : []),
    ...lanes.map((ofLane, lane) => ({
      type: 'lane_finished',
      runId,
      lane,
      outcomes: ofLane.length,
      crashed: false,
      at: at(900 + lane),
    })),
    {
      type: 'run_finished',
      runId,
      exitCode: 0,
      passed: uids.length,
      failed: 0,
      passedOnRetry: 0,
      indeterminate: 0,
      finishedAt: at(990),
    },
  ];
}
