import { expect, test } from 'vitest';
import { suiteBadge } from './suite-badge.ts';
import type { SuiteSummary } from './suites.ts';

const run = (green: boolean | null, durationMs = 10): SuiteSummary['runs'][number] => ({
  ...{ runId: 'r', receivedAt: null, startedAt: null, branch: null, commit: null, durationMs, green },
  state: green === null ? 'running' : 'finished',
});
const suite = (...runs: SuiteSummary['runs']): SuiteSummary => ({
  ...{ repository: '/r', repositoryName: null, suite: 'unit', expectedMs: null, runs },
});

test('a badge shows the last run that ended, or that a suite has no runs', () => {
  expect(suiteBadge('unit', suite(run(null), run(true)), 'badge')).toContain('<title>unit: passed</title>');
  expect(suiteBadge('unit', suite(run(false), run(true)), 'badge')).toContain('unit: failed');
  expect(suiteBadge('unit', undefined, 'badge')).toContain('unit: no runs');
});

test('the last runs are bars, as high as they were long, and names are escaped', () => {
  const drawn = suiteBadge('<a & "b">', suite(run(false, 5), run(true, 10)), 'runs');
  expect(drawn).toContain('&lt;a &amp; &quot;b&quot;&gt;: 1 of the last 2 runs failed');
  expect(drawn.match(/height="(?:28|18)" rx/g)).toEqual(['height="28" rx', 'height="18" rx']);
});
