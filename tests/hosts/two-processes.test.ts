import { Agent, request } from 'node:http';
import { expect } from 'vitest';
import { cloneDatabase } from '../postgres/clone.ts';
import { startedProcess } from '../spawn.ts';
import { caller } from '../start.ts';
import { verifies } from '../verifies.ts';

const host = (store: string, name: string) => startedProcess({ Service__Store: store, Service__HostName: name });

verifies(
  ['hosts:shared', 'dependency:cycle-400'],
  'two processes on one PostgreSQL add opposite edges of a cycle at the same moment: never both',
  async () => {
    const store = await cloneDatabase();
    await using one = await host(store, 'one');
    await using two = await host(store, 'two');
    const rounds = 40;
    const nodes = Array.from({ length: rounds }, (_, round) => [{ id: `a${round}` }, { id: `b${round}` }]).flat();
    const [ask, other] = [caller(one.url), caller(two.url)];
    await ask('POST', '/api/plans', { plan: 'p', nodes });
    await expect.poll(async () => (await other('GET', '/api/plans/p')).status).toBe(200);
    let refused = 0;
    for (let round = 0; round < rounds; round += 1) {
      const answers = await Promise.all([
        ask('POST', `/api/plans/p/nodes/a${round}/depends-on`, { dependsOn: `b${round}` }),
        other('POST', `/api/plans/p/nodes/b${round}/depends-on`, { dependsOn: `a${round}` }),
      ]);
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses, JSON.stringify(answers.map(({ body }) => body.code))).toEqual([200, 400]);
      refused += answers.filter(({ body }) => body.code === 'cycle').length;
    }
    expect(refused).toBe(rounds);
    await expect.poll(async () => (await other('GET', '/api/plans/p')).body.edges.length).toBe(rounds);
    expect((await ask('GET', '/api/plans/p')).body.edges).toHaveLength(rounds);
  },
);

const raceNodes = Number(process.env.SIGNALBOX_RACE_NODES ?? 12);
const raceClients = 64;

verifies(
  'claim:exactly-one-wins-across-hosts',
  '64 clients race for each node through two processes on one PostgreSQL: one 200, 63 times 409, each naming the winner',
  async () => {
    const store = await cloneDatabase();
    await using one = await host(store, 'one');
    await using two = await host(store, 'two');
    const nodes = Array.from({ length: raceNodes }, (_, node) => ({ id: `n${node}` }));
    await caller(one.url)('PUT', '/api/plans/race', { nodes });
    await expect.poll(async () => (await caller(two.url)('GET', '/api/plans/race')).status).toBe(200);
    const claims = [one.url, two.url].map(claimer);
    for (let node = 0; node < raceNodes; node += 1) {
      const told = await Promise.all(
        Array.from({ length: raceClients }, (_, client) => claims[client % 2]?.(`n${node}`, `agent-${client}`)),
      );
      const won = told.filter((answer) => answer?.status === 200);
      const winner = won[0]?.agent;
      const lost = told.filter((answer) => answer?.status === 409 && answer.heldBy === winner);
      expect([won.length, lost.length], `n${node}`).toEqual([1, raceClients - 1]);
    }
  },
);

/** Claims over kept-alive connections, so that all claims compete at once instead of waiting for connections. */
function claimer(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: raceClients });
  return (node: string, who: string) =>
    new Promise<{ status: number; agent: string; heldBy: string | undefined }>((resolve, reject) => {
      const asked = request(
        `${url}/api/plans/race/nodes/${node}/claim`,
        { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part) => {
            text += part;
          });
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, agent: who, heldBy: JSON.parse(text).heldBy }),
          );
        },
      );
      asked.on('error', reject);
      asked.end(JSON.stringify({ agent: who }));
    });
}
