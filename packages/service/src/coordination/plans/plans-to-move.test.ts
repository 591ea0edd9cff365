import { expect, test } from 'vitest';
import { type Plan, planFrom } from './plan.ts';
import { plansToMove } from './plans-to-move.ts';

const start = { at: '2026-01-01T09:00:00.000Z', version: 1, sequence: 1 };
const plan = (slug: string, archivedAt: string | null, dependsOn: string[] = []): Plan => ({
  ...planFrom({ nodes: [{ id: 'n', dependsOn }] }, slug, 'api', start),
  archivedAt,
});
const old = '2026-01-02T09:00:00.000Z';
const slugsOf = (...plans: Plan[]) => plansToMove(plans, '2026-02-01T00:00:00.000Z').map(({ slug }) => slug);

test('plans archived before then are moved; live ones, later ones and those of files stay', () => {
  const ofFile = { ...planFrom({ nodes: [] }, 'file', 'file', start), archivedAt: old };
  expect(slugsOf(plan('Old', old), plan('live', null), plan('late', '2026-02-02T00:00:00.000Z'), ofFile)).toEqual([
    'Old',
  ]);
});

test('a plan stays while one that stays waits for it, also over another archived one', () => {
  expect(slugsOf(plan('a', old), plan('b', old, ['a/n']), plan('live', null, ['B/n']))).toEqual([]);
  expect(slugsOf(plan('a', old), plan('b', old, ['a/n']), plan('live', null, ['live/n']))).toEqual(['a', 'b']);
});
