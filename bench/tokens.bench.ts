import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { AuditTrail } from '../packages/service/src/app/audit-trail.ts';
import { systemClock } from '../packages/service/src/app/system-clock.ts';
import { hashOf } from '../packages/service/src/edge/token.ts';
import { openSqliteLog } from '../packages/service/src/store/sqlite/sqlite-log.ts';
import { createPlan, serveWork } from './serve-work.ts';

// The cost of a named token and the audit per claim: CPU time of the serving thread, with interleaved rounds so that other
// load matters little.
const roundMs = 300;
const rounds = Number(process.env.SIGNALBOX_ROUNDS ?? 40);
const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const clients = new Worker(new URL('./claim-clients.ts', import.meta.url));
const token = 'sbx_a-token-of-the-benchmark-with-43-letters-long';
const known = hashOf(token);

async function serve(name: string, options: { named?: boolean; audited?: boolean }) {
  const log = openSqliteLog({ path: join(folder, `${name}.sqlite`), clock: systemClock });
  const audit = new AuditTrail({ dataPath: join(folder, name), clock: systemClock, days: 1, warn: console.warn });
  const bench = { name: 'agent', scopes: ['work' as const], expiresAt: null };
  const { app, port } = await serveWork(log, {
    ...(options.named && {
      token: 'the token of the operator',
      named: {
        byHash: (hash) => (hash === known ? bench : undefined),
        find: () => undefined,
        revocations: () => 0,
        isUsed: () => true,
        loginsEndedAt: () => 0,
      },
    }),
    ...(options.audited && { audit: audit.recordSoon }),
  });
  const nodes = Array.from({ length: 64 }, (_, node) => ({ id: `n${node}` }));
  await createPlan(log, 'bench', nodes);
  const call = { port, prefix: 'agent/', ...(options.named && { token }) };
  const stop = async () => {
    await app.close();
    await log.close();
    audit.stop();
  };
  return { call, stop, microseconds: [] as number[] };
}

const round = (call: object) =>
  new Promise<number>((resolve) => {
    clients.once('message', resolve);
    clients.postMessage({ ...call, ms: roundMs });
  });
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const sides = {
  bare: await serve('bare', {}),
  audited: await serve('audited', { audited: true }),
  named: await serve('named', { audited: true, named: true }),
};
for (let count = 0; count < rounds + 2; count += 1) {
  // Each runs first, second and last equally often.
  const order = Object.values(sides);
  for (let turn = 0; turn < count % order.length; turn += 1) order.push(order.shift() as (typeof order)[number]);
  for (const side of order) {
    const before = process.threadCpuUsage();
    const claims = await round(side.call);
    const { user, system } = process.threadCpuUsage(before);
    // The first rounds warm up.
    if (count > 1) side.microseconds.push((user + system) / claims);
  }
}
const ratio = (one: readonly number[], other: readonly number[]) =>
  median(one.map((value, index) => value / (other[index] ?? 1))).toFixed(3);
const { bare, audited, named } = sides;
console.log(
  `claims over HTTP, 64 agents, processor time of the serving thread: ${median(bare.microseconds).toFixed(0)} us without, ` +
    `audit x${ratio(audited.microseconds, bare.microseconds)}, a named token x${ratio(named.microseconds, audited.microseconds)} beside it`,
);
for (const { stop } of Object.values(sides)) await stop();
await clients.terminate();
rmSync(folder, { recursive: true, force: true });
