import { type Contender, workFor } from './contender.ts';
import { load } from './scratch.ts';

const supply = 40_000;

/** Each worker has its own connection and takes jobs one by one, as agents would. */
export async function openBullMq(port: number): Promise<Contender> {
  const { Queue, Worker } = await load('bullmq');
  const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
  const queue = new Queue('jobs', { connection });
  const workers: unknown[] = [];
  const claimMs: number[] = [];
  const refill = async () => {
    const waiting = await queue.getWaitingCount();
    for (let left = supply - waiting; left > 0; left -= 5_000)
      await queue.addBulk(Array.from({ length: Math.min(left, 5_000) }, () => ({ name: 'job', data: {} })));
  };
  return {
    name: 'BullMQ, a connection for each agent',
    claimMs,
    async round(count, ms) {
      await refill();
      while (workers.length < count)
        workers.push(new Worker('jobs', null, { connection, autorun: false, removeOnComplete: { count: 0 } }));
      return workFor(
        count,
        ms,
        async (worker) => {
          // biome-ignore lint/suspicious/noExplicitAny: a package without types here
          const mine = workers[worker] as any;
          const started = performance.now();
          const job = await mine.getNextJob(`token-${worker}`, { block: false });
          const took = performance.now() - started;
          await job.moveToCompleted('done', `token-${worker}`, false);
          return took;
        },
        claimMs,
      );
    },
    async close() {
      // biome-ignore lint/suspicious/noExplicitAny: a package without types here
      for (const worker of workers as any[]) await worker.close(true);
      await queue.close();
    },
  };
}

/** One process that works on 64 jobs at once, the package's intended use. */
export async function openBullMqNative(port: number): Promise<Contender> {
  const { Queue, Worker } = await load('bullmq');
  const connection = { host: '127.0.0.1', port, maxRetriesPerRequest: null };
  const queue = new Queue('native', { connection });
  return {
    name: 'BullMQ, its own worker',
    claimMs: [],
    async round(count, ms) {
      const waiting = await queue.getWaitingCount();
      for (let left = supply - waiting; left > 0; left -= 5_000)
        await queue.addBulk(Array.from({ length: Math.min(left, 5_000) }, () => ({ name: 'job', data: {} })));
      let done = 0;
      const work = async () => {
        done += 1;
      };
      const worker = new Worker('native', work, { connection, concurrency: count, removeOnComplete: { count: 0 } });
      await worker.waitUntilReady();
      done = 0;
      await new Promise((resolve) => setTimeout(resolve, ms));
      const counted = done;
      await worker.close();
      return counted;
    },
    close: () => queue.close(),
  };
}

/** The floor: one key set and removed. No queue, no order, no history. */
export async function openRedis(port: number): Promise<Contender> {
  const { Redis } = await load('ioredis');
  const claimMs: number[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: a package without types here
  const clients: any[] = [];
  return {
    name: 'Redis, SET NX and DEL alone',
    claimMs,
    async round(count, ms) {
      while (clients.length < count) clients.push(new Redis({ host: '127.0.0.1', port }));
      return workFor(
        count,
        ms,
        async (worker) => {
          const started = performance.now();
          await clients[worker].set(`job-${worker}`, 'agent', 'EX', 1800, 'NX');
          const took = performance.now() - started;
          await clients[worker].del(`job-${worker}`);
          return took;
        },
        claimMs,
      );
    },
    async close() {
      for (const client of clients) client.disconnect();
    },
  };
}

/** A key that must not exist yet, in a transaction, and its removal. No queue, no order. */
export async function openEtcd(port: number): Promise<Contender> {
  const { Etcd3 } = await load('etcd3');
  const claimMs: number[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: a package without types here
  const clients: any[] = [];
  return {
    name: 'etcd, a transaction and its undoing',
    claimMs,
    async round(count, ms) {
      while (clients.length < count) clients.push(new Etcd3({ hosts: `http://127.0.0.1:${port}` }));
      return workFor(
        count,
        ms,
        async (worker) => {
          const key = `job-${worker}`;
          const started = performance.now();
          await clients[worker].if(key, 'Create', '==', 0).then(clients[worker].put(key).value('agent')).commit();
          const took = performance.now() - started;
          await clients[worker].delete().key(key);
          return took;
        },
        claimMs,
      );
    },
    async close() {
      for (const client of clients) client.close();
    },
  };
}

/** The usual hand-written solution: a table, FOR UPDATE SKIP LOCKED, a status. */
export async function openSkipLocked(url: string): Promise<Contender> {
  const { default: pg } = await load('pg');
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query('CREATE TABLE jobs (id bigserial PRIMARY KEY, state text NOT NULL, agent text, until timestamptz)');
  await admin.query("CREATE INDEX ON jobs (id) WHERE state = 'ready'");
  // biome-ignore lint/suspicious/noExplicitAny: a package without types here
  const clients: any[] = [];
  const claimMs: number[] = [];
  const take = `UPDATE jobs SET state = 'held', agent = $1, until = now() + interval '30 minutes' WHERE id =
    (SELECT id FROM jobs WHERE state = 'ready' ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id`;
  return {
    name: 'PostgreSQL, SKIP LOCKED by hand',
    claimMs,
    async round(count, ms) {
      await admin.query("INSERT INTO jobs (state) SELECT 'ready' FROM generate_series(1, $1)", [supply]);
      while (clients.length < count) {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        clients.push(client);
      }
      return workFor(
        count,
        ms,
        async (worker) => {
          const started = performance.now();
          const { rows } = await clients[worker].query({ name: 'take', text: take, values: [`agent-${worker}`] });
          const took = performance.now() - started;
          const text = "UPDATE jobs SET state = 'done' WHERE id = $1";
          await clients[worker].query({ name: 'done', text, values: [rows[0].id] });
          return took;
        },
        claimMs,
      );
    },
    async close() {
      for (const client of [admin, ...clients]) await client.end();
    },
  };
}

export async function openPgBoss(url: string): Promise<Contender> {
  const { default: PgBoss } = await load('pg-boss');
  const boss = new PgBoss({ connectionString: url, max: 64, supervise: false, schedule: false });
  boss.on('error', () => undefined);
  await boss.start();
  await boss.createQueue('jobs');
  const claimMs: number[] = [];
  return {
    name: 'pg-boss, fetch and complete',
    claimMs,
    async round(count, ms) {
      await boss.insert(Array.from({ length: 2_000 }, () => ({ name: 'jobs', data: {} })));
      return workFor(
        count,
        ms,
        async () => {
          const started = performance.now();
          const [job] = await boss.fetch('jobs');
          const took = performance.now() - started;
          await boss.complete('jobs', job.id);
          return took;
        },
        claimMs,
      );
    },
    close: () => boss.stop({ graceful: false }),
  };
}

export async function openGraphile(url: string): Promise<Contender> {
  const { makeWorkerUtils, run, Logger } = await load('graphile-worker');
  const logger = new Logger(() => () => undefined);
  const tools = await makeWorkerUtils({ connectionString: url, logger });
  await tools.migrate();
  return {
    name: 'graphile-worker, its own runner',
    claimMs: [],
    async round(count, ms) {
      const jobs = 10_000;
      await tools.withPgClient((client: { query(text: string): Promise<unknown> }) =>
        client.query(`SELECT graphile_worker.add_job('job', '{}') FROM generate_series(1, ${jobs})`),
      );
      let done = 0;
      const work = async () => {
        done += 1;
      };
      const taskList = { job: work };
      const runner = await run({
        connectionString: url,
        concurrency: count,
        // One extra connection listens.
        maxPoolSize: count + 1,
        logger,
        taskList,
        noHandleSignals: true,
      });
      done = 0;
      await new Promise((resolve) => setTimeout(resolve, ms));
      const counted = done;
      await runner.stop();
      return counted;
    },
    close: () => tools.release(),
  };
}
