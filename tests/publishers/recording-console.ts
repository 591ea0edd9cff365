import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MonitorEvent } from '../../packages/publisher/src/events.ts';

/** The behaviour of the program on the port; `gateway` answers for a console that restarts, `other port` is our own service. */
export type Behaviour =
  | 'console'
  | 'foreign'
  | 'hangs'
  | 'fails'
  | 'resets-once'
  | 'hangs up'
  | 'dies'
  | 'refuses'
  | 'gateway'
  | 'other port'
  | 'newer';

export type RecordingConsole = AsyncDisposable & {
  url: string;
  /** May change while it listens. */
  behaviour: Behaviour;
  events: MonitorEvent[];
  pings: number;
  posts: number;
  authorization: string | undefined;
  /** A longer batch gets 413. */
  mostEvents: number;
  /** Why events of these types are rejected. */
  rejects: { types: readonly string[]; message: string };
  of<Type extends MonitorEvent['type']>(type: Type): Extract<MonitorEvent, { type: Type }>[];
};

/** A real web server that records what it receives, or misbehaves as instructed. */
export async function openConsole(first: Behaviour = 'console'): Promise<RecordingConsole> {
  let reset = false;
  const console: RecordingConsole = {
    url: '',
    behaviour: first,
    events: [],
    pings: 0,
    posts: 0,
    authorization: undefined,
    mostEvents: Number.POSITIVE_INFINITY,
    rejects: { types: [], message: '' },
    of: (type) => console.events.filter((event) => event.type === type) as never,
    [Symbol.asyncDispose]: () => close(server),
  };
  const server = createServer((request, response) => {
    const { behaviour } = console;
    if (request.url === '/api/ping') {
      console.pings++;
      if (behaviour === 'foreign') return response.end('<html>hello</html>');
      const more = behaviour === 'newer' ? ',"inventedLater":{"deep":[1]}' : '';
      return response
        .setHeader('content-type', 'application/json')
        .end(`{"tool":"signalbox","version":"0.1.0"${more}}`);
    }
    if (request.method === 'GET') return response.writeHead(404).end();
    console.posts++;
    console.authorization = request.headers.authorization;
    if (behaviour === 'hangs') return;
    if (behaviour === 'hangs up') return void request.socket.destroy();
    if (behaviour === 'dies') return void close(server);
    if (behaviour === 'resets-once' && !reset && console.posts > 1) {
      reset = true;
      return request.socket.resetAndDestroy();
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      if (behaviour === 'fails' || behaviour === 'refuses') {
        return response.writeHead(behaviour === 'fails' ? 500 : 401).end();
      }
      if (behaviour === 'gateway') return response.writeHead(404).end('404 page not found');
      if (behaviour === 'other port')
        return response.writeHead(404).end('{"status":404,"code":"not_found","detail":"Nothing at this address."}');
      const { events }: { events: MonitorEvent[] } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      if (events.length > console.mostEvents) return response.writeHead(413).end();
      console.events.push(...events);
      const { types, message } = console.rejects;
      const rejected = events.flatMap(({ type }, index) => (types.includes(type) ? [{ index, message }] : []));
      const more = behaviour === 'newer' ? { inventedLater: { deep: [1] } } : {};
      response
        .writeHead(202, { 'content-type': 'application/json' })
        .end(JSON.stringify({ accepted: 1, ignored: 0, rejected, ...more }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  console.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return console;
}

/**
 * Runs something that publishes to its own console, to the end of its run; repeated if the machine was too busy for the
 * half second that a publisher waits for an answer.
 */
export async function publishedBy(run: (url: string) => Promise<unknown>, times = 3): Promise<RecordingConsole['of']> {
  await using console = await openConsole();
  await run(console.url);
  return console.of('run_finished').length > 0 || times === 1 ? console.of : publishedBy(run, times - 1);
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
