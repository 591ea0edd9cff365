import { expect, test } from 'vitest';
import { nodeStatus } from './node-status.ts';

test('what evidence says outranks a claim, a claim what was handed in, and that what the node waits for', () => {
  expect(nodeStatus({ proof: 'failed', claimed: true, submitted: false, blocked: true })).toBe('failed');
  expect(nodeStatus({ proof: 'open', claimed: true, submitted: false, blocked: true })).toBe('claimed');
  expect(nodeStatus({ proof: 'open', claimed: false, submitted: true, blocked: true })).toBe('submitted');
  expect(nodeStatus({ proof: 'open', claimed: false, submitted: false, blocked: true })).toBe('blocked');
  expect(nodeStatus({ proof: 'open', claimed: false, submitted: false, blocked: false })).toBe('ready');
});
