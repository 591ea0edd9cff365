import { parentPort } from 'node:worker_threads';
import { batches, publish, requestsOf } from './batches.ts';

// Eight publishers in a separate thread, so that only the servers are measured.
const requests = batches.map(requestsOf);

parentPort?.on('message', async ({ port, ms }: { port: number; ms: number }) => {
  const start = performance.now();
  const sent = await Promise.all(requests.map((own) => publish(port, own, start + ms)));
  const events = sent.reduce((sum, count) => sum + count, 0);
  parentPort?.postMessage(events / ((performance.now() - start) / 1000));
});
