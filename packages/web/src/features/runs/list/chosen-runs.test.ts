import { expect, test } from 'vitest';
import { comparisonOf, toggled } from './chosen-runs.ts';

const run = (runId: string, startedAt: string | null = null) => ({ runId, suite: 'unit', startedAt });

test('a run is chosen and let go again, and a third takes the place of the first', () => {
  const two = toggled(toggled([], run('a')), run('b'));
  expect(two.map(({ runId }) => runId)).toEqual(['a', 'b']);
  expect(toggled(two, run('a')).map(({ runId }) => runId)).toEqual(['b']);
  expect(toggled(two, run('c')).map(({ runId }) => runId)).toEqual(['b', 'c']);
});

test('the later of two runs is compared with the earlier, whichever was chosen first', () => {
  const [early, late] = [run('early', '2026-01-01T00:00:00Z'), run('late', '2026-01-02T00:00:00Z')];
  expect(comparisonOf([late, early])).toEqual({ before: early, after: late });
  expect(comparisonOf([early, late])).toEqual({ before: early, after: late });
  expect(comparisonOf([early])).toBeNull();
});
