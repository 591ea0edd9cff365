import { createServer, type Server as HttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer, type Server as HttpsServer } from 'node:https';
import { type AddressInfo, Socket } from 'node:net';
import { errorCode } from '../kernel/error-code.ts';
import { refuse } from '../kernel/outcome.ts';
import { problemMediaType, problemOf } from './problem.ts';
import type { readTls } from './tls-files.ts';
import type { Upgrade } from './upgrades.ts';

export type Server = HttpServer | HttpsServer;

/** Why the process cannot listen, for the person who started it. */
export class CannotListen extends Error {}

export type Listening = {
  port: number;
  addresses: readonly string[];
  skipped: readonly string[];
  servers: readonly Server[];
};

export type ListenOptions = {
  hosts: readonly string[];
  port: number;
  /** The purpose of the port and the variable that sets it; both are in the error if it is in use. */
  what: string;
  variable: string;
  hostVariable: string;
  /** Uses TLS with this certificate. */
  tls?: ReturnType<typeof readTls> | undefined;
};

const limits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
};

/**
 * An idle connection is closed after this time, because a client that never reads would keep its answer in memory. No
 * call waits longer.
 */
const idleTimeoutMs = 180_000;

/** One listener for each address; with port 0 one free port serves them all. */
export async function listen(answer: RequestListener, options: ListenOptions, upgrade?: Upgrade): Promise<Listening> {
  for (let tries = 0; ; tries += 1) {
    const servers: Server[] = [];
    const skipped: string[] = [];
    let { port } = options;
    try {
      for (const host of options.hosts) {
        const server = createHttpServer(answer, options.tls, upgrade);
        const bound = await bind(server, host, port, options.hosts.length > 1);
        if (bound === undefined) skipped.push(host);
        else {
          servers.push(server);
          port = bound;
        }
      }
    } catch (error) {
      for (const server of servers) server.close();
      if (isTaken(error) && options.port === 0 && tries < 20) continue;
      throw explain(error, options, port);
    }
    if (servers.length === 0)
      throw new CannotListen(`No address of ${options.hosts.join(', ')} exists on this machine.`);
    const addresses = servers.map((server) => addressOf(server).address);
    return { port, addresses, skipped, servers };
  }
}

/** Other upgrades, such as to HTTP/2, are offers; an HTTP/1.1 answer declines them. */
const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

function createHttpServer(answer: RequestListener, tls: ListenOptions['tls'], upgrade?: Upgrade): Server {
  const options = { ...limits, ...(upgrade && { shouldUpgradeCallback: isWebSocket }) };
  const server = tls ? createTlsServer({ ...options, ...tls }, answer) : createServer(options, answer);
  server.setTimeout(idleTimeoutMs);
  if (upgrade)
    server.on('upgrade', (request, socket, head) => socket instanceof Socket && upgrade(request, socket, head));
  server.on('clientError', (error, socket) => socket instanceof Socket && answerBroken(error, socket));
  return server;
}

/** The port it got, or undefined for an address family that this machine lacks. */
function bind(server: Server, host: string, port: number, mayLack: boolean): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const lacking = error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT';
      if (lacking && mayLack) resolve(undefined);
      else reject(error);
    });
    server.listen({ host, port, exclusive: true }, () => resolve(addressOf(server).port));
  });
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen on a port');
  return address;
}

const isTaken = (error: unknown): boolean => errorCode(error) === 'EADDRINUSE';

function explain(error: unknown, options: ListenOptions, port: number): Error {
  const code = errorCode(error);
  const hosts = options.hosts.join(', ');
  if (isTaken(error)) {
    return new CannotListen(
      `Port ${port} (${options.what}) is in use. Stop the program that uses it, or choose another port with ${options.variable}.`,
    );
  }
  if (code === 'EACCES') {
    return new CannotListen(
      `Port ${port} (${options.what}) needs privileges this user does not have. Choose a port above 1023 with ${options.variable}.`,
    );
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EAFNOSUPPORT') {
    return new CannotListen(
      `${options.hostVariable}=${hosts} is not an address of this machine. Correct ${options.hostVariable}, or unset it to listen on loopback.`,
    );
  }
  return error instanceof Error ? error : new Error(String(error));
}

/** Malformed HTTP still gets an answer, then the connection is closed. */
function answerBroken(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [line, detail] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'The headers are too large.']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'The request took too long to arrive.']
        : ['400 Bad Request', 'Malformed HTTP request.'];
  const body = JSON.stringify({ ...problemOf(refuse('invalid_request', detail)), status: Number(line.slice(0, 3)) });
  const head = `HTTP/1.1 ${line}\r\nContent-Type: ${problemMediaType}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
  socket.end(head + body);
}

/** Stops accepting requests, lets those in progress finish, and closes the rest after `graceMs`. */
export async function stopListening(servers: readonly Server[], graceMs: number): Promise<void> {
  const cut = setTimeout(() => {
    for (const server of servers) server.closeAllConnections();
  }, graceMs);
  await Promise.all(
    servers.map(
      (server) =>
        new Promise<void>((resolve) => {
          server.close(() => resolve());
          server.closeIdleConnections();
        }),
    ),
  );
  clearTimeout(cut);
}
