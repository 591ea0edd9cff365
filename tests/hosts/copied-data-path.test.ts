import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../packages/service/src/app/system-clock.ts';
import { enterHosts, thisMachine } from '../../packages/service/src/coordination/hosts/io/enter-hosts.ts';
import { keepHost } from '../../packages/service/src/files/host-file.ts';
import { openPostgresLog, type PostgresLog } from '../../packages/service/src/store/postgres/postgres-log.ts';
import { cloneDatabase } from '../postgres/clone.ts';

const waitMs = 100;
/** Larger than any process id of Linux. */
const deadPid = 2 ** 22 + 1;
let log: PostgresLog;
let dataPath = '';
beforeEach(async () => {
  log = await openPostgresLog({ url: await cloneDatabase(), clock: systemClock });
  dataPath = mkdtempSync(join(tmpdir(), 'signalbox-copied-'));
});
afterEach(async () => {
  await log.close();
  rmSync(dataPath, { recursive: true });
});

async function former(machine: string, pid: number) {
  const me = {
    name: 'ada',
    life: randomUUID(),
    home: keepHost(dataPath, 'ada'),
    place: `process ${pid} there`,
    machine,
    pid,
  };
  await log.hosts.enter(me);
  return me;
}

test('a host whose process is dead on this machine is followed at once', async () => {
  await former(thisMachine(), deadPid);
  const me = await enterHosts(log.hosts, { hostName: 'ada', dataPath }, 3_600_000);
  expect(me.name).toBe('ada');
});

test('a host elsewhere that gives no sign of life while one is waited for is dead', async () => {
  await former('elsewhere', process.pid);
  expect(await enterHosts(log.hosts, { hostName: 'ada', dataPath }, waitMs)).toMatchObject({ name: 'ada' });
});

test('a copied data path is refused, and the living host is named', async () => {
  const living = await former('elsewhere', 12);
  const beat = { host: 'ada', life: living.life, url: null, changed: [], gone: [] };
  // It refuses at the first heartbeat that it sees, long before the wait is over.
  const beating = systemClock.every(10, async () => void (await log.hosts.share(beat)));
  const entering = enterHosts(log.hosts, { hostName: 'bob', dataPath }, 3_600_000);
  await expect(entering.finally(beating)).rejects.toThrow(
    /is a copy of one that a live host uses: process 12 there, since 20.*host\.json/,
  );
});

test('a name in use by another data path is refused with the time until it is free', async () => {
  await log.hosts.enter({ ...(await former('elsewhere', 12)), home: randomUUID() });
  const entering = enterHosts(log.hosts, { hostName: 'ada', dataPath }, waitMs);
  await expect(entering).rejects.toThrow(/host name ada is in use: .* its name is free in (30|29) s/);
});
