import { setTimeout as pause } from 'node:timers/promises';
import { withClient } from '../../postgres/dump.ts';
import type { Started } from '../../start.ts';
import { expectWithin } from '../expect-within.ts';

/** Plans, and who holds which node with which fence. */
export type Board = { plans: string[]; claims: string[] };

/** The content of the database, folded only by this code. */
export const boardInDatabase = (url: string): Promise<Board> =>
  withClient(url, async (client) => {
    const { rows } = await client.query('SELECT stream, type, data FROM signalbox.events ORDER BY sequence');
    const plans = new Set<string>();
    const held = new Map<string, string>();
    for (const { stream, type, data } of rows) {
      const node = String(stream).replace(/^claim:/, '');
      if (type === 'plan_created') plans.add(String(stream).replace(/^plan:/, ''));
      else if (type === 'node_claimed') held.set(node, `${node} ${data.agent} ${data.fence}`);
      else if (type === 'claim_released' || type === 'claim_expired') held.delete(node);
    }
    return { plans: [...plans].sort(), claims: [...held.values()].sort() };
  });

export async function boardOf({ call }: Started): Promise<Board> {
  const plans: { slug: string }[] = (await call('GET', '/api/plans')).body;
  const claims: string[] = [];
  for (const { slug } of plans) {
    // A listed plan may be gone by now, with its history.
    const { nodes = [] } = (await call('GET', `/api/plans/${slug}/status`)).body;
    for (const { id, claim } of nodes) if (claim) claims.push(`${slug}/${id} ${claim.agent} ${claim.fence}`);
  }
  return { plans: plans.map(({ slug }) => slug).sort(), claims: claims.sort() };
}

/** Against boards that never agree. */
const patienceMs = 300_000;
const withinMs = 2_000;

/** Settles once every host shows exactly what the database holds. */
export async function boardsAgree(url: string, hosts: readonly Started[]): Promise<void> {
  const began = performance.now();
  for (;;) {
    // Data sent on a cut connection may still be written.
    const wanted = JSON.stringify(await boardInDatabase(url));
    const boards = (await Promise.all(hosts.map(boardOf))).map((board) => JSON.stringify(board));
    const took = Math.round(performance.now() - began);
    if (boards.every((board) => board === wanted)) {
      expectWithin(withinMs, took, 'milliseconds until all boards agreed');
      return;
    }
    if (took > patienceMs) throw new Error(`after ${took} ms boards show ${boards.join(' and ')}, not ${wanted}`);
    await pause(20);
  }
}
