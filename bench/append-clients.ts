import { Agent, request } from 'node:http';
import { parentPort } from 'node:worker_threads';

// 64 clients in a separate thread, each on its own connection, each waiting for its answer before the next call.
const clients = 64;
const agent = new Agent({ keepAlive: true, maxSockets: clients });

const ask = (port: number, client: number) =>
  new Promise<void>((resolve, reject) => {
    const sent = request({ agent, port, host: '127.0.0.1', method: 'POST', path: `/${client}` }, (response) => {
      response.resume().on('end', resolve);
    });
    sent.on('error', reject).end();
  });

parentPort?.on('message', async ({ port, ms }: { port: number; ms: number }) => {
  const end = performance.now() + ms;
  const client = async (_: unknown, number: number) => {
    while (performance.now() < end) await ask(port, number);
  };
  await Promise.all(Array.from({ length: clients }, client));
  parentPort?.postMessage('done');
});
