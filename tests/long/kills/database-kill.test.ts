import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../packages/service/src/app/system-clock.ts';
import type { RecordedEvent } from '../../../packages/service/src/kernel/event-log.ts';
import { isRefusal } from '../../../packages/service/src/kernel/outcome.ts';
import { openPostgresLog, type PostgresLog } from '../../../packages/service/src/store/postgres/postgres-log.ts';
import { type Cluster, createCluster } from '../../postgres/cluster.ts';
import { brokenOf, lostOf } from './kill-rounds.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-cluster-'));
let cluster: Cluster;
let log: PostgresLog;
beforeAll(async () => {
  cluster = await createCluster(folder);
  await cluster.start();
  log = await openPostgresLog({ url: cluster.url('postgres'), clock: systemClock });
});
afterAll(async () => {
  await log.close();
  await cluster.stop();
  rmSync(folder, { recursive: true });
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('kill -9 of the database server in the middle of concurrent appends, 5 rounds, loses nothing that was answered', async () => {
  const kept: RecordedEvent[] = [];
  await log.attach({ apply: (event) => kept.push(event), reset: () => kept.splice(0) });
  const answered: string[] = [];
  let refused = 0;
  let running = true;
  const write = async (writer: number) => {
    const stream = `stream-${writer % 8}`;
    for (let turn = 0; running; turn += 1) {
      const by = `${writer}-${turn}`;
      const events = [{ type: 'appended', data: null, by }];
      const answer = await log.commit(() => ({
        append: [{ stream, events }],
        answer: () => kept.findLast((event) => event.stream === stream)?.version,
      }));
      if (!isRefusal(answer)) answered.push(`${by} ${stream} ${answer}`);
      else {
        expect(answer.code).toBe('store_unavailable');
        refused += 1;
        await pause(10);
      }
    }
  };
  const writers = Array.from({ length: 16 }, (_, writer) => write(writer));

  for (let round = 0; round < 5; round += 1) {
    const before = answered.length;
    while (answered.length < before + 50) await pause(5);
    await cluster.kill();
    while (log.following().staleSince === null) await pause(5);
    const refusedBefore = refused;
    while (refused === refusedBefore) await pause(5);
    await expect(log.read('stream-0')).rejects.toThrow('cannot be reached');
    expect(await log.rememberedAnswer('a key')).toBeUndefined();
    await cluster.start();
  }
  const before = answered.length;
  while (answered.length < before + 50) await pause(5);
  running = false;
  await Promise.all(writers);

  expect(lostOf(answered, kept)).toEqual([]);
  expect(brokenOf(kept)).toEqual([]);
  expect(await log.read('stream-0')).toEqual(kept.filter(({ stream }) => stream === 'stream-0'));
  expect(log.following()).toMatchObject({ sequence: kept.length, staleSince: null });
});
