import { expect, test } from 'vitest';
import type { NodeKey } from '../../kernel/streams.ts';
import type { SessionFacts } from '../agents/session-state.ts';
import type { Lease } from '../claims/lease.ts';
import { createClaimLinks, LinkProjection, linkToRemember } from './claim-session.ts';

const at = '2026-11-18T09:00:00.000Z';
const lease: Lease = {
  agent: 'ada',
  session: 's-1',
  sessionBy: 'argument',
  client: null,
  toolCall: null,
  token: null,
  heardAt: at,
  note: null,
  claimedAt: at,
  expiresAt: '2026-11-18T10:00:00.000Z',
  fence: 1,
  leaseMinutes: 60,
};
const used = (input: number) => ({ input, cached: 0, output: 0 });
const session: SessionFacts = {
  sessionId: 's-1',
  host: 'box',
  tool: 'claude-code',
  cwd: null,
  launchCwd: null,
  state: 'running',
  reason: 'busy',
  activity: null,
  since: at,
  startedAt: null,
  lastActivityAt: null,
  branch: null,
  repository: null,
  tree: null,
  pid: null,
  title: null,
  inferred: false,
  model: null,
  tokens: used(3_000),
  turns: null,
  contextPercent: null,
  live: true,
  processes: 1,
};
const here = { host: 'box', follows: () => true };
const claim = { key: 'plan:a' as NodeKey, lease, repository: null, remembered: null };

test('what a session used between its claim and the link to it counts for the claim', () => {
  expect(linkToRemember({ ...claim, usedBefore: used(1_000) }, undefined, session, here)?.tokens).toEqual(used(1_000));
  // For a session that was first seen after its claim, usage counts from that moment.
  expect(linkToRemember({ ...claim, usedBefore: null }, undefined, session, here)?.tokens).toEqual(used(3_000));
});

test('a claim that ends before its link is stored counts what its session used', () => {
  let tokens = used(1_000);
  const observed = { get: () => ({ ...session, tokens }), observedAt: () => at };
  const links = createClaimLinks(new LinkProjection(), observed, () => at);
  links.noteUsage(claim.key, lease);
  tokens = used(3_000);
  links.noteUsage(claim.key, lease);
  expect(links.tokensUsed(claim)).toEqual(used(2_000));
  // What another session had used says nothing about this one.
  expect(links.tokensUsed({ ...claim, lease: { ...lease, session: 's-2' } })).toBeNull();
  links.noteUsage(claim.key, null);
  expect(links.tokensUsed(claim)).toBeNull();
});
