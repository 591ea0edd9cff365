import { type ChildProcess, fork } from 'node:child_process';
import { Clients, percentile, stuck, type Way } from './fan-out-clients.ts';
import type { Ask } from './fan-out-server.ts';

// 1,000 clients of the whole service against 1,000 of a bare broadcast server, 200-byte messages, rounds of both
// interleaved; then 20 clients that never read while 40 MB flow past 20 that do, and the same without them.
//   node bench/fan-out.bench.ts [rounds]      0 rounds: only the stuck readers
const many = 1_000;
const rounds = Number(process.argv[2] ?? 9);
const perRound = 20;
const reading = 20;

type Server = { child: ChildProcess; port: number; ask(ask: Ask): Promise<{ rss: number }>; tell(ask: Ask): void };

async function serverOf(side: string): Promise<Server> {
  const child = fork(new URL('./fan-out-server.ts', import.meta.url), [side], { execArgv: ['--expose-gc'] });
  const answer = <T>() => new Promise<T>((resolve) => child.once('message', (message) => resolve(message as T)));
  const { port } = await answer<{ port: number }>();
  const tell = (ask: Ask) => void child.send(ask);
  const ask = (question: Ask) => {
    const answered = answer<{ rss: number }>();
    tell(question);
    return answered;
  };
  return { child, port, ask, tell };
}

async function open(side: string, way: Way) {
  const server = await serverOf(side);
  const clients = new Clients();
  await clients.add(server.port, way, 5);
  await clients.hear(5 * 500, () => server.tell({ broadcast: 500, padding: 100 }));
  const before = (await server.ask('memory')).rss;
  await clients.add(server.port, way, many - 5);
  const perClient = ((await server.ask('memory')).rss - before) / (many - 5) / 1024;
  return { name: `${side} (${way})`, server, clients, perClient, p50: [] as number[], p99: [] as number[] };
}

async function compare(): Promise<void> {
  const sides = [
    await open('hub', 'events'),
    await open('bare events', 'events'),
    await open('hub', 'sockets'),
    await open('bare sockets', 'sockets'),
  ];
  for (let round = 0; round <= rounds; round += 1) {
    for (const { server, clients, p50, p99 } of sides) {
      const heard: number[] = [];
      for (let sent = 0; sent < perRound; sent += 1)
        heard.push(...(await clients.hear(many, () => server.tell({ broadcast: 1, padding: 100 }))));
      if (round === 0) continue;
      p50.push(percentile(heard, 0.5));
      p99.push(percentile(heard, 0.99));
    }
  }
  console.log(`${many} clients, ${rounds} rounds of ${perRound} messages; median over the rounds`);
  for (const { name, p50, p99, perClient } of sides) {
    const [middle, slow] = [percentile(p50, 0.5).toFixed(2), percentile(p99, 0.5).toFixed(2)];
    console.log(`${name.padEnd(24)} p50 ${middle} ms  p99 ${slow} ms  ${perClient.toFixed(1)} KB a client`);
  }
  for (const [ours, bare] of [sides.slice(0, 2), sides.slice(2)]) {
    const ratios = (ours?.p99 ?? []).map((value, round) => value / (bare?.p99[round] ?? Number.NaN));
    console.log(`${ours?.name} p99 against bare: ${percentile(ratios, 0.5).toFixed(2)}`);
  }
  for (const { clients, server } of sides) {
    clients.close();
    server.child.kill();
  }
}

/** 40 MB in messages of 4 KB to 20 readers, next to a number of clients that never read. */
async function flow(stuckClients: number): Promise<{ p99: number; rss: number }> {
  const server = await serverOf('hub');
  const clients = new Clients();
  await clients.add(server.port, 'sockets', reading);
  await clients.hear(reading * 100, () => server.tell({ broadcast: 100, padding: 4_000 }));
  for (let n = 0; n < stuckClients; n += 1) await stuck(server.port, n % 2 ? 'events' : 'sockets');
  const heard: number[] = [];
  let rss = 0;
  for (let sent = 0; sent < 10_000; sent += 10) {
    heard.push(...(await clients.hear(reading * 10, () => server.tell({ broadcast: 10, padding: 4_000 }))));
    if (sent % 500 === 0) rss = Math.max(rss, (await server.ask('memory')).rss);
  }
  clients.close();
  server.child.kill();
  return { p99: percentile(heard, 0.99), rss };
}

if (rounds > 0) await compare();

const [without, beside]: [number[][], number[][]] = [[], []];
for (let round = 0; round < 3; round += 1) {
  for (const [stuckClients, taken] of [
    [0, without],
    [20, beside],
  ] as const) {
    const { p99, rss } = await flow(stuckClients);
    taken.push([p99, rss / 1024 / 1024]);
  }
}
const median = (taken: number[][], index: number) =>
  percentile(
    taken.map((one) => one[index] ?? 0),
    0.5,
  );
console.log('40 MB past 20 readers, alone and beside 20 that never read; medians of 3');
console.log(`p99 ${median(without, 0).toFixed(2)} ms alone, ${median(beside, 0).toFixed(2)} ms beside them`);
console.log(`a stuck reader costs ${((median(beside, 1) - median(without, 1)) / 20).toFixed(2)} MB`);
process.exit(0);
