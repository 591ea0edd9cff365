import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { randomOf, seedOfRun } from '../../random.ts';
import { recordFigure, rounds } from '../../rounds.ts';
import { startedProcess } from '../../spawn.ts';
import { caller } from '../../start.ts';
import { verifies } from '../../verifies.ts';

const many = rounds(2, 200);
const clients = 64;
const nodes = 300;

type Answered = { plan: string; node: string; agent: string; fence: number };
type Call = ReturnType<typeof caller>;

/** Claims one node after the other until the process is gone; two agents compete for each. */
async function claimAll(call: Call, plan: string, client: number, answered: Answered[]): Promise<void> {
  for (let turn = 0; turn < nodes; turn += 1) {
    const node = `n${((client >> 1) * 9 + turn) % nodes}`;
    const agent = `agent-${client}`;
    const told = await call('POST', `/api/plans/${plan}/nodes/${node}/claim`, { agent }).catch(() => undefined);
    if (!told) return;
    if (told.status === 200) answered.push({ plan, node, agent, fence: told.body.fence });
  }
}

/** Claims that were answered and are missing, or belong to somebody else. */
async function lostOf(call: Call, answered: readonly Answered[]): Promise<string[]> {
  const wrong: string[] = [];
  for (const plan of new Set(answered.map((one) => one.plan))) {
    const { body } = await call('GET', `/api/plans/${plan}/status`);
    const held = new Map<string, string>(
      body.nodes.map((node: { id: string; claimedBy: string | null; claim: { fence: number } | null }) => [
        node.id,
        `${node.claimedBy} ${node.claim?.fence}`,
      ]),
    );
    for (const one of answered.filter((each) => each.plan === plan))
      if (held.get(one.node) !== `${one.agent} ${one.fence}`)
        wrong.push(`${JSON.stringify(one)}: ${held.get(one.node)}`);
  }
  return wrong;
}

verifies(
  ['claim:durable-before-200', 'stop:sigkill-loses-nothing', 'claim:exactly-one-wins'],
  `SIGKILL in the middle of claims from 64 clients, ${many} rounds: every claim that was answered is there, and nobody else holds it`,
  async () => {
    const seed = seedOfRun();
    const random = randomOf(seed);
    const home = mkdtempSync(join(tmpdir(), 'signalbox-kill-'));
    let sum = 0;
    let last: Answered[] = [];
    const started: number[] = [];
    try {
      for (let round = 0; round <= many; round += 1) {
        const began = performance.now();
        await using service = await startedProcess({}, [], home);
        started.push(performance.now() - began);
        const call = caller(service.url);
        expect(await lostOf(call, last), `seed ${seed}`).toEqual([]);
        if (round === many) break;
        const plan = `round-${round}`;
        const ids = Array.from({ length: nodes }, (_, node) => ({ id: `n${node}` }));
        expect((await call('POST', '/api/plans', { plan, nodes: ids })).status).toBe(201);
        const answered: Answered[] = [];
        const claiming = Array.from({ length: clients }, (_, one) => claimAll(call, plan, one, answered));
        const enough = 1 + random.below(nodes - 20);
        while (answered.length < enough) await new Promise((resolve) => setImmediate(resolve));
        service.child.kill('SIGKILL');
        await Promise.all(claiming);
        await service.ended;
        const holders = new Map(answered.map(({ node, agent }) => [node, agent]));
        expect(holders.size, 'a node was given twice').toBe(new Set(answered.map(({ node }) => node)).size);
        expect(new Set(answered.map(({ node, fence }) => `${node} ${fence}`)).size).toBe(answered.length);
        sum += answered.length;
        last = answered;
      }
      const slowest = Math.max(...started.slice(1)).toFixed(0);
      recordFigure('R1', `${many} kills, ${sum} claims answered, none lost, slowest start ${slowest} ms, seed ${seed}`);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  },
  3_600_000,
);
