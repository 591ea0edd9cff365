import { expect, test } from 'vitest';
import { type Claim, HeldClaim } from './held-claim.ts';

test('a claim whose answer took longer than its lease is lost at once, without a timer of negative length', () => {
  const timers: { work: () => void; ms: number }[] = [];
  const later = (work: () => void, ms: number) => {
    timers.push({ work, ms });
    return () => undefined;
  };
  const claim = { fence: 1, node: { plan: 'demo', id: 'a' } } as Claim;
  const held = new HeldClaim(claim, { agent: 'ada', leaseMs: 2_000, call: () => Promise.reject(), later }, 2_200);
  expect(timers.map(({ ms }) => ms)).toEqual([0, 0]);
  timers[1]?.work();
  expect(held.reason).toMatchObject({ code: 'claim_lost' });
});
