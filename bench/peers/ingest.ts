import { startedProcess } from '../../tests/spawn.ts';
import { batches, publish, requestsOf } from '../batches.ts';
import { load } from './scratch.ts';

/** One way to store events, durable before the answer. */
export type IngestContender = {
  name: string;
  /** Events stored by eight publishers within the time, in batches of 100. */
  round(ms: number): Promise<number>;
  close(): Promise<void>;
};

const texts = batches.map((own) => own.map((events) => events.map((event) => JSON.stringify(event))));

async function measureFor(ms: number, keep: (publisher: number, lines: readonly string[]) => Promise<unknown>) {
  const end = performance.now() + ms;
  let kept = 0;
  const work = async (own: readonly (readonly string[])[], publisher: number) => {
    for (let number = 0; performance.now() < end; number += 1) {
      const lines = own[number % own.length] ?? [];
      await keep(publisher, lines);
      kept += lines.length;
    }
  };
  await Promise.all(texts.map(work));
  return kept;
}

/** The whole service: read, checked, archived, flushed, folded. */
export async function openOurIngest(): Promise<IngestContender> {
  const service = await startedProcess();
  const port = Number(new URL(service.consoleUrl).port);
  const requests = batches.map(requestsOf);
  return {
    name: 'Signalbox',
    async round(ms) {
      const end = performance.now() + ms;
      const sent = await Promise.all(requests.map((own) => publish(port, own, end)));
      return sent.reduce((sum, count) => sum + count, 0);
    },
    async close() {
      await service[Symbol.asyncDispose]();
    },
  };
}

/** A stream per run, one entry per event, a batch in one command. Nothing is parsed, checked or folded. */
export async function openRedisStreams(port: number): Promise<IngestContender> {
  const { Redis } = await load('ioredis');
  const clients = texts.map(() => new Redis({ host: '127.0.0.1', port }));
  return {
    name: 'Redis, XADD, flushed always',
    round: (ms) =>
      measureFor(ms, async (publisher, lines) => {
        const pipeline = clients[publisher].pipeline();
        for (const line of lines) pipeline.xadd(`run-${publisher}`, 'MAXLEN', '~', 100_000, '*', 'event', line);
        await pipeline.exec();
      }),
    async close() {
      for (const client of clients) client.disconnect();
    },
  };
}

/** A row per event, a batch in one statement. */
export async function openRows(url: string): Promise<IngestContender> {
  const { default: pg } = await load('pg');
  const clients = await Promise.all(
    texts.map(async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    }),
  );
  await clients[0].query('CREATE TABLE events (id bigserial PRIMARY KEY, run text NOT NULL, body text NOT NULL)');
  const text = 'INSERT INTO events (run, body) SELECT $1, * FROM unnest($2::text[])';
  return {
    name: 'PostgreSQL, a row for each event',
    round: (ms) =>
      measureFor(ms, (publisher, lines) =>
        clients[publisher].query({ name: 'keep', text, values: [`run-${publisher}`, lines] }),
      ),
    async close() {
      for (const client of clients) await client.end();
    },
  };
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Runs all of them in turn in every round, prints a table and closes them. */
export async function raceIngest(keepers: readonly IngestContender[], rounds: number, ms: number): Promise<void> {
  const perSecond = keepers.map((): number[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, keeper] of keepers.entries()) {
      const kept = await keeper.round(ms);
      // The first round warms up.
      if (round > 0) perSecond[index]?.push((kept * 1000) / ms);
    }
  }
  console.log('\nEvents a second, 8 publishers, batches of 100, durable before the answer');
  console.log('| | median | range | Signalbox / this, paired |\n|---|---|---|---|');
  for (const [index, { name, close }] of keepers.entries()) {
    const all = perSecond[index] ?? [];
    const ratios = all.map((value, at) => (perSecond[0]?.[at] ?? 0) / value);
    const range = (values: readonly number[], digits: number) =>
      `${Math.min(...values).toFixed(digits)} - ${Math.max(...values).toFixed(digits)}`;
    console.log(
      `| ${name} | ${median(all).toFixed(0)} | ${range(all, 0)} | ${median(ratios).toFixed(2)} (${range(ratios, 2)}) |`,
    );
    await close();
  }
}
