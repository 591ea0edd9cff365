import { expect, test } from 'vitest';
import { nodeStatus } from './node-status.ts';

test('what evidence says outranks a claim, and a claim outranks what the node waits for', () => {
  expect(nodeStatus({ proof: 'failed', claimed: true, blocked: true })).toBe('failed');
  expect(nodeStatus({ proof: 'open', claimed: true, blocked: true })).toBe('claimed');
  expect(nodeStatus({ proof: 'open', claimed: false, blocked: true })).toBe('blocked');
  expect(nodeStatus({ proof: 'open', claimed: false, blocked: false })).toBe('ready');
});
