import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { systemClock } from '../packages/service/src/app/system-clock.ts';
import { start } from '../tests/start.ts';

// One side of the comparison in a separate process, controlled by its parent: `hub` is the whole service, the others
// only broadcast.
type Side = { port: number; broadcast(at: string, padding: string): void };

async function hub(): Promise<Side> {
  const service = await start({ clock: systemClock });
  const { announcements } = service.running;
  return {
    port: Number(new URL(service.url).port),
    broadcast: (at, padding) =>
      announcements.announce({ type: 'run_events', data: { runId: 'bench', events: [{ at, padding }] } }),
  };
}

const listening = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

async function bareEvents(): Promise<Side> {
  const clients = new Set<ServerResponse>();
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    clients.add(response);
  });
  return {
    port: await listening(server),
    broadcast(at, padding) {
      const text = Buffer.from(`data: ${JSON.stringify({ at, padding })}\n\n`);
      for (const client of clients) client.write(text);
    },
  };
}

async function bareSockets(): Promise<Side> {
  const server = createServer();
  const clients = new Set<WebSocket>();
  new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (client) => clients.add(client));
  return {
    port: await listening(server),
    broadcast(at, padding) {
      const text = Buffer.from(JSON.stringify({ at, padding }));
      for (const client of clients) client.send(text, { binary: false });
    },
  };
}

const sides = { hub, 'bare events': bareEvents, 'bare sockets': bareSockets };
const side = await sides[process.argv[2] as keyof typeof sides]();

export type Ask = { broadcast: number; padding: number } | 'memory';

process.on('message', (ask: Ask) => {
  if (ask === 'memory') {
    globalThis.gc?.();
    process.send?.({ rss: process.memoryUsage().rss });
    return;
  }
  const padding = 'x'.repeat(ask.padding);
  for (let sent = 0; sent < ask.broadcast; sent += 1) side.broadcast(String(process.hrtime.bigint()), padding);
});
process.on('disconnect', () => process.exit(0));
process.send?.({ port: side.port });
