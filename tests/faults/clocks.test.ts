import { expect, test } from 'vitest';
import { iso } from '../../packages/service/src/kernel/clock.ts';
import { createSettableClock } from '../../testing/settable-clock.ts';
import { openInMemoryWork } from '../coordination/in-memory-work.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { randomOf, seedOfRun } from '../random.ts';
import { rounds } from '../rounds.ts';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';

const minute = 60_000;
const plan = { plan: 'p', nodes: [{ id: 'n' }] };
const claim = ({ call }: Started, agent: string) => call('POST', '/api/plans/p/nodes/n/claim', { agent });
const holder = async ({ call }: Started) => (await call('GET', '/api/plans/p/status')).body.nodes[0].claimedBy;

verifies(
  'lease:monotonic-on-sqlite',
  'the clock on the wall goes an hour on, an hour back and half an hour back, and the lease ends when its time is over',
  async () => {
    await using service = await start();
    const { clock } = service;
    await service.call('POST', '/api/plans', plan);
    expect((await claim(service, 'ada')).status).toBe(200);
    for (const jump of [60, -120, 30, -30]) {
      clock.setWall(clock.wall() + jump * minute);
      await clock.tick();
      expect(await holder(service), `after a jump of ${jump} minutes`).toBe('ada');
      expect((await claim(service, 'bob')).status).toBe(409);
    }
    clock.advance(30 * minute - 1);
    expect(await holder(service)).toBe('ada');
    clock.advance(1);
    expect(await holder(service)).toBeNull();
    const taken = (await claim(service, 'bob')).body;
    expect(taken).toMatchObject({ claimed: true, fence: Date.parse(taken.expiresAt) - 30 * minute });
  },
);

test('a laptop that slept answers no claim with an end in the past, and what it slept through is over', async () => {
  await using service = await start();
  const { clock } = service;
  await service.call('POST', '/api/plans', plan);
  await claim(service, 'ada');
  clock.sleep(8 * 60 * minute);
  expect(await holder(service)).toBeNull();
  const { status, body } = await claim(service, 'bob');
  expect([status, body.expiresAt]).toEqual([200, iso(clock.wall() + 30 * minute)]);
  expect(body.node.lastClaim).toMatchObject({ agent: 'ada', how: 'expired' });
});

test('a clock that runs too fast or too slow on the wall changes no lease', async () => {
  await using service = await start();
  const { clock } = service;
  await service.call('POST', '/api/plans', plan);
  await claim(service, 'ada');
  for (let passed = 1; passed < 30; passed += 1) {
    clock.advance(minute);
    clock.setWall(clock.wall() + (passed % 2 ? 500 : -500));
    expect(await holder(service)).toBe('ada');
  }
  clock.advance(minute);
  expect(await holder(service)).toBeNull();
});

test('across a restart a lease ends by the wall: time that passed meanwhile counts, and two never hold it', async () => {
  const first = createSettableClock();
  await using before = await start({ clock: first });
  await before.call('POST', '/api/plans', plan);
  await claim(before, 'ada');
  await before.stop();
  await using soon = await start({ home: before.home, clock: createSettableClock(first.wall() + 29 * minute) });
  expect([await holder(soon), (await claim(soon, 'bob')).status]).toEqual(['ada', 409]);
  await soon.stop();
  await using late = await start({ home: before.home, clock: createSettableClock(first.wall() + 120 * minute) });
  expect([await holder(late), (await claim(late, 'bob')).status]).toEqual([null, 200]);
});

verifies(
  'lease:database-clock-on-postgres',
  'hosts whose clocks are days apart agree on the end of a lease, because the database tells the time',
  async () => {
    const url = await cloneDatabase();
    const day = 24 * 60 * minute;
    const settings = (HostName: string) => ({ Store: url, HostName, LicenceGate: 'off' });
    await using ada = await start({ clock: createSettableClock(Date.now() - 3 * day), settings: settings('ada') });
    await using bob = await start({ clock: createSettableClock(Date.now() + 3 * day), settings: settings('bob') });
    await ada.call('POST', '/api/plans', plan);
    const from = Date.now();
    const { body } = await claim(ada, 'ada');
    const ends = Date.parse(body.expiresAt);
    // The database runs on this machine; nothing between the two readings takes minutes.
    expect(Math.abs(ends - from - 30 * minute)).toBeLessThan(5 * minute);
    const lost = await claim(bob, 'bob');
    expect([lost.status, lost.body.heldBy, lost.body.heldUntil]).toEqual([409, 'ada', body.expiresAt]);
  },
);

const edges = rounds(300, 10_000);

test(`a claim a millisecond before, at and after the end of a lease, ${edges} times`, async () => {
  const random = randomOf(seedOfRun());
  const { call, clock } = await openInMemoryWork();
  await call('create_plan', { document: plan });
  const at = { plan: 'p', node: 'n' };
  for (let turn = 0; turn < edges; turn += 1) {
    const leaseMinutes = 0.001 + random.next() * 20;
    const [holding, asking] = turn % 2 ? ['ada', 'bob'] : ['bob', 'ada'];
    const { expiresAt, fence } = await call('claim_node', { ...at, agent: holding, leaseMinutes });
    const off = random.pick([-1, 0, 1]);
    clock.advance(Date.parse(expiresAt) - clock.wall() + off);
    const answer = await call('claim_node', { ...at, agent: asking, leaseMinutes: 0.001 });
    if (off < 0) expect(answer).toEqual({ claimed: false, heldBy: holding, heldUntil: expiresAt });
    else expect(answer).toMatchObject({ claimed: true, fence: Math.max(fence + 1, clock.wall()) });
    clock.advance(minute);
  }
});
