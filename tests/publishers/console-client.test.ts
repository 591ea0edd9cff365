import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { createConsoleClient } from '../../packages/publisher/src/sender/console-client.ts';

const listener = `
const { createServer } = require('node:http');
const { parentPort } = require('node:worker_threads');
const server = createServer((_, answer) => answer.end('{"tool":"signalbox"}'));
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

test('a console that has answered while we were kept from looking is there', async () => {
  const worker = new Worker(listener, { eval: true });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  const alive = createConsoleClient(`http://127.0.0.1:${port}`, null).ping(1_500);
  // Simulates a busy machine: every timer is late when the loop continues.
  await new Promise((resolve) => setImmediate(resolve));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_800);
  expect(await alive).toBe(true);
  await worker.terminate();
});

test('a console that accepts the connection but never answers is not awaited', async () => {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await createConsoleClient(`http://127.0.0.1:${port}`, null).ping(100)).toBe(false);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
