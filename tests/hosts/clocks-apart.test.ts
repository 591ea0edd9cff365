import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { randomOf, seedOfRun } from '../random.ts';
import { recordFigure, rounds } from '../rounds.ts';
import { type Started, start } from '../start.ts';
import { wholeRun } from './whole-run.ts';

const minute = 60_000;
const hour = 60 * minute;
const patience = { interval: 100 };

/** A host whose wall clock can be set; its periodic work continues. */
async function hostWithClock(Store: string, HostName: string, aheadMs: number) {
  const clock = { aheadMs };
  const service = await start({
    clock: { ...systemClock, wall: () => Date.now() + clock.aheadMs },
    settings: { Store, HostName, LicenceGate: 'off', RetentionRuns: '10000', MaxRuns: '10000' },
  });
  return Object.assign(service, {
    setAhead(ms: number) {
      clock.aheadMs = ms;
    },
  });
}

const publish = async ({ console }: Started, runId: string, tag: string, outcome: string) => {
  const { body } = await console('POST', '/api/ingest', { events: wholeRun(runId, 'Cart/total', outcome, { tag }) });
  expect(body.rejected ?? []).toEqual([]);
};
const lists = async ({ call }: Started): Promise<{ runId: string; receivedAt: string; endedAt: string }[]> =>
  (await call('GET', '/api/runs')).body;
const statuses = async ({ call }: Started): Promise<string[]> =>
  (await call('GET', '/api/plans/clocks/status')).body.nodes.map(({ status }: { status: string }) => status);

test('a red run on a host with the right time un-proves what a host four minutes ahead proved before it', async () => {
  const store = await cloneDatabase();
  await using ada = await hostWithClock(store, 'ada', 0);
  await using bob = await hostWithClock(store, 'bob', 4 * minute);
  await using cyd = await hostWithClock(store, 'cyd', -hour);
  const hosts = [ada, bob, cyd];
  const nodes = [{ id: 'a', binding: { kind: 'suite', tag: 'a' } }];
  await ada.call('POST', '/api/plans', { plan: 'clocks', nodes });
  await publish(bob, 'green', 'a', 'CleanPass');
  for (const one of hosts) await expect.poll(() => statuses(one), patience).toEqual(['done']);
  await publish(ada, 'red', 'a', 'Failed');
  for (const one of hosts) await expect.poll(() => statuses(one), patience).toEqual(['failed']);
  await publish(cyd, 'green-again', 'a', 'CleanPass');
  for (const one of hosts) await expect.poll(() => statuses(one), patience).toEqual(['done']);
});

test('every host lists how far each clock is from the database, and a clock that is set right is measured again', async () => {
  const store = await cloneDatabase();
  await using ada = await hostWithClock(store, 'ada', 0);
  await using bob = await hostWithClock(store, 'bob', 4 * minute);
  const minutesApart = async (asked: Started) =>
    (await asked.call('GET', '/api/hosts')).body.map(
      ({ name, self, state, clockOffsetMs }: { name: string; self: boolean; state: string; clockOffsetMs: number }) =>
        [name, self, state, Math.round(clockOffsetMs / minute)].join(' '),
    );
  await expect.poll(() => minutesApart(ada), patience).toEqual(['ada true up 0', 'bob false up 4']);
  await expect.poll(() => minutesApart(bob), patience).toEqual(['bob true up 4', 'ada false up 0']);
  bob.setAhead(0);
  await expect.poll(() => minutesApart(ada), patience).toEqual(['ada true up 0', 'bob false up 0']);
});

test('a host alone is listed too, without a clock to compare its own with', async () => {
  await using service = await start({ settings: { HostName: 'ada' } });
  const { body } = await service.call('GET', '/api/hosts');
  expect(body).toMatchObject([{ name: 'ada', self: true, state: 'up', clockOffsetMs: null, sessions: 0, runs: 0 }]);
});

const stories = rounds(30, 1_000);

test(`in ${stories} stories of hosts with clocks up to an hour apart, and set meanwhile, the run that arrived last decides on every host`, async () => {
  const seed = seedOfRun();
  const random = randomOf(seed);
  const store = await cloneDatabase();
  await using ada = await hostWithClock(store, 'ada', -hour);
  await using bob = await hostWithClock(store, 'bob', 0);
  await using cyd = await hostWithClock(store, 'cyd', hour);
  const hosts = [ada, bob, cyd];
  const tags = Array.from({ length: stories }, (_, story) => `s${story}`);
  const nodes = tags.map((tag) => ({ id: tag, binding: { kind: 'suite', tag } }));
  await ada.call('POST', '/api/plans', { plan: 'clocks', nodes });
  const last = new Map<string, string>();
  const turns = 3;
  for (let turn = 1; turn <= turns; turn += 1) {
    for (const host of hosts) host.setAhead(Math.floor((random.next() * 2 - 1) * hour));
    for (const tag of tags) {
      const outcome = random.pick(['CleanPass', 'Failed']);
      last.set(tag, outcome === 'Failed' ? 'failed' : 'done');
      await publish(random.pick(hosts), `${tag}-${turn}`, tag, outcome);
    }
    const known = async (host: Started) => (await lists(host)).length;
    for (const host of hosts) await expect.poll(() => known(host), patience).toBe(turn * stories);
  }
  for (const host of hosts)
    await expect.poll(() => statuses(host), { ...patience, message: `seed ${seed}` }).toEqual([...last.values()]);
  const inOrder = (runs: Awaited<ReturnType<typeof lists>>, member: 'receivedAt' | 'endedAt') =>
    tags.filter((tag) => {
      const ofStory = runs.filter(({ runId }) => runId.startsWith(`${tag}-`));
      const sorted = ofStory.sort((a, b) => (a[member] < b[member] ? -1 : 1)).map(({ runId }) => runId);
      return sorted.join() === Array.from({ length: turns }, (_, turn) => `${tag}-${turn + 1}`).join();
    }).length;
  for (const host of hosts) {
    const runs = await lists(host);
    expect([inOrder(runs, 'receivedAt'), inOrder(runs, 'endedAt')], `seed ${seed}`).toEqual([stories, stories]);
  }
  recordFigure(
    'R7',
    `${stories} stories of runs on hosts with clocks up to an hour apart: the newest run decided in all of them`,
  );
}, 3_600_000);
