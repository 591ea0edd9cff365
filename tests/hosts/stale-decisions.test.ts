import pg from 'pg';
import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { createEvidenceWatch } from '../../packages/service/src/coordination/evidence/watch.ts';
import { openPostgresLog } from '../../packages/service/src/store/postgres/postgres-log.ts';
import { type InMemoryWork, openInMemoryWork } from '../coordination/in-memory-work.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { verifies } from '../verifies.ts';

/** Two hosts on one database, and a way to let the second decide before it can know what the first has written. */
async function twoHosts() {
  const url = await cloneDatabase();
  const open = async () => openInMemoryWork({ log: await openPostgresLog({ url, clock: systemClock }) });
  const [first, second] = [await open(), await open()];
  const gate = new pg.Client({ connectionString: url });
  const watcher = new pg.Client({ connectionString: url });
  await Promise.all([gate.connect(), watcher.connect()]);
  const waiting = async (count: number) => {
    const sql =
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    for (let found = 0; found < count; ) found = (await watcher.query(sql)).rows[0].n;
  };
  return {
    first,
    second,
    /** An append locks the head of the log; the two wait for it in this order. */
    async inOrder<One, Other>(one: () => Promise<One>, other: () => Promise<Other>): Promise<[One, Other]> {
      await gate.query('BEGIN; SELECT sequence FROM signalbox.head FOR UPDATE');
      const before = one();
      await waiting(1);
      const after = other();
      await waiting(2);
      await gate.query('COMMIT');
      return [await before, await after];
    },
    /** Waits until the second host knows as much about a plan as the first. */
    async follow(plan: string) {
      const version = (on: InMemoryWork) => on.ctx.plans.find(plan)?.version;
      while (version(second) !== version(first)) await new Promise((resolve) => setImmediate(resolve));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([gate.end(), watcher.end()]);
      await Promise.all([first.log.close(), second.log.close()]);
    },
  };
}

const nodes = [{ id: 'a', binding: { kind: 'signOff' } }, { id: 'b' }, { id: 'c' }];

verifies(
  ['node:remove-claimed-409', 'node:remove-with-dependents-409', 'import:full-claimed-409', 'sign-off:self-400'],
  'what a host may not do to a node that is claimed or waited for it may not do when another host was just faster',
  async () => {
    await using hosts = await twoHosts();
    const { first, second } = hosts;
    await first.call('create_plan', { document: { plan: 'p', nodes } });
    await first.call('create_plan', { document: { plan: 'q', nodes } });
    await hosts.follow('q');
    const claim = (node: string) => () => first.call('claim_node', { plan: 'p', node, agent: 'ada' });

    const removed = await hosts.inOrder(claim('b'), () => second.refusal('remove_node', { plan: 'p', node: 'b' }));
    expect(removed).toMatchObject([{ claimed: true }, 'node_claimed']);
    const document = { nodes: nodes.slice(0, 2) };
    const full = await hosts.inOrder(claim('c'), () => second.refusal('import_plan', { plan: 'p', document }));
    expect(full).toMatchObject([{ claimed: true }, 'node_claimed']);
    const signed = await hosts.inOrder(claim('a'), () =>
      second.refusal('sign_off_node', { plan: 'p', node: 'a', by: 'ada' }),
    );
    expect(signed).toMatchObject([{ claimed: true }, 'self_sign_off']);
    const waited = await hosts.inOrder(
      () => first.call('add_dependency', { plan: 'p', node: 'a', dependsOn: 'q/b' }),
      () => second.refusal('remove_node', { plan: 'q', node: 'b' }),
    );
    expect(waited).toMatchObject([{ id: 'a' }, 'node_has_dependents']);
    for (const [command, node] of [
      ['report_node', 'b'],
      ['release_node', 'c'],
    ] as const) {
      const gone = await hosts.inOrder(
        () => first.call('remove_node', { plan: 'p', node, force: true }),
        () => second.refusal(command, { plan: 'p', node, agent: 'ada' }),
      );
      expect(gone).toEqual([{}, 'node_not_found']);
    }
  },
);

test('an observation of one binding is not evidence for a new binding from another host', async () => {
  await using hosts = await twoHosts();
  const { first, second } = hosts;
  const [before, after] = ['acme/shop#1', 'acme/shop#2'].map((issue) => ({ kind: 'issue' as const, issue }));
  const ref = { plan: 'p', node: 'a' };
  await first.call('create_plan', { document: { plan: 'p', nodes: [{ id: 'a', binding: before }] } });
  await hosts.follow('p');
  const { log, ctx, clock } = second;
  const target = { ref, binding: before ?? expect.fail(), repository: null, observedBefore: false, settledBy: null };
  const watch = createEvidenceWatch({
    log,
    clock,
    observers: [
      { kinds: ['issue'], observe: async () => [{ target, observation: { state: 'closed', detail: 'closed' } }] },
    ],
    targets: () => [target],
    currentNode: () => ({ ref, binding: ctx.plans.find('p')?.nodes.get('a')?.binding ?? null, evidence: undefined }),
    markChecked: () => undefined,
    everyMs: 60_000,
    warn: (_, text) => expect.fail(text),
  });
  await hosts.inOrder(
    () => first.call('bind_node', { ...ref, binding: after }),
    () => watch.poll(),
  );
  watch.stop();
  const [node] = (await second.call('plan_status', { plan: 'p' })).nodes;
  expect(node).toMatchObject({ status: 'ready', binding: after, evidence: { state: 'notObserved' } });
});
