import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { connect } from '../../../packages/service/src/client/index.ts';
import { openProxy } from '../../client/proxy.ts';
import { randomOf, seedOfRun } from '../../random.ts';
import { recordFigure, rounds } from '../../rounds.ts';
import { startedProcess } from '../../spawn.ts';
import { caller } from '../../start.ts';
import { verifies } from '../../verifies.ts';

const many = rounds(2, 200);
const nodes = 120;

type HistoryEntry = { type: string };

verifies(
  ['worker:takes-ready-nodes', 'client:keys', 'claim:durable-before-200', 'stop:sigkill-loses-nothing'],
  `SIGKILL under a worker with 32 functions, ${many} rounds: it goes on, and every node is worked on once and none is left held`,
  async () => {
    const seed = seedOfRun();
    const random = randomOf(seed);
    const home = mkdtempSync(join(tmpdir(), 'signalbox-kill-'));
    let service = await startedProcess({}, [], home);
    await using proxy = await openProxy(service.url);
    using box = connect({ url: proxy.url, retryMs: 600_000 });
    const taken: string[] = [];
    const failed: unknown[] = [];
    const restClaims: number[] = [];
    let whenTaken: () => void = () => undefined;
    const options = { agent: 'ada', concurrency: 32, signals: false, onError: (error: unknown) => failed.push(error) };
    const worker = box.work(options, async ({ node }) => {
      taken.push(node.ref);
      whenTaken();
      await new Promise((resolve) => setTimeout(resolve, random.below(5)));
    });
    const until = (count: number) =>
      new Promise<void>((resolve) => {
        whenTaken = () => {
          if (taken.length >= count) resolve();
        };
        whenTaken();
      });
    try {
      for (let round = 0; round < many; round += 1) {
        const ids = Array.from({ length: nodes }, (_, node) => ({ id: `n${node}`, binding: { kind: 'signOff' } }));
        const created = await caller(service.url)('POST', '/api/plans', { plan: `round-${round}`, nodes: ids });
        expect(created.status, created.text).toBe(201);
        await until(round * nodes + 1 + random.below(nodes - 20));
        service.child.kill('SIGKILL');
        await service.ended;
        service = await startedProcess({}, [], home);
        proxy.target = service.url;
        await until((round + 1) * nodes);
        restClaims.push(proxy.restClaims);
        // A worker names the last thousand nodes that it had, and would claim older ones again, because nothing proves
        // them.
        const archived = await caller(service.url)('DELETE', `/api/plans/round-${round}`);
        expect(archived.status, archived.text).toBe(200);
      }
      await worker.stop();
      expect(failed, `seed ${seed}`).toEqual([]);
      expect(new Set(taken).size).toBe(taken.length);
      expect(taken).toHaveLength(many * nodes);
      const call = caller(service.url);
      for (let round = 0; round < many; round += 1) {
        const { body } = await call('GET', `/api/plans/round-${round}/history?only=claims`);
        const types = (body as HistoryEntry[]).map(({ type }) => type);
        const count = (type: string) => types.filter((each) => each === type).length;
        expect(count('node_claimed'), `round ${round}, seed ${seed}`).toBe(count('claim_released'));
        // A claim that waited for the service does not know which nodes others claimed meanwhile, and releases such a
        // node at once: one for each function, and one for each call over REST, where calls have no order.
        const overRest = (restClaims[round] ?? 0) - (restClaims[round - 1] ?? 0);
        expect(count('node_claimed')).toBeLessThanOrEqual(nodes + options.concurrency + overRest);
      }
      recordFigure('R1', `${many} rounds, ${taken.length} nodes, each once, seed ${seed}`);
    } finally {
      box.close();
      await service[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    }
  },
  3_600_000,
);
