import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../../packages/service/src/app/system-clock.ts';
import { createCluster } from '../../postgres/cluster.ts';
import { rounds } from '../../rounds.ts';
import { type Started, start } from '../../start.ts';
import { boardsAgree } from './boards.ts';
import { grantedTwice, startClaimers } from './claimers.ts';

const each = rounds(1, 15);
const nodes = ['a', 'b', 'c', 'd'];

test('a stand-by that takes over without the last writes is what every host goes on from', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-standby-'));
  const cluster = await createCluster(folder);
  const files = join(folder, 'cluster');
  await cluster.start();
  const url = cluster.url('postgres');
  const hosts: Started[] = [];
  try {
    for (const HostName of ['ada', 'bob', 'cyd'])
      hosts.push(await start({ clock: systemClock, settings: { Store: url, HostName, LicenceGate: 'off' } }));
    await hosts[0]?.call('PUT', '/api/plans/race', { nodes: nodes.map((id) => ({ id })) });
    const claimers = startClaimers(hosts, nodes, 3);
    const granted = async (more: number) => {
      for (const before = claimers.granted.length; claimers.granted.length < before + more; ) await pause(5);
    };
    for (let round = 0; round < each; round += 1) {
      await granted(10);
      // The copy is a standby that has followed so far.
      await cluster.kill();
      execFileSync('cp', ['-a', files, join(folder, 'standby')]);
      await cluster.start();
      await hosts[0]?.call('PUT', `/api/plans/tail-${round}`, { nodes: [{ id: 'x' }] });
      await granted(10);
      await cluster.kill();
      renameSync(files, join(folder, `primary-${round}`));
      renameSync(join(folder, 'standby'), files);
      await cluster.start();
      await pause(600);
      await claimers.hold();
      await boardsAgree(url, hosts);
      expect(grantedTwice(claimers.granted)).toEqual([]);
      claimers.goOn();
    }
    await claimers.stop();
  } finally {
    for (const host of hosts) await host[Symbol.asyncDispose]();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
