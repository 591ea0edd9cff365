import { expect, test } from 'vitest';
import { nodeStatus } from './node-status.ts';

test('evidence outranks a claim, a claim a submission, and a submission the dependencies', () => {
  expect(nodeStatus({ proof: 'failed', claimed: true, submitted: false, blocked: true })).toBe('failed');
  expect(nodeStatus({ proof: 'open', claimed: true, submitted: false, blocked: true })).toBe('claimed');
  expect(nodeStatus({ proof: 'open', claimed: false, submitted: true, blocked: true })).toBe('submitted');
  expect(nodeStatus({ proof: 'open', claimed: false, submitted: false, blocked: true })).toBe('blocked');
  expect(nodeStatus({ proof: 'open', claimed: false, submitted: false, blocked: false })).toBe('ready');
});
