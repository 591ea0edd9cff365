import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { announceNumbered, passTurns } from '../../hub/announcing.ts';
import { start } from '../../start.ts';

// Exit code 1 if readers that never read make the service keep their unread data.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
await using service = await start();
const readers = await Promise.all(
  Array.from(
    { length: 10 },
    () =>
      new Promise<ReturnType<typeof connect>>((resolve) => {
        const socket = connect(Number(new URL(service.url).port), '127.0.0.1', () =>
          socket.write('GET /api/messages HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n'),
        );
        socket.on('error', () => undefined).once('data', () => resolve(socket.pause()));
      }),
  ),
);
const held = () => {
  collect();
  const { arrayBuffers, heapUsed } = process.memoryUsage();
  return (arrayBuffers + heapUsed) / 2 ** 20;
};
const before = held();
const padding = 'x'.repeat(8_000);
for (let sent = 0; sent < 12_500; sent += 100) {
  announceNumbered(service, sent + 1, sent + 100, padding);
  await passTurns();
}
const more = held() - before;
process.stdout.write(`${more.toFixed(1)} MB more after 100 MB for ${readers.length} readers that never read\n`);
for (const socket of readers) socket.destroy();
// The ring itself keeps 16 MB for clients that reconnect.
process.exitCode = more < 50 ? 0 : 1;
