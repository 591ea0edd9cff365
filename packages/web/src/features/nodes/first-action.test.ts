import { expect, test } from 'vitest';
import { claimSample } from '../../../../../tests/samples.ts';
import type { NodeView } from '../../live/wire.ts';
import { firstActionOf } from './first-action.ts';

type Node = Parameters<typeof firstActionOf>[0];

const ready: Node = { status: 'ready', claim: null, unbound: false, evidence: null, dependsOn: [] };
const evidence = (more: Partial<NonNullable<NodeView['evidence']>>): NodeView['evidence'] => ({
  state: 'failed',
  detail: 'unit failed',
  url: null,
  runId: null,
  provenance: 'observed',
  observedAt: null,
  ...more,
});
const waiting = [{ ref: 'p/x', status: 'ready', done: false, missing: false } as const];

test.each<[string, Node, ReturnType<typeof firstActionOf>]>([
  ['ready', ready, 'claim'],
  ['blocked', { ...ready, status: 'blocked', dependsOn: waiting }, 'waits'],
  ['claimed by another', { ...ready, status: 'claimed', claim: claimSample({ agent: 'bob' }) }, 'session'],
  [
    'claimed without a session',
    { ...ready, status: 'claimed', claim: claimSample({ agent: 'bob', sessionId: null }) },
    'none',
  ],
  ['claimed by me', { ...ready, status: 'claimed', claim: claimSample() }, 'report'],
  ['orphaned', { ...ready, status: 'claimed', claim: claimSample({ agent: 'bob', health: 'orphaned' }) }, 'resume'],
  ['failed by a run', { ...ready, status: 'failed', evidence: evidence({ runId: 'r' }) }, 'run'],
  ['failed by a page elsewhere', { ...ready, status: 'failed', evidence: evidence({ url: 'https://x' }) }, 'evidence'],
  ['failed and offered again', { ...ready, status: 'failed', evidence: evidence({}) }, 'claim'],
  ['submitted', { ...ready, status: 'submitted' }, 'none'],
  ['unbound', { ...ready, unbound: true }, 'bind'],
  ['done by a run', { ...ready, status: 'done', evidence: evidence({ state: 'passed', runId: 'r' }) }, 'run'],
  ['done by a sign-off', { ...ready, status: 'done', evidence: evidence({ state: 'signed' }) }, 'none'],
])('the action of a node that is %s fits its state', (_, node, action) => {
  expect(firstActionOf(node, 'ada')).toBe(action);
});

test("nobody is offered another's claim, whatever its health", () => {
  for (const health of ['held', 'stalled', 'orphaned', 'unknown', 'unlinked'] as const) {
    const claim = claimSample({ agent: 'bob', health });
    expect(firstActionOf({ ...ready, status: 'claimed', claim }, 'ada')).not.toBe('claim');
  }
});
