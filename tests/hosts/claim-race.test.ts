import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { openPostgresLog } from '../../packages/service/src/store/postgres/postgres-log.ts';
import { openInMemoryWork } from '../coordination/in-memory-work.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { verifies } from '../verifies.ts';

const script = join(import.meta.dirname, 'claim-host.ts');
const clients = 32;
const nodes = 100;

type Told = { node: number; agent: string; claimed: boolean; heldBy?: string };

verifies(
  'claim:exactly-one-wins-across-hosts',
  'two processes on one PostgreSQL race for each node with 32 clients each: one wins, and all others are told who',
  async () => {
    const url = await cloneDatabase();
    const log = await openPostgresLog({ url, clock: systemClock });
    const { call } = await openInMemoryWork({ log });
    await call('create_plan', {
      document: { plan: 'race', nodes: Array.from({ length: nodes }, (_, node) => ({ id: `n${node}` })) },
    });
    const host = async (name: string): Promise<Told[]> => {
      const args = [script, url, name, String(clients), String(nodes)];
      return JSON.parse((await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 26 })).stdout);
    };
    const told = (await Promise.all([host('ada'), host('bob')])).flat();
    const winners = new Map(told.filter(({ claimed }) => claimed).map(({ node, agent }) => [node, agent]));
    expect(told).toHaveLength(2 * clients * nodes);
    expect(told.filter(({ claimed }) => claimed)).toHaveLength(nodes);
    expect(winners.size).toBe(nodes);
    expect(told.filter(({ node, claimed, heldBy }) => !claimed && heldBy !== winners.get(node))).toEqual([]);
    await log.close();
  },
);
