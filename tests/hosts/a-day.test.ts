import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { cloneDatabase } from '../postgres/clone.ts';
import { openCuttingProxy } from '../postgres/cutting-proxy.ts';
import { randomOf, seedOfRun } from '../random.ts';
import { recordFigure, rounds } from '../rounds.ts';
import { type Started, start } from '../start.ts';
import { bearer, operatorToken } from '../tokens.ts';
import { wholeRun } from './whole-run.ts';

const patience = { interval: 100, timeout: 60_000 };
const operator = bearer(operatorToken);
const agents = rounds(6, 20);
const turns = rounds(4, 600);
const plans = ['web', 'api'];
const nodesEach = 8;

type Granted = { ref: string; fence: number; agent: string };
type Entry = { type: string; at: string; data: { agent?: string; fence?: number; id?: string } };

/** One agent's day on its host: what was answered is written down, what was refused is tried again. */
async function work(host: Started, name: string, token: string, granted: Granted[], seed: number): Promise<void> {
  const random = randomOf(seed);
  const call = (path: string, body: object) => host.call('POST', path, body, bearer(token)).catch(() => null);
  for (let turn = 0; turn < turns; turn += 1) {
    const answer = await call('/api/plans/ready/claim', { agent: name });
    if (answer?.status === 401) return;
    if (answer?.status !== 200 || !answer.body.claimed) {
      await pause(20);
      continue;
    }
    const { node, fence } = answer.body;
    granted.push({ ref: node.ref, fence, agent: name });
    const at = `/api/plans/${node.ref.replace('/', '/nodes/')}`;
    await call(`${at}/report`, { agent: name, fence, note: `turn ${turn}` });
    await call(`${at}/release`, { agent: name, fence, outcome: random.pick(['returned', 'failed']) });
  }
}

test(`a day of ${agents} agents on three hosts with clocks apart, one cut off for a while: nobody holds a node twice, nothing is lost, every host answers the same`, async () => {
  const seed = seedOfRun();
  await using proxy = await openCuttingProxy();
  const store = await cloneDatabase();
  const host = (HostName: string, aheadMs: number, Store = store): Promise<Started> =>
    start({
      clock: { ...systemClock, wall: () => Date.now() + aheadMs },
      settings: { Store, HostName, Token: operatorToken, LicenceGate: 'off', MaxAttempts: '100' },
    });
  await using alpha = await host('alpha', 0);
  await using beta = await host('beta', 240_000);
  await using gamma = await host('gamma', -3_600_000, proxy.through(store));
  const hosts = [alpha, beta, gamma];
  const ask = async (one: Started, path: string) => (await one.call('GET', path, undefined, operator)).body;
  for (const plan of plans) {
    const nodes = Array.from({ length: nodesEach }, (_, node) => ({ id: `n${node}`, binding: { kind: 'signOff' } }));
    await alpha.call('POST', '/api/plans', { plan, nodes }, operator);
  }
  for (const one of hosts) await expect.poll(async () => (await ask(one, '/api/plans')).length, patience).toBe(2);

  const granted: Granted[] = [];
  const names = Array.from({ length: agents }, (_, number) => `agent-${number}`);
  const working = names.map(async (name, number) => {
    const made = await alpha.call('POST', '/api/tokens', { name, scopes: ['work'] }, operator);
    const on = hosts[number % hosts.length] ?? alpha;
    await expect
      .poll(async () => (await on.call('GET', '/api/plans', undefined, bearer(made.body.token))).status, patience)
      .toBe(200);
    await work(on, name, made.body.token, granted, seed + number);
  });
  await expect.poll(() => granted.length, patience).toBeGreaterThan(agents);
  proxy.refuse(true);
  proxy.cut();
  await expect
    .poll(
      async () => (await gamma.call('GET', '/api/plans', undefined, operator)).headers.has('signalbox-stale-since'),
      patience,
    )
    .toBe(true);
  proxy.refuse(false);
  await alpha.call('DELETE', '/api/tokens/agent-0', undefined, operator);
  await Promise.all(working);
  await beta.console('POST', '/api/ingest', { events: wholeRun('red', 'Cart/total', 'Failed') }, operator);

  const histories = async (one: Started): Promise<Entry[][]> =>
    Promise.all(plans.map((plan) => ask(one, `/api/plans/${plan}/history`)));
  const first = await histories(alpha);
  for (const one of hosts) await expect.poll(() => histories(one), patience).toEqual(first);
  const claimed = first.flatMap((entries, at) =>
    entries.flatMap(({ type, data }) =>
      type === 'node_claimed' ? [`${plans[at]}/${data.id} ${data.fence} ${data.agent}`] : [],
    ),
  );
  const answered = granted.map(({ ref, fence, agent }) => `${ref} ${fence} ${agent}`);
  expect(
    answered.filter((one) => !claimed.includes(one)),
    `lost, seed ${seed}`,
  ).toEqual([]);
  const fences = granted.map(({ ref, fence }) => `${ref} ${fence}`);
  expect(fences.length - new Set(fences).size, `held twice, seed ${seed}`).toBe(0);

  // The lead's questions, asked on every host, against the ledger.
  const report = async (one: Started) => {
    const { totals, rows, done, takenBack, first: tomorrow } = await ask(one, '/api/report?since=24h&by=agent');
    return { totals, rows, done, takenBack, tomorrow };
  };
  const runs = async (one: Started) => (await ask(one, '/api/runs')).map(({ runId }: { runId: string }) => runId);
  for (const one of hosts) await expect.poll(() => runs(one), patience).toEqual(['red']);
  const ofAlpha = await report(alpha);
  expect(ofAlpha.totals.claims).toBe(claimed.length);
  for (const one of hosts) await expect.poll(() => report(one), patience).toEqual(ofAlpha);
  const needs = async (one: Started) =>
    (await ask(one, '/api/needs')).needs.map(({ key }: { key: string }) => key).sort();
  const stuck = await needs(alpha);
  for (const one of hosts) await expect.poll(() => needs(one), patience).toEqual(stuck);
  recordFigure('R7', `a day of ${agents} agents on three hosts: ${granted.length} claims, none held twice, none lost`);
}, 3_600_000);
