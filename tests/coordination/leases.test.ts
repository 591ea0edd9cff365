import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noteExpired } from '../../packages/service/src/coordination/work/expiry.ts';
import { openInMemoryWork } from './in-memory-work.ts';

const node = { plan: 'p', node: 'a' };
const created = { document: { plan: 'p', nodes: [{ id: 'a' }, { id: 'b', dependsOn: ['a'] }] } };

const act = fc.oneof(
  fc.record({
    do: fc.constantFrom('claim_node', 'report_node', 'release_node'),
    agent: fc.constantFrom('ada', 'bob', 'eve'),
    session: fc.constantFrom(undefined, 's1', 's2'),
    leaseMinutes: fc.constantFrom(undefined, 1, 10),
    fence: fc.constantFrom(undefined, 1, 2, 3),
  }),
  fc.record({ wait: fc.integer({ min: 1, max: 40 }) }),
  fc.constant('sweep' as const),
);

test('there are never two live holders: who was granted a claim keeps it until it ends', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 40 }), async (acts) => {
      const { call, clock, ctx } = await openInMemoryWork({ sessions: { isGone: (session) => session !== 's1' } });
      await call('create_plan', created);
      let holder: { agent: string; until: number } | undefined;
      let fence = 0;
      for (const one of acts) {
        if (one === 'sweep') await noteExpired(ctx);
        else if ('wait' in one) clock.advance(one.wait * 30_000);
        else {
          const { do: name, ...ask } = one;
          const { fence: given, leaseMinutes, ...who } = ask;
          const extra =
            name === 'claim_node'
              ? { leaseMinutes }
              : name === 'report_node'
                ? { leaseMinutes, fence: given }
                : { fence: given };
          const answer = await call(name, { ...node, ...who, ...extra });
          const isHeld = holder !== undefined && holder.until > clock.wall();
          if (answer.claimed === true) {
            if (isHeld) expect(answer.node.claimedBy).toBe(holder?.agent);
            else expect(answer.fence).toBe(Math.max(fence + 1, clock.wall()));
            fence = answer.fence;
            holder = { agent: who.agent, until: Date.parse(answer.expiresAt) };
          }
          if (answer.claimed === false) expect(isHeld && answer.heldBy === holder?.agent).toBe(true);
          if (answer.reported === true) {
            expect(isHeld && who.agent === holder?.agent).toBe(true);
            holder = { agent: who.agent, until: Date.parse(answer.expiresAt) };
          }
          if (answer.released === true) {
            expect(isHeld && who.agent === holder?.agent).toBe(true);
            holder = undefined;
          }
        }
        const [view] = (await call('plan_status', { plan: 'p' })).nodes;
        const live = holder !== undefined && holder.until > clock.wall();
        expect(view.claimedBy).toBe(live ? holder?.agent : null);
      }
    }),
    { numRuns: 200 },
  );
});

test('the end of a lease is noted once, decides nothing, and hands the note on', async () => {
  const { call, clock, ctx } = await openInMemoryWork();
  await call('create_plan', created);
  await call('claim_node', { ...node, agent: 'ada', leaseMinutes: 1 });
  await call('report_node', { ...node, agent: 'ada', note: 'half way' });
  clock.advance(60_000);
  const lapsed = (await call('plan_status', { plan: 'p' })).nodes[0];
  expect(lapsed).toMatchObject({
    claim: null,
    claimedBy: null,
    lastClaim: { agent: 'ada', note: 'half way', how: 'expired' },
  });
  await noteExpired(ctx);
  await noteExpired(ctx);
  const noted = (await call('plan_status', { plan: 'p' })).nodes[0];
  expect(noted.lastClaim).toEqual(lapsed.lastClaim);
  const story = await call('plan_history', { plan: 'p', only: 'claims' });
  expect(story.map(({ type }: { type: string }) => type)).toEqual(['node_claimed', 'claim_reported', 'claim_expired']);
  const answer = await call('claim_node', { ...node, agent: 'bob' });
  expect(answer.node.lastClaim).toEqual(lapsed.lastClaim);
});

test('a forced removal ends the claim, and the fence goes on growing when the node comes back', async () => {
  const { call } = await openInMemoryWork();
  await call('create_plan', created);
  const first = await call('claim_node', { ...node, agent: 'ada' });
  await call('remove_node', { ...node, force: true });
  await call('add_node', { plan: 'p', id: 'a' });
  const second = await call('claim_node', { ...node, agent: 'bob' });
  expect(second.fence).toBe(first.fence + 1);
  expect(second.node.lastClaim).toMatchObject({ agent: 'ada', how: 'removed' });
});

test('an archived plan accepts no new claim, but an existing one may report and release', async () => {
  const { call, refusal } = await openInMemoryWork();
  await call('create_plan', created);
  await call('claim_node', { ...node, agent: 'ada' });
  expect(await call('archive_plan', { plan: 'p' })).toMatchObject({ claims: ['p/a'], dependents: [] });
  expect(await refusal('claim_node', { plan: 'p', node: 'b', agent: 'ada' })).toBe('plan_not_found');
  expect(await call('report_node', { ...node, agent: 'ada', note: 'x' })).toMatchObject({ reported: true });
  expect(await call('release_node', { ...node, agent: 'ada' })).toMatchObject({ released: true });
});

test('claim_next takes the best unclaimed node, and one without a proof only on request', async () => {
  const { call } = await openInMemoryWork();
  const issue = { kind: 'issue', issue: 'a/b#1' };
  const nodes = [{ id: 'a' }, { id: 'b', binding: issue }, { id: 'c', binding: issue }, { id: 'd', dependsOn: ['c'] }];
  await call('create_plan', { document: { plan: 'p', nodes } });
  const take = async (more = {}) => (await call('claim_next', { agent: 'ada', ...more })).node?.id;
  expect([
    await take(),
    await take(),
    await take(),
    await take({ unbound: true }),
    await take({ unbound: true }),
  ]).toEqual(['c', 'b', undefined, 'a', undefined]);
});
