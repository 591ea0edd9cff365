import { Agent, request } from 'node:http';
import { expect } from 'vitest';
import { type Started, start } from '../start.ts';

const clients = 64;

type Told = { status: number; heldBy?: string };

/** Each client keeps one connection and claims one node after the other; all clients want the same nodes. */
function client(service: Started, agent: string): (node: number) => Promise<Told> {
  const { hostname, port } = new URL(service.url);
  const wire = new Agent({ keepAlive: true, maxSockets: 1 });
  const body = JSON.stringify({ agent });
  const headers = { 'content-type': 'application/json', 'content-length': body.length };
  return (node) =>
    new Promise((resolve, reject) => {
      const path = `/api/plans/race/nodes/n${node}/claim`;
      const asked = request({ agent: wire, hostname, port, path, method: 'POST', headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => (text += part));
        response.on('end', () => {
          const status = response.statusCode ?? 0;
          resolve(status === 409 ? { status, heldBy: JSON.parse(text).heldBy } : { status });
        });
      });
      asked.on('error', reject).end(body);
    });
}

/** 64 clients compete for each of these nodes: one wins each, and the others learn who. */
export async function raceOverHttp(nodes: number): Promise<void> {
  await using service = await start();
  const ids = Array.from({ length: nodes }, (_, node) => ({ id: `n${node}` }));
  await service.call('PUT', '/api/plans/race', { nodes: ids });
  const winners = new Map<number, string>();
  const lost: { node: number; heldBy: string | undefined }[] = [];
  const asks = Array.from({ length: clients }, (_, number) => client(service, `agent-${number}`));
  const race = (node: number) =>
    Array.from({ length: clients }, async (_, place) => {
      // A different client is first each time.
      const number = (node + place) % clients;
      const { status, heldBy } = (await asks[number]?.(node)) ?? { status: 0 };
      if (status === 200) {
        expect(winners.has(node), `a second winner of n${node}`).toBe(false);
        winners.set(node, `agent-${number}`);
      } else {
        expect(status).toBe(409);
        lost.push({ node, heldBy });
      }
    });
  for (let node = 0; node < nodes; node += 1) await Promise.all(race(node));
  expect(winners.size).toBe(nodes);
  expect(lost).toHaveLength(nodes * (clients - 1));
  expect(lost.filter(({ node, heldBy }) => heldBy !== winners.get(node))).toEqual([]);
  expect(new Set(winners.values()).size).toBeGreaterThan(1);
}
