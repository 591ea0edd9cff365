import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'vitest';
import { type Started, start } from '../start.ts';
import { verifies } from '../verifies.ts';
import { announceNumbered, numbersIn, passTurns, range } from './announcing.ts';
import { rawEvents, viaSocket } from './clients.ts';

const request = {
  stream: 'GET /api/messages HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n',
  socket:
    'GET /api/messages HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
};

/** Subscribes, and stops reading after the first bytes. */
async function stuck({ url }: Started, way: keyof typeof request): Promise<Socket & { gone: Promise<void> }> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(request[way]));
  const gone = new Promise<void>((resolve) => socket.on('error', () => undefined).once('close', () => resolve()));
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  return Object.assign(socket, { gone });
}

const lines = ({ running }: Started): Promise<number> =>
  new Promise((resolve) => running.coordination.servers[0]?.getConnections((_, many) => resolve(many)));

const mebibyte = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes in buffers that are still referenced. Buffers are freed in another thread, and only the next collection waits for that. */
function held(): number {
  collect();
  collect();
  return process.memoryUsage().arrayBuffers;
}

verifies(
  ['hub:slow-reader-cut-off', 'hub:slow-reader-harms-nobody'],
  'twenty readers that never read while 40 MB flow are cut off, cost little, and nobody else misses a message',
  async () => {
    await using service = await start();
    const slow = await Promise.all(range(1, 20).map((n) => stuck(service, n % 2 ? 'stream' : 'socket')));
    await using stream = await rawEvents(service);
    await using socket = await viaSocket(service);
    const before = held();
    let most = 0;
    const padding = 'x'.repeat(4_000);
    for (let sent = 0; sent < 10_000; sent += 100) {
      announceNumbered(service, sent + 1, sent + 100, padding);
      await Promise.all([stream.until(sent + 100), socket.until(sent + 100)]);
      if (sent % 2_000 === 0) most = Math.max(most, held() - before);
    }
    expect(numbersIn(stream.heard)).toEqual(range(1, 10_000));
    expect(numbersIn(socket.heard)).toEqual(range(1, 10_000));
    // This figure includes the ring.
    expect(most / 20).toBeLessThan(2 * mebibyte);
    for (const line of slow) line.resume();
    await Promise.all(slow.map(({ gone }) => gone));
    expect(await lines(service)).toBeLessThanOrEqual(2);
  },
);

verifies('hub:slow-reader-cut-off', 'who was cut off comes back and resumes, or starts with a reset', async () => {
  await using service = await start();
  await using all = await viaSocket(service);
  announceNumbered(service, 1, 1);
  const [{ id: first = '' } = {}] = await all.until(1);
  const slow = await stuck(service, 'socket');
  const padding = 'x'.repeat(64 * 1024);
  for (let n = 2; n <= 600; n += 1) {
    announceNumbered(service, n, n, padding);
    await all.until(n);
  }
  slow.resume();
  await slow.gone;
  await using tooLate = await viaSocket(service, `?after=${first}`);
  expect(await tooLate.until(1)).toMatchObject([{ type: 'reset' }]);
  const { id = '' } = all.heard[399] ?? {};
  await using resumed = await viaSocket(service, `?after=${id}`);
  expect(numbersIn(await resumed.until(200))).toEqual(range(401, 600));
});

verifies(
  'hub:slow-reader-harms-nobody',
  'a resumed reader is given a large backlog as fast as it takes it',
  async () => {
    await using service = await start();
    await using first = await viaSocket(service);
    announceNumbered(service, 1, 1);
    const [{ id = '' } = {}] = await first.until(1);
    const padding = 'x'.repeat(64 * 1024);
    for (let n = 2; n <= 200; n += 1) {
      announceNumbered(service, n, n, padding);
      await passTurns(1);
    }
    await using slow = await rawEvents(service, `?after=${id}`);
    announceNumbered(service, 201, 201);
    expect(numbersIn(await slow.until(200))).toEqual(range(2, 201));
  },
);
