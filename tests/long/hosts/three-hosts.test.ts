import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createAgentHome } from '../../agents/agent-home.ts';
import { type ClaimAnswer, clientsOf } from '../../hosts/racing.ts';
import { type Cluster, createCluster } from '../../postgres/cluster.ts';
import { startedProcess } from '../../spawn.ts';
import { caller } from '../../start.ts';
import { verifies } from '../../verifies.ts';

// The short form is part of every test run; SIGNALBOX_RACE_NODES=1000 runs the whole race, and then limits are checked
// too.
const whole = process.env.SIGNALBOX_RACE_NODES !== undefined;
const nodes = Number(process.env.SIGNALBOX_RACE_NODES ?? 6);
const clients = 64;
const ahead = `--import=${join(import.meta.dirname, '../../hosts/clock-ahead.ts')}`;
const patience = { interval: 50 };

async function host(cluster: Cluster, name: string, home: string, env: Record<string, string> = {}) {
  const scene = await createAgentHome();
  const session = await scene.session(name.charCodeAt(0), await scene.repository('shop', `acme/${name}`));
  await session.reportStatus('busy');
  const open = () =>
    startedProcess(
      {
        Service__Store: cluster.url('postgres'),
        Service__HostName: name,
        Service__SessionsPath: scene.config,
        Service__DataPath: join(home, name),
        ...env,
      },
      [],
      home,
    );
  let running = await open();
  return {
    name,
    url: () => running.url,
    call: (method: string, path: string, body?: object) => caller(running.url)(method, path, body),
    async killAndRestart() {
      running.child.kill('SIGKILL');
      await running.ended;
      running = await open();
    },
    async end() {
      await running[Symbol.asyncDispose]();
      await scene[Symbol.asyncDispose]();
    },
  };
}

verifies(
  [
    'claim:exactly-one-wins-across-hosts',
    'claim:durable-before-200',
    'stop:sigkill-loses-nothing',
    'hosts:shared',
    'hosts:database-back',
    'lease:database-clock-on-postgres',
  ],
  'three processes, one two hours ahead, race with 64 clients each; one is killed and the database once: one holder each',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'signalbox-three-'));
    const cluster = await createCluster(folder);
    await cluster.start();
    try {
      const [ada, bob, cyd] = await Promise.all([
        host(cluster, 'ada', folder),
        host(cluster, 'bob', folder),
        host(cluster, 'cyd', folder, { NODE_OPTIONS: ahead, CLOCK_AHEAD_MS: String(2 * 60 * 60_000) }),
      ]);
      const hosts = [ada, bob, cyd];
      await using _ = { [Symbol.asyncDispose]: async () => void (await Promise.all(hosts.map((one) => one.end()))) };
      const ids = Array.from({ length: nodes }, (_, node) => `n${node}`);
      expect((await ada.call('PUT', '/api/plans/race', { nodes: ids.map((id) => ({ id })) })).status).toBe(201);
      for (const { call } of hosts)
        await expect.poll(async () => (await call('GET', '/api/plans/race')).status, patience).toBe(200);

      const racers = hosts.map(({ name, url }) => clientsOf(name, url, clients));
      const told: ClaimAnswer[] = [];
      for (const [index, id] of ids.entries()) {
        const race = Promise.all(racers.map((each) => each.race(id)));
        if (index === Math.floor(nodes / 3)) await bob.killAndRestart();
        if (index === Math.floor((2 * nodes) / 3)) {
          await cluster.kill();
          await cluster.start();
        }
        told.push(...(await race).flat());
      }
      const overAt = performance.now();
      for (const each of racers) each.close();

      // Exactly one holder for each node, whatever was answered before and after each crash.
      const winners = new Map(told.filter(({ status }) => status === 200).map(({ node, agent }) => [node, agent]));
      expect(told).toHaveLength(3 * clients * nodes);
      expect(told.filter(({ status }) => status === 200)).toHaveLength(nodes);
      expect(told.filter(({ node, heldBy }) => heldBy !== null && heldBy !== winners.get(node))).toEqual([]);

      const board = {
        claims: ids.map((id) => [
          id,
          winners.get(id),
          told.find((one) => one.node === id && one.fence !== null)?.fence,
        ]),
        sessions: hosts.map(({ name }) => [name, 'running']),
      };
      await expect.poll(() => Promise.all(hosts.map(boardOf)), patience).toEqual([board, board, board]);
      const agreedMs = Math.round(performance.now() - overAt);
      if (whole) {
        console.log(`${nodes} nodes: all boards agreed after ${agreedMs} ms`);
        expect(agreedMs).toBeLessThan(2000);
      }
      await leasesAreOneTime(ada, cyd);
    } finally {
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  1_800_000,
);

type Host = Pick<Awaited<ReturnType<typeof host>>, 'call'>;

/** The facts that everyone must agree on. */
async function boardOf({ call }: Host) {
  const [status, agents] = [await call('GET', '/api/plans/race/status'), await call('GET', '/api/agents')];
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
  const claims = status.body.nodes.map(({ id, claim }: any) => [id, claim?.agent, claim?.fence]);
  // biome-ignore lint/suspicious/noExplicitAny: a test says what it expects of an answer
  const sessions = agents.body.sessions.map((one: any) => [one.host, one.state]).sort();
  return { claims, sessions };
}

/** A lease granted by one host is valid on the other for its full duration, whatever their own clocks show. */
async function leasesAreOneTime(plain: Host, late: Host): Promise<void> {
  await plain.call('PUT', '/api/plans/time', { nodes: [{ id: 'a' }, { id: 'b' }] });
  await expect.poll(async () => (await late.call('GET', '/api/plans/time')).status, patience).toBe(200);
  for (const [giver, other, node] of [
    [plain, late, 'a'],
    [late, plain, 'b'],
  ] as const) {
    const path = `/api/plans/time/nodes/${node}/claim`;
    const given = await giver.call('POST', path, { agent: 'eve', leaseMinutes: 30 });
    const forMinutes = (Date.parse(given.body.expiresAt) - Date.now()) / 60_000;
    expect(forMinutes).toBeGreaterThan(20);
    expect(forMinutes).toBeLessThan(40);
    const refused = await other.call('POST', path, { agent: 'mallory', leaseMinutes: 1 });
    expect([refused.status, refused.body.heldUntil]).toEqual([409, given.body.expiresAt]);

    await giver.call('POST', path, { agent: 'eve', leaseMinutes: 0.001 });
    const take = async () => (await other.call('POST', path, { agent: 'mallory', leaseMinutes: 1 })).status;
    await expect.poll(take, patience).toBe(200);
  }
}
