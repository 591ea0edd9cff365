import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { systemClock } from '../packages/service/src/app/system-clock.ts';
import type { SessionFacts } from '../packages/service/src/coordination/agents/session-state.ts';
import { createHostWatch } from '../packages/service/src/coordination/hosts/watch.ts';
import { createAnnouncements } from '../packages/service/src/kernel/announcements.ts';
import { openPostgresLog } from '../packages/service/src/store/postgres/postgres-log.ts';
import { createCluster } from '../tests/postgres/cluster.ts';

// One PostgreSQL, one to three hosts with 64 agents each: durable claims a second, and what sharing a roster costs.
const roundMs = 3_000;
const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-hosts-'));
const cluster = await createCluster(folder);
await cluster.start();
const store = cluster.url('postgres');
const cli = join(import.meta.dirname, '../packages/service/dist/cli/bin.js');

async function host(name: string) {
  const env = { PATH: process.env.PATH, HOME: folder, PORT: '0,0', Service__Store: store, Service__HostName: name };
  const child = spawn(
    process.execPath,
    [cli, `--Service:DataPath=${join(folder, name)}`, '--Service:LicenceGate=off'],
    {
      env,
      cwd: folder,
    },
  );
  const port = await new Promise<number>((resolve) => {
    let out = '';
    child.stdout.on('data', (text) => {
      out += text;
      const found = /coordination\s+http:\/\/\S+:(\d+)\n[\s\S]*reference/.exec(out);
      if (found) resolve(Number(found[1]));
    });
  });
  return { port, clients: new Worker(new URL('./claim-clients.ts', import.meta.url)), child };
}

const round = ({ port, clients }: Awaited<ReturnType<typeof host>>, from: number) =>
  new Promise<number>((resolve) => {
    clients.once('message', resolve);
    clients.postMessage({ port, ms: roundMs, from });
  });

const hosts = [await host('a')];
const nodes = Array.from({ length: 192 }, (_, node) => ({ id: `n${node}` }));
await fetch(`http://127.0.0.1:${hosts[0]?.port}/api/plans/bench`, {
  method: 'PUT',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ nodes }),
});
await round(hosts[0] as (typeof hosts)[number], 0);
const perSecond = async (apart: number) => {
  const start = performance.now();
  const claims = (await Promise.all(hosts.map((each, index) => round(each, index * apart)))).reduce((a, b) => a + b, 0);
  return ((claims * 1000) / (performance.now() - start)).toFixed(0);
};
for (const name of ['', 'b', 'c']) {
  if (name !== '') hosts.push(await host(name));
  const [own, same] = [await perSecond(64), await perSecond(0)];
  console.log(
    `${hosts.length} hosts, 64 agents each: ${own} durable claims/s on nodes of their own, ${same} on the same 64`,
  );
}
for (const { child, clients } of hosts) {
  child.kill('SIGTERM');
  await clients.terminate();
}

// Fifty active sessions: each has a new lastActivityAt at every poll.
const log = await openPostgresLog({ url: store, clock: systemClock });
const me = {
  name: 'roster',
  life: crypto.randomUUID(),
  home: crypto.randomUUID(),
  place: 'bench',
  machine: 'bench',
  pid: 1,
};
await log.hosts.enter(me);
const session = (number: number): SessionFacts => ({
  sessionId: `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`,
  host: 'roster',
  tool: 'claude-code',
  cwd: '/home/someone/work/shop/packages/service',
  launchCwd: '/home/someone/work/shop',
  state: 'running',
  reason: 'tool_use',
  activity: null,
  since: new Date().toISOString(),
  startedAt: new Date().toISOString(),
  lastActivityAt: new Date().toISOString(),
  branch: 'feature/prices',
  repository: 'acme/shop',
  tree: '/home/someone/work/shop',
  pid: 10_000 + number,
  title: 'shop-prices',
  inferred: false,
  model: null,
  tokens: null,
  turns: null,
  contextPercent: null,
  live: true,
  processes: 1,
});
let sent = 0;
const table = {
  ...log.hosts,
  share(news: Parameters<typeof log.hosts.share>[0]) {
    sent += JSON.stringify(news).length;
    return log.hosts.share(news);
  },
};
const watch = createHostWatch({
  table,
  self: me,
  clock: systemClock,
  announcements: createAnnouncements(),
  observe: async () => ({
    session: Array.from({ length: 50 }, (_, number) => [`s${number}`, session(number)] as const),
  }),
  warn: console.warn,
});
const client = new pg.Client({ connectionString: store });
await client.connect();
const wal = async () =>
  Number((await client.query("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS at")).rows[0].at);
await watch.start();
await new Promise((resolve) => setTimeout(resolve, 1500));
const [walBefore, sentBefore, began] = [await wal(), sent, performance.now()];
const updates = setInterval(() => watch.markChanged('session'), 1000);
await new Promise((resolve) => setTimeout(resolve, 8000));
clearInterval(updates);
const seconds = (performance.now() - began) / 1000;
const kilobytes = (bytes: number) => (bytes / seconds / 1000).toFixed(1);
console.log(
  `50 running sessions on one host, all active: ${kilobytes(sent - sentBefore)} KB/s sent, ${kilobytes((await wal()) - walBefore)} KB/s of WAL`,
);
await watch.stop();

// Twenty hosts with 500 sessions each: the cost for a host to read them all, and to learn that nothing has changed.
for (let number = 0; number < 20; number += 1) {
  const other = {
    name: `host-${number}`,
    life: crypto.randomUUID(),
    home: crypto.randomUUID(),
    place: 'bench',
    machine: 'bench',
    pid: 1,
  };
  await log.hosts.enter(other);
  const changed = Array.from({ length: 500 }, (_, id) => ({ kind: 'session', id: `s${id}`, body: session(id) }));
  await log.hosts.share({ host: other.name, life: other.life, url: null, changed, gone: [] });
}
const timed = async (known: Record<string, number>) => {
  const start = performance.now();
  const rows = await log.hosts.read(me.name, known);
  return { ms: performance.now() - start, rows };
};
const whole = await timed({});
const idle = await timed(Object.fromEntries(whole.rows.map(({ key, revision }) => [key, revision])));
console.log(
  `20 other hosts with 500 sessions each: ${whole.ms.toFixed(0)} ms to read all 10,000, ${idle.ms.toFixed(1)} ms when nothing is new`,
);
await client.end();
await log.close();
await cluster.stop();
rmSync(folder, { recursive: true, force: true });
process.exit();
