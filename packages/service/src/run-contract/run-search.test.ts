import { expect, test } from 'vitest';
import { isFound } from './run-search.ts';

const run = {
  runId: '6f1c2f0e',
  suite: 'Unit',
  repository: '/code/shop',
  repositoryName: 'acme/shop',
  branch: 'main',
  tag: null,
  failed: 0,
  green: true as boolean | null,
};

test('a run is found by a part of any of its names, in any case', () => {
  for (const search of ['uni', 'CODE/', 'Acme', 'mai', '6f1c']) expect(isFound(run, { search }), search).toBe(true);
  expect(isFound(run, { search: 'e2e' })).toBe(false);
  expect(isFound(run, {})).toBe(true);
});

test('a run has failed when a test of it did, or when it did not end well', () => {
  expect(isFound(run, { failed: true })).toBe(false);
  expect(isFound(run, { failed: false })).toBe(true);
  expect(isFound({ ...run, failed: 1, green: null }, { failed: true })).toBe(true);
  expect(isFound({ ...run, green: false }, { failed: true })).toBe(true);
});
