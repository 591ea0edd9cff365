import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A connection between a browser and the service that can be cut and restored, as on a network. */
export async function createCuttableConnection() {
  const open = new Set<Socket>();
  const streams = new Set<Socket>();
  let port = 0;
  let isCut = false;
  let refused = 0;
  const server = createServer((socket) => {
    if (isCut) {
      refused += 1;
      return void socket.destroy();
    }
    const far = connect(port, 'localhost');
    for (const end of [socket, far]) {
      open.add(end);
      end.on('error', () => end.destroy()).on('close', () => open.delete(end));
    }
    socket.pipe(far).pipe(socket);
    socket.on('data', (bytes) => bytes.includes('text/event-stream') && streams.add(far));
    socket.on('close', () => far.destroy());
    far.on('close', () => socket.destroy());
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const cut = () => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    to(url: string) {
      port = Number(new URL(url).port);
    },
    cut,
    /** The streams that are open stay open and carry nothing more, as after a computer has slept. */
    silenceStreams() {
      for (const far of streams) far.unpipe().pause();
    },
    /** How many connections were refused since the start. */
    refused: () => refused,
    mend() {
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
