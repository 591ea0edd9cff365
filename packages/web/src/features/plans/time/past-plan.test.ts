import { pastPlanAfter, pastPlanAt } from 'signalbox/browser/plan-fold';
import { expect, test } from 'vitest';
import type { HistoryEntry } from '../../../live/wire.ts';
import { burnUpLevels, sumLevels } from './burn-up-levels.ts';
import { nodesAt } from './past-nodes.ts';

const at = (minute: number) => `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000Z`;
const nowhere = () => ({ done: false, missing: true });
const binding = { kind: 'suite' };
const story: readonly [type: string, data: Record<string, unknown>][] = [
  [
    'plan_created',
    {
      document: { plan: 'shop', nodes: [{ id: 'Lexer' }, { id: 'parser', dependsOn: ['lexer'], binding }] },
      source: 'api',
    },
  ],
  ['node_claimed', { id: 'Lexer', agent: 'ada', session: null, expiresAt: at(30), fence: 1, renewed: false }],
  ['claim_reported', { id: 'Lexer', agent: 'ada', note: 'half', expiresAt: at(40) }],
  ['node_bound', { id: 'Lexer', binding: { kind: 'signOff' } }],
  ['node_signed_off', { id: 'Lexer', note: null, revoked: false }],
  ['claim_released', { id: 'Lexer', agent: 'ada' }],
  ['node_added', { node: { id: 'totals', title: 'Totals', dependsOn: ['parser', 'other/sdk'] } }],
  ['dependency_removed', { node: 'totals', on: 'other/sdk' }],
  ['evidence_observed', { id: 'parser', from: 'notObserved', to: 'failed', settled: 'failed', detail: 'suite is red' }],
  ['evidence_observed', { id: 'parser', from: 'failed', to: 'passed', settled: 'passed', detail: 'green' }],
  ['evidence_observed', { id: 'parser', from: 'passed', to: 'running', settled: 'passed', detail: 'a new run' }],
  ['node_removed', { id: 'totals' }],
];
const entries = story.map(
  ([type, data], index): HistoryEntry => ({
    sequence: index + 1,
    version: 1,
    type,
    by: 'eve',
    at: at(index),
    provenance: 'asserted',
    data,
    says: '',
  }),
);
const states = (count: number) =>
  Object.fromEntries(
    nodesAt('shop', pastPlanAfter(entries, count), at(count - 1), nowhere).map(({ id, status }) => [id, status]),
  );

test('the plan stands at every moment as its history says', () => {
  expect(states(1)).toEqual({ Lexer: 'ready', parser: 'blocked' });
  expect(states(2)).toEqual({ Lexer: 'claimed', parser: 'blocked' });
  expect(states(5)).toEqual({ Lexer: 'done', parser: 'ready' });
  expect(states(7)).toEqual({ Lexer: 'done', parser: 'ready', totals: 'blocked' });
  expect(states(9)).toEqual({ Lexer: 'done', parser: 'failed', totals: 'blocked' });
  expect(states(11)).toEqual({ Lexer: 'done', parser: 'done', totals: 'ready' });
  expect(states(12)).toEqual({ Lexer: 'done', parser: 'done' });
});

test('a lease that had run out is no claim, and a report made it longer', () => {
  const picture = pastPlanAfter(entries, 3);
  const claimAt = (when: string) => nodesAt('shop', picture, when, nowhere)[0]?.claim;
  expect(claimAt(at(39))).toMatchObject({ agent: 'ada', note: 'half', claimedAt: at(1) });
  expect(claimAt(at(41))).toBeNull();
});

test('an instant between two events is as the earlier left it', () => {
  expect(pastPlanAt(entries, '2026-01-01T00:06:30.000Z').nodes.get('totals')?.dependsOn).toEqual([
    'parser',
    'other/sdk',
  ]);
  expect(pastPlanAt(entries, '2025-12-31T00:00:00.000Z').nodes.size).toBe(0);
});

test('a burn-up counts what is there and what is done, and several plans add up', () => {
  const levels = burnUpLevels(entries);
  expect(levels.map(({ total, done }) => [total, done])).toEqual([
    [2, 0],
    [2, 1],
    [3, 1],
    [3, 2],
    [2, 2],
  ]);
  expect(
    sumLevels([levels, [{ at: Date.parse(at(2)), total: 5, done: 5 }]]).map(({ total, done }) => [total, done]),
  ).toEqual([
    [2, 0],
    [7, 5],
    [7, 6],
    [8, 6],
    [8, 7],
    [7, 7],
  ]);
});
