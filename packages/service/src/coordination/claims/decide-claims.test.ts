import { expect, test } from 'vitest';
import { isRefusal } from '../../kernel/outcome.ts';
import { type ClaimFacts, claimNode, expiryEvents, releaseNode, reportNode, settledEvents } from './decide.ts';
import type { ClaimEvent } from './events.ts';
import { evolve, type NodeClaimState, unclaimed } from './lease.ts';

const nine = '2026-01-01T09:00:00.000Z';
const halfPast = '2026-01-01T09:30:00.000Z';
const bob = { agent: 'bob' };
const ada = { agent: 'ada' };

const facts = (holding: NodeClaimState, now: string, more: Partial<ClaimFacts> = {}): ClaimFacts => ({
  now,
  ref: 'shop/parser',
  id: 'parser',
  done: false,
  claims: holding,
  provenBy: 'suite',
  submittedHours: 4,
  isSessionGone: () => false,
  observedHealth: () => ({ health: 'orphaned', reason: 'killed' }),
  tokensUsed: () => null,
  touched: () => [],
  ...more,
});

const fold = (holding: NodeClaimState, events: unknown, at: string): NodeClaimState =>
  (events as ClaimEvent[]).reduce((held, event) => evolve(held, event, at), holding);

const heldBy = (ask: { agent: string; session?: string }, at = nine): NodeClaimState =>
  fold(unclaimed, claimNode(ask, facts(unclaimed, at)), at);

const codeOf = (answer: unknown) => (isRefusal(answer) ? answer.code : undefined);

test('a lease lasts 30 minutes by default', () => {
  expect(heldBy(bob).lease?.expiresAt).toBe(halfPast);
  const hour = claimNode({ ...bob, leaseMinutes: 60 }, facts(unclaimed, nine));
  expect(fold(unclaimed, hour, nine).lease?.expiresAt).toBe('2026-01-01T10:00:00.000Z');
});

test('a live lease is answered with its holder and its end', () => {
  const answer = claimNode(ada, facts(heldBy(bob), '2026-01-01T09:29:59.999Z'));
  expect(answer).toEqual({ heldBy: 'bob', heldUntil: halfPast });
});

test('the instant a lease ends, anyone may claim, and its end is noted first', () => {
  const answer = claimNode(ada, facts(heldBy(bob), halfPast)) as ClaimEvent[];
  expect(answer.map(({ type }) => type)).toEqual(['claim_expired', 'node_claimed']);
  const after = fold(heldBy(bob), answer, halfPast);
  expect(after.lease).toMatchObject({ agent: 'ada', fence: Date.parse(halfPast), note: null });
  expect(after.last).toMatchObject({
    agent: 'bob',
    how: 'expired',
    endedAt: halfPast,
    health: 'orphaned',
    reason: 'killed',
  });
});

test('a fence is larger than the last one, and not below the clock of the store', () => {
  const fenceAfter = (state: NodeClaimState, at: string) => fold(state, claimNode(ada, facts(state, at)), at).fence;
  expect(fenceAfter(unclaimed, nine)).toBe(Date.parse(nine));
  const ahead = { ...unclaimed, fence: Date.parse(halfPast) };
  expect(fenceAfter(ahead, nine)).toBe(Date.parse(halfPast) + 1);
});

test('the holder claiming again renews the same claim: fence and note stay, a named session is taken over', () => {
  const noted = fold(heldBy(bob), reportNode({ ...bob, note: 'half way' }, facts(heldBy(bob), nine)), nine);
  const again = claimNode({ ...bob, session: 's2' }, facts(noted, '2026-01-01T09:10:00.000Z'));
  const renewed = fold(noted, again, '2026-01-01T09:10:00.000Z');
  expect(renewed.lease).toMatchObject({
    fence: Date.parse(nine),
    note: 'half way',
    session: 's2',
    claimedAt: nine,
    expiresAt: '2026-01-01T09:40:00.000Z',
  });
});

test('a renewal runs for the length last asked for, and a given one may shorten it', () => {
  const hour = fold(unclaimed, claimNode({ ...bob, leaseMinutes: 60 }, facts(unclaimed, nine)), nine);
  const kept = fold(hour, reportNode(bob, facts(hour, halfPast)), halfPast);
  expect(kept.lease?.expiresAt).toBe('2026-01-01T10:30:00.000Z');
  const short = fold(kept, reportNode({ ...bob, leaseMinutes: 5 }, facts(kept, halfPast)), halfPast);
  expect(short.lease?.expiresAt).toBe('2026-01-01T09:35:00.000Z');
});

test('a note that is absent stays, and an empty one clears it', () => {
  const noted = fold(heldBy(bob), reportNode({ ...bob, note: 'a' }, facts(heldBy(bob), nine)), nine);
  const kept = fold(noted, reportNode(bob, facts(noted, nine)), nine);
  expect(kept.lease?.note).toBe('a');
  expect(fold(kept, reportNode({ ...bob, note: '' }, facts(kept, nine)), nine).lease?.note).toBeNull();
});

test('done comes before held, for the holder too', () => {
  expect(codeOf(claimNode(ada, facts(heldBy(bob), nine, { done: true })))).toBe('node_done');
  expect(codeOf(claimNode(bob, facts(heldBy(bob), nine, { done: true })))).toBe('node_done');
});

test('report and release still work on a done node during the claim', () => {
  const done = facts(heldBy(bob), nine, { done: true });
  expect(reportNode({ ...bob, note: 'merged' }, done)).toHaveLength(1);
  expect(releaseNode(bob, done)).toHaveLength(1);
});

test('another session under the same label holds nothing unless the claim’s own was observed and is gone', () => {
  const held = heldBy({ ...bob, session: 's1' });
  const alive = facts(held, nine);
  const other = { ...bob, session: 's2' };
  expect(claimNode(other, alive)).toEqual({ heldBy: 'bob', heldUntil: halfPast });
  expect(codeOf(reportNode(other, alive))).toBe('not_holder');
  expect(codeOf(releaseNode(other, alive))).toBe('not_holder');
  const gone = facts(held, nine, { isSessionGone: (session) => session === 's1' });
  expect(codeOf(reportNode(other, gone))).toBeUndefined();
  expect(codeOf(reportNode({ ...bob, session: 'S1' }, alive))).toBeUndefined();
});

test('without a session in the call or in the claim, the label alone decides', () => {
  expect(codeOf(reportNode(bob, facts(heldBy({ ...bob, session: 's1' }), nine)))).toBeUndefined();
  expect(codeOf(reportNode({ ...bob, session: 's2' }, facts(heldBy(bob), nine)))).toBeUndefined();
});

test('the fence of the claim makes another session under the same label its holder, another fence does not', () => {
  const held = facts(heldBy({ ...bob, session: 's1' }), nine);
  const shown = { ...bob, session: 's2', fence: Date.parse(nine) };
  expect(claimNode(shown, held)).toMatchObject([{ type: 'node_claimed', data: { renewed: true, session: 's2' } }]);
  expect(reportNode(shown, held)).toHaveLength(1);
  expect(releaseNode(shown, held)).toHaveLength(1);
  expect(claimNode({ ...shown, fence: 7 }, held)).toEqual({ heldBy: 'bob', heldUntil: halfPast });
  expect(codeOf(releaseNode({ ...shown, fence: 7 }, held))).toBe('not_holder');
  expect(codeOf(reportNode({ ...shown, agent: 'ada' }, held))).toBe('not_holder');
});

test('a node that is not held cannot be reported on, not even by its last holder', () => {
  const answer = reportNode(bob, facts(heldBy(bob), halfPast));
  expect(answer).toMatchObject({ code: 'not_holder', extra: { heldBy: null, heldUntil: null } });
});

test('the holder is checked before the fence', () => {
  const held = facts(heldBy(bob), nine);
  expect(codeOf(reportNode({ ...ada, fence: 9 }, held))).toBe('not_holder');
  expect(reportNode({ ...bob, fence: 9 }, held)).toMatchObject({
    code: 'stale_fence',
    extra: { heldBy: 'bob', heldUntil: halfPast },
  });
  expect(codeOf(releaseNode({ ...bob, fence: Date.parse(nine) }, held))).toBeUndefined();
});

test('releasing a node that is not held, or whose lease expired, succeeds', () => {
  expect(releaseNode(bob, facts(unclaimed, nine))).toEqual([]);
  expect(releaseNode({ ...bob, fence: 1 }, facts(heldBy(bob), halfPast))).toEqual([]);
});

test('a live lease has no expiry event, and an expired one has exactly one', () => {
  expect(expiryEvents(facts(heldBy(bob), nine))).toEqual([]);
  const noted = fold(heldBy(bob), expiryEvents(facts(heldBy(bob), halfPast)), halfPast);
  expect(expiryEvents(facts(noted, halfPast))).toEqual([]);
});

const handedIn = (holding: NodeClaimState, at = nine): NodeClaimState =>
  fold(holding, releaseNode({ ...bob, outcome: 'submitted' }, facts(holding, at)), at);

test('what is submitted keeps the note of the claim unless another is given', () => {
  const noted = fold(heldBy(bob), reportNode({ ...bob, note: 'pushed' }, facts(heldBy(bob), nine)), nine);
  expect(handedIn(noted)).toMatchObject({ lease: null, submission: { agent: 'bob', note: 'pushed', at: nine } });
  const other = releaseNode({ ...bob, outcome: 'submitted', note: 'merged' }, facts(noted, nine));
  expect(fold(noted, other, nine)).toMatchObject({ submission: { note: 'merged' }, last: { note: 'merged' } });
});

test('a plain release, a failure and a done node make no submission', () => {
  const types = (events: unknown) => (events as ClaimEvent[]).map(({ type }) => type);
  const held = facts(heldBy(bob), nine);
  expect(types(releaseNode(bob, held))).toEqual(['claim_released']);
  expect(types(releaseNode({ ...bob, outcome: 'failed', error: 'boom' }, held))).toEqual(['claim_released']);
  expect(types(releaseNode({ ...bob, outcome: 'submitted' }, { ...held, done: true }))).toEqual(['claim_released']);
  const failed = releaseNode({ ...bob, outcome: 'failed', error: 'boom' }, held);
  expect(fold(heldBy(bob), failed, nine).last).toMatchObject({ how: 'released', error: 'boom' });
});

test('a claim ends a submission, and records that only during the submission', () => {
  const ends = (at: string, more: Partial<ClaimFacts> = {}) =>
    (claimNode(ada, facts(handedIn(heldBy(bob)), at, more)) as ClaimEvent[]).flatMap((event) =>
      event.type === 'submission_ended' ? [event.data.how] : [],
    );
  expect(ends(halfPast)).toEqual(['taken_up']);
  expect(ends('2026-01-01T13:00:00.000Z')).toEqual(['overdue']);
  expect(ends('2026-01-01T13:00:00.000Z', { provenBy: 'signOff' })).toEqual(['taken_up']);
});

test('its end is noted once evidence or the clock has ended it, and not before', () => {
  const submitted = handedIn(heldBy(bob));
  const how = (state: NodeClaimState, at: string) => settledEvents(facts(state, at)).map(({ data }) => data);
  expect(how(submitted, halfPast)).toEqual([]);
  expect(how(submitted, '2026-01-01T13:00:00.000Z')).toMatchObject([{ agent: 'bob', how: 'overdue' }]);
  const settled = { ...submitted, submission: submitted.submission && { ...submitted.submission, settled: 'proven' } };
  expect(how(settled as NodeClaimState, halfPast)).toMatchObject([{ how: 'proven' }]);
});
