import { expect, test } from 'vitest';
import { type Evidence, notYetObserved } from '../evidence/node-evidence.ts';
import { judgeSubmission, proofSince } from './submission.ts';

const at = '2026-01-01T09:00:00.000Z';
const earlier = '2026-01-01T08:59:00.000Z';
const later = '2026-01-01T09:01:00.000Z';
const blank = notYetObserved({ kind: 'suite' });
const run = (state: 'passed' | 'failed' | 'running', receivedAt: string, runId = 'r1'): Evidence => ({
  ...blank,
  state,
  settled: state === 'running' ? 'notObserved' : state,
  settledBy: state === 'running' ? null : { runId, startedAt: null, receivedAt },
  runId,
  observedAt: later,
});

test('a green run proves what was submitted, whenever it arrived', () => {
  expect(judgeSubmission({ at }, undefined, run('passed', earlier))).toBe('proven');
  expect(judgeSubmission({ at }, undefined, run('passed', later))).toBe('proven');
});

test('a red run contradicts it if it arrived later, or was seen live before it ended', () => {
  expect(judgeSubmission({ at }, undefined, run('failed', later))).toBe('contradicted');
  expect(judgeSubmission({ at }, undefined, run('failed', earlier))).toBeNull();
  expect(judgeSubmission({ at }, run('running', earlier), run('failed', earlier))).toBe('contradicted');
  expect(judgeSubmission({ at }, run('running', earlier, 'r0'), run('failed', earlier))).toBeNull();
});

test('a pull request that was closed and a sign-off that was refused contradict it; one that was revoked does not', () => {
  const closed: Evidence = { ...blank, state: 'closedUnmerged', settled: 'closedUnmerged', observedAt: later };
  expect(judgeSubmission({ at }, undefined, closed)).toBe('contradicted');
  const refused: Evidence = { ...notYetObserved({ kind: 'signOff' }), observedAt: later };
  expect(judgeSubmission({ at }, undefined, refused)).toBe('contradicted');
  expect(judgeSubmission({ at }, refused, undefined)).toBeNull();
});

test('during a submission a live run counts only if it was seen since', () => {
  expect(proofSince(at, run('running', later))).toBe('running');
  expect(proofSince(at, { ...run('running', earlier), observedAt: earlier })).toBe('open');
  expect(proofSince(at, run('failed', earlier))).toBe('open');
  expect(proofSince(at, null)).toBe('open');
});
