import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import type { Clock } from '../../packages/service/src/kernel/clock.ts';
import type { Append, EventLog, RecordedEvent } from '../../packages/service/src/kernel/event-log.ts';
import { isRefusal, refuse } from '../../packages/service/src/kernel/outcome.ts';
import { probePostgres } from '../../packages/service/src/store/postgres/migrate-postgres.ts';
import { openPostgresLog, type PostgresLog } from '../../packages/service/src/store/postgres/postgres-log.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { verifies } from '../verifies.ts';

let url = '';
const logs: PostgresLog[] = [];
beforeEach(async () => {
  url = await cloneDatabase();
});
afterEach(async () => {
  for (const log of logs.splice(0)) await log.close();
});

async function host(clock: Clock = systemClock): Promise<PostgresLog> {
  const log = await openPostgresLog({ url, clock });
  logs.push(log);
  return log;
}

async function run(sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query(sql).finally(() => client.end());
}

const to = (stream: string, by = 'ada'): Append => ({ stream, events: [{ type: 'a', data: null, by }] });
const sequenceReached = (log: EventLog, sequence: number) =>
  new Promise<void>((resolve) => {
    log.onCommitted((events) => events.some((event) => event.sequence >= sequence) && resolve());
  });

test('what one host writes another hears of, in order', async () => {
  const [ada, bob] = [await host(), await host()];
  const seen: number[] = [];
  await bob.attach({ apply: ({ sequence }) => seen.push(sequence), reset: () => seen.splice(0) });
  const reached = sequenceReached(bob, 3);
  for (const stream of ['a', 'b', 'a']) await ada.commit(() => ({ append: [to(stream)], answer: () => null }));
  await reached;
  expect(seen).toEqual([1, 2, 3]);
  expect(bob.following()).toMatchObject({ sequence: 3, staleSince: null });
});

verifies('hosts:log-is-the-truth', 'a host that missed a notification still catches up from the log', async () => {
  const log = await host();
  const reached = sequenceReached(log, 1);
  await run(`
    INSERT INTO signalbox.events VALUES (1, 's', 1, 's', gen_random_uuid(), 'a', now(), 'ada', 'asserted', 'null');
    UPDATE signalbox.head SET sequence = 1`);
  await reached;
  expect(log.following().sequence).toBe(1);
});

test('of claims racing on two hosts exactly one wins, every time', async () => {
  const hosts = await Promise.all([await host(), await host()].map(async (log) => ({ log, held: new Set<string>() })));
  for (const { log, held } of hosts) {
    await log.attach({ apply: ({ stream }) => held.add(stream), reset: () => held.clear() });
  }
  for (let round = 0; round < 30; round += 1) {
    const stream = `claim:x/${round}`;
    const answers = await Promise.all(
      hosts.map(({ log, held }) =>
        log.commit(() => (held.has(stream) ? refuse('not_holder', 'held') : { append: [to(stream)], answer: () => 1 })),
      ),
    );
    expect(answers.filter((answer) => answer === 1)).toHaveLength(1);
    expect(answers.filter(isRefusal)).toHaveLength(1);
  }
});

test('a stream that was read must not have moved: two hosts cannot each write what the other reads', async () => {
  const hosts = [await host(), await host()];
  const written = hosts.map(() => new Set<string>());
  for (const [index, log] of hosts.entries()) {
    await log.attach({ apply: ({ stream }) => written[index]?.add(stream), reset: () => undefined });
  }
  for (let round = 0; round < 30; round += 1) {
    const edges = [`a->b ${round}`, `b->a ${round}`];
    const answers = await Promise.all(
      hosts.map((log, index) =>
        log.commit(() => {
          const [own = '', other = ''] = index === 0 ? edges : edges.toReversed();
          if (written[index]?.has(other)) return refuse('cycle', 'no');
          return { append: [to(own)], reads: [other], answer: () => 'added' };
        }),
      ),
    );
    expect(answers.filter((answer) => answer === 'added')).toHaveLength(1);
  }
});

test('a call sent to two hosts under one key is done once, and both give the first answer', async () => {
  const [ada, bob] = [await host(), await host()];
  const guard = { key: 'k', fingerprint: 'f' };
  const call = (log: EventLog, answer: string) =>
    log.commit(() => ({ append: [to(`by ${answer}`)], answer: () => answer }), guard);
  const [first, second] = await Promise.all([call(ada, 'ada'), call(bob, 'bob')]);
  expect(first).toBe(second);
  expect((await run('SELECT FROM signalbox.events')).rowCount).toBe(1);

  const carol = await host();
  const other = carol.commit(() => ({ append: [to('x')], answer: () => 1 }), { ...guard, fingerprint: 'g' });
  expect(await other).toMatchObject({ code: 'idempotency_conflict' });
});

test('a host whose clock runs ahead decides again by the time of the database', async () => {
  let ahead = 0;
  const log = await host({ ...systemClock, monotonic: () => performance.now() + ahead });
  await log.attach({ apply: () => undefined, reset: () => undefined });
  ahead = 60_000;
  const decided: string[] = [];
  await log.commit((now) => {
    decided.push(now);
    return { append: [to('s')], answer: () => null };
  });
  const { rows } = await run('SELECT at <= clock_timestamp() AS past FROM signalbox.events');
  expect(rows).toEqual([{ past: true }]);
  expect(decided.length).toBeGreaterThan(1);
  expect(decided.at(-1)! < decided[0]!).toBe(true);
});

test('data that cannot be stored fails its own call, not concurrent ones', async () => {
  const log = await host();
  const odd = { stream: 's', events: [{ type: 'a', data: { text: '\0 \ud800' }, by: 'a\0b\ud800' }] };
  expect(await log.commit(() => ({ append: [odd], answer: () => 'ok' }))).toBe('ok');
  expect(await log.read('s')).toMatchObject([{ by: 'a\uFFFDb\uFFFD', data: odd.events[0]?.data }]);

  const unknown = { ...to('t'), events: [{ type: 'a', data: null, by: 'ada', provenance: 'guessed' as 'observed' }] };
  const ends = await Promise.allSettled([
    log.commit(() => ({ append: [to('u')], answer: () => 'ok' })),
    log.commit(() => ({ append: [unknown], answer: () => 'ok' })),
    log.commit(() => ({ append: [to('v')], answer: () => 'ok' })),
  ]);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a database restored to an earlier state is folded again', async () => {
  const log = await host();
  let kept: RecordedEvent[] = [];
  await log.attach({ apply: (event) => kept.push(event), reset: () => (kept = []) });
  for (const stream of ['a', 'b', 'c']) await log.commit(() => ({ append: [to(stream)], answer: () => null }));
  await run('DELETE FROM signalbox.events WHERE sequence > 1; UPDATE signalbox.head SET sequence = 1');
  // The server also has databases of other test files.
  await run(`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE application_name = 'signalbox' AND datname = current_database()`);
  let answer: unknown;
  do answer = await log.commit(() => ({ append: [to('d')], answer: () => kept.map(({ stream }) => stream) }));
  while (isRefusal(answer));
  expect(answer).toEqual(['a', 'd']);
});

test('a database is looked at without being changed', async () => {
  expect(await probePostgres(url)).toBeUndefined();
  expect(await probePostgres(url.replace(/test_.*/, 'nowhere'))).toMatch(/"nowhere" does not exist/);
  expect(await probePostgres('postgres://nobody@127.0.0.1:1/x')).toMatch(/ECONNREFUSED/);
});

test('calls that read one stream and write each their own are written by one statement', async () => {
  const log = await host();
  await log.commit(() => ({ append: [to('plan')], answer: () => null }));
  const before = log.stats();
  const claims = Array.from({ length: 40 }, (_, node) =>
    log.commit(() => ({ append: [to(`claim/${node}`)], reads: ['plan'], answer: () => 'claimed' })),
  );
  expect(await Promise.all(claims)).toEqual(Array(40).fill('claimed'));
  expect(log.stats()).toEqual({ commits: before.commits + 1, appends: before.appends + 40 });
});

test('writers of one stream wait for their turn without deciding each time', async () => {
  const log = await host();
  let decisions = 0;
  const writers = Array.from({ length: 40 }, () =>
    log.commit(() => {
      decisions += 1;
      return { append: [to('s')], answer: () => null };
    }),
  );
  await Promise.all(writers);
  expect(decisions).toBeLessThanOrEqual(2 * 40);
  expect(await log.read('s')).toHaveLength(40);
});

test('hosts that start together migrate once, and a newer database is refused', async () => {
  await run('DROP SCHEMA signalbox CASCADE');
  await Promise.all([host(), host(), host()]);
  const { rows } = await run('SELECT version FROM signalbox.migrations');
  expect(rows).toEqual(rows.map((_, at) => ({ version: at + 1 })));
  await run('INSERT INTO signalbox.migrations (version) VALUES (99)');
  await expect(host()).rejects.toThrow(new RegExp(`version 99, .* up to ${rows.length}\\b`));
  expect(await probePostgres(url)).toMatch(/version 99/);
});

const entering = (name: string, home: string, machine = 'here', pid = 1) => ({
  name,
  life: randomUUID(),
  home,
  place: 'somewhere',
  machine,
  pid,
});

test('a data path that returns under another name is not listed twice', async () => {
  const { hosts } = await host();
  const laptop = randomUUID();
  const ada = entering('ada', laptop);
  expect(await hosts.enter(ada)).toBeNull();
  await hosts.leave(ada);
  expect(await hosts.enter(entering('eve', laptop))).toBeNull();
  expect((await hosts.read('bob', {})).map(({ name }) => name)).toEqual(['eve']);
});

test('a copied data path is refused under any name while the original host is alive', async () => {
  const { hosts } = await host();
  const laptop = randomUUID();
  await hosts.enter(entering('eve', laptop, 'laptop', 12));
  const conflict = {
    sameHome: true,
    machine: 'laptop',
    pid: 12,
    takenBy: expect.stringContaining('somewhere, since 20'),
  };
  expect(await hosts.enter(entering('eve', laptop))).toMatchObject(conflict);
  expect(await hosts.enter(entering('copy-of-eve', laptop))).toMatchObject(conflict);
  const other = await hosts.enter(entering('eve', randomUUID()));
  expect(other).toMatchObject({ sameHome: false });
  expect(await hosts.enter(entering('eve', laptop), other?.life)).toBeNull();
});
