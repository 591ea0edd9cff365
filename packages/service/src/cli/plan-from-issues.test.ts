import { expect, test } from 'vitest';
import { planDocument } from '../coordination/plans/contract.ts';
import { planFromIssues } from './plan-from-issues.ts';

const issue = (number: number, blockedBy: number[] = []) => ({
  number,
  title: `Issue ${number}`,
  body: null,
  milestone: 'v2',
  labels: [],
  blockedBy,
});

test('issues become nodes that are proven by closing; sub-issues and blockers become dependencies between chosen ones', () => {
  const plan = planFromIssues('acme/shop', 'Version 2!', [issue(1), issue(2, [1, 1, 2, 99])]);
  expect(plan).toMatchObject({ plan: 'version-2', title: 'Version 2!', repository: 'acme/shop' });
  expect(plan.nodes).toEqual([
    { id: 'issue-1', title: 'Issue 1', binding: { kind: 'issue', issue: 'acme/shop#1' } },
    { id: 'issue-2', title: 'Issue 2', dependsOn: ['issue-1'], binding: { kind: 'issue', issue: 'acme/shop#2' } },
  ]);
  expect(planDocument.safeParse(plan).success).toBe(true);
});

test('a title without any slug characters still gives a plan', () => {
  expect(planFromIssues('a/b', '!!!', [issue(1)]).plan).toBe('plan-imported');
  expect(planFromIssues('a/b', 'Ready', [issue(1)]).plan).toBe('plan-ready');
});
