import { expect, test } from 'vitest';
import { queryKeys } from './query-keys.ts';
import { staleAfter } from './stale-queries.ts';

const run = { runId: 'r1', session: 's1' };

test.each([
  ['a plan', staleAfter.planChange('shop')],
  ['a claim', staleAfter.claimChange('shop')],
  ['a session', staleAfter.agentsChange()],
  ['an overlap', staleAfter.overlapChange()],
  ['the state of a run', staleAfter.runStateChange(run)],
  ['an eject', staleAfter.ejection(['r1'])],
])('what needs a person is read again after a change of %s', (_, keys) => {
  expect(keys).toContainEqual(queryKeys.needs);
});

test('a run that ends is read again, with its lists, its session and the report of the day', () => {
  expect(staleAfter.runStateChange(run)).toEqual(
    expect.arrayContaining([
      queryKeys.run('r1'),
      queryKeys.runPages,
      queryKeys.suites,
      queryKeys.session('s1'),
      queryKeys.today,
    ]),
  );
});
