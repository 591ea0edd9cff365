import { expect, test } from 'vitest';
import { planStateCounts } from './plan-row.tsx';

test('every node of a plan is in one state, also where a claim in trouble is on a node that failed', () => {
  const counts = { done: 1, running: 0, failed: 1, claimed: 1, submitted: 1, blocked: 2, ready: 0 };
  const parts = planStateCounts({ counts }, { stalled: 2, orphaned: 0 });
  expect(parts.reduce((sum, { count }) => sum + count, 0)).toBe(6);
  expect(parts.find(({ appearance }) => appearance.label === 'Stalled')?.count).toBe(1);
});
