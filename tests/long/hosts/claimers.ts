import { setTimeout as pause } from 'node:timers/promises';
import type { Started } from '../../start.ts';

/** A claim that was answered with 200. */
export type Granted = { node: string; fence: number; agent: string };

export type Claimers = {
  granted: readonly Granted[];
  /** Answers that were neither yes nor no, by status. */
  refused: Map<number, number>;
  /** Waits for calls in progress; no further call is made until `goOn`. */
  hold(): Promise<void>;
  goOn(): void;
  stop(): Promise<void>;
};

/** Agents on every host that claim nodes and release them again, until they are stopped. */
export function startClaimers(hosts: readonly Started[], nodes: readonly string[], each: number): Claimers {
  const granted: Granted[] = [];
  const refused = new Map<number, number>();
  const state = { stopped: false, held: false };
  let underWay = 0;

  const turn = async ({ call }: Started, agent: string, node: string) => {
    const path = `/api/plans/race/nodes/${node}`;
    const claimed = await call('POST', `${path}/claim`, { agent, leaseMinutes: 1440 });
    if (claimed.status === 200) {
      const { fence } = claimed.body;
      granted.push({ node, fence, agent });
      await call('POST', `${path}/report`, { agent, fence, note: `by ${agent}` });
      if (Math.random() < 0.8) await call('POST', `${path}/release`, { agent, fence });
    } else if (claimed.status !== 409) refused.set(claimed.status, (refused.get(claimed.status) ?? 0) + 1);
  };
  const work = async (host: Started, agent: string) => {
    while (!state.stopped) {
      if (state.held) {
        await pause(5);
        continue;
      }
      underWay += 1;
      await turn(host, agent, nodes[Math.floor(Math.random() * nodes.length)] ?? '');
      underWay -= 1;
      await pause(2);
    }
  };
  const all = hosts.flatMap((host, at) => Array.from({ length: each }, (_, client) => work(host, `${at}-${client}`)));
  return {
    granted,
    refused,
    async hold() {
      state.held = true;
      while (underWay > 0) await pause(2);
    },
    goOn() {
      state.held = false;
    },
    async stop() {
      state.stopped = true;
      await Promise.all(all);
    },
  };
}

/** Nodes and fences that were granted to two agents. */
export function grantedTwice(granted: readonly Granted[]): string[] {
  const holders = new Map<string, Set<string>>();
  for (const { node, fence, agent } of granted) {
    const key = `${node} ${fence}`;
    holders.set(key, (holders.get(key) ?? new Set()).add(agent));
  }
  return [...holders].filter(([, agents]) => agents.size > 1).map(([key, agents]) => `${key}: ${[...agents]}`);
}
