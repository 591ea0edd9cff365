import { expect } from 'vitest';
import { all, parseXml } from '../junit-xml.ts';
import { start } from '../start.ts';
import { verifies } from '../verifies.ts';

const runId = 'r1';
const uid = 'tests/cart.test.ts/cart > adds';
const events = [
  { type: 'run_started', runId, suite: 'shop', startedAt: '2026-01-01T10:00:00.000Z' },
  {
    type: 'scenario_started',
    runId,
    uid,
    feature: 'tests/cart.test.ts',
    scenario: 'cart > adds',
    attempt: 1,
    at: '2026-01-01T10:00:09.000Z',
    file: 'tests/cart.test.ts',
    line: 12,
    path: ['cart', 'adds'],
    tags: ['fast'],
  },
  {
    type: 'scenario_finished',
    runId,
    uid,
    outcome: 'Failed',
    attempts: 1,
    durationMs: 2_000,
    errorMessage: 'broken',
    // Reported in a batch at the end of the file, with the times that the runner measured.
    startedAt: '2026-01-01T10:00:02.000Z',
    at: '2026-01-01T10:00:04.000Z',
    errors: [{ message: 'broken', place: { file: 'src/cart.ts', line: 99 } }],
    stackTrace: 'Error: broken\n    at add (src/cart.ts:99:3)',
  },
  { type: 'worker_faulted', runId, lane: 0, fault: 'it died', exitCode: 134, at: '2026-01-01T10:00:05.000Z' },
  { type: 'run_finished', runId, exitCode: 2, failed: 1, finishedAt: '2026-01-01T10:00:10.000Z' },
];

verifies(
  ['export:ctrf-valid', 'export:junit', 'export:junit-worker-faults'],
  'an exported test has its own times and the place where it is written, and faults are no testcases among the runner’s own',
  async () => {
    await using service = await start();
    await service.console('POST', '/api/ingest', { events });
    const ctrf = await service.console('GET', `/api/runs/${runId}/export?format=ctrf`);
    expect(ctrf.body.results.tests).toMatchObject([
      {
        start: Date.parse('2026-01-01T10:00:02.000Z'),
        stop: Date.parse('2026-01-01T10:00:04.000Z'),
        filePath: 'tests/cart.test.ts',
        line: 12,
        suite: ['tests/cart.test.ts', 'cart'],
        tags: ['fast'],
      },
    ]);
    const junit = parseXml((await service.console('GET', `/api/runs/${runId}/export?format=junit`)).text);
    const suites = junit.children.map(({ attributes, children }) => [attributes.name, children.length]);
    expect(suites).toEqual([
      ['tests/cart.test.ts', 1],
      ['worker faults', 1],
    ]);
    expect(all(junit, 'testcase')[0]?.attributes).toMatchObject({ file: 'tests/cart.test.ts', line: '12' });
  },
);
