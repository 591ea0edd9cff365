import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { isRefusal, type Refusal, refuse } from '../kernel/outcome.ts';
import { type AccessPolicy, admit, askProvider, quotaSenderOf } from './admission.ts';
import { problemMediaType, problemOf, refusalHeaders } from './problem.ts';

export type Upgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => void;

/** Handles a connection once it is a WebSocket. */
export type OpenSocket = (ws: WebSocket, socket: Socket) => void;

/** A path at which a WebSocket can be opened. */
export type SocketRoute = {
  path: string;
  /** The longest message that is accepted. */
  maxPayload: number;
  /** Checks the query of the address. A refusal is a plain HTTP answer, sent before the upgrade. */
  prepare(request: IncomingMessage): OpenSocket | Refusal;
  /** Whether the opener of an open connection would still be admitted. */
  isStillAdmitted(request: IncomingMessage): boolean;
};

/**
 * `cut` drops every connection that is still open, because the HTTP server no longer tracks them. `cutRevoked` drops
 * those whose callers would not be admitted again.
 */
export type Upgrades = { upgrade: Upgrade; cut(): void; cutRevoked(): void };

/** Compression is off, because it would need a separate copy for each client. */
const options = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  autoPong: false,
  maxFragments: 16,
  maxBufferedChunks: 1024,
  closeTimeout: 2_000,
} as const;

/** All checks run before the upgrade, so a refusal is a plain HTTP answer. */
export function createUpgrades(routes: readonly [SocketRoute, ...SocketRoute[]], policy: AccessPolicy): Upgrades {
  const servers = new Map(
    routes.map((route) => [route, new WebSocketServer({ ...options, maxPayload: route.maxPayload })]),
  );
  const lines = new Map<Socket, { request: IncomingMessage; route: SocketRoute }>();
  const upgrade: Upgrade = (request, socket, head) => {
    const found = routes.find(({ path }) => path === pathOf(request));
    const route = found ?? routes[0];
    lines.set(socket, { request, route });
    socket.on('error', () => socket.destroy()).once('close', () => lines.delete(socket));
    const asking = askProvider(request, policy, route.path);
    if (asking) void asking.then(() => open(request, socket, head, found));
    else open(request, socket, head, found);
  };
  const open = (request: IncomingMessage, socket: Socket, head: Buffer, found: SocketRoute | undefined) => {
    const route = found ?? routes[0];
    const refusal = admit(request, policy, route.path) ?? (found ? undefined : nowhere(routes));
    const opener =
      refusal ?? policy.quota.enter(request, socket, quotaSenderOf(request), 'lines') ?? route.prepare(request);
    if (isRefusal(opener)) return refuseUpgrade(socket, opener);
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') return refuseUpgrade(socket, unknownProtocol);
    servers.get(route)?.handleUpgrade(request, socket, head, (ws) => opener(ws, socket));
  };
  return {
    upgrade,
    cut() {
      for (const socket of lines.keys()) socket.destroy();
    },
    cutRevoked() {
      for (const [socket, { request, route }] of lines) if (!route.isStillAdmitted(request)) socket.destroy();
    },
  };
}

const unknownProtocol = refuse('invalid_request', 'Only upgrades to websocket are supported.');

const pathOf = ({ url = '' }: IncomingMessage): string | undefined => url.split('?', 1)[0]?.replace(/\/$/, '');

const nowhere = (routes: readonly SocketRoute[]): Refusal =>
  refuse('not_found', `No WebSocket at this address. Open one at ${routes.map(({ path }) => path).join(' or ')}.`);

function refuseUpgrade(socket: Socket, refusal: Refusal): void {
  const problem = problemOf(refusal);
  const body = JSON.stringify(problem);
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${problem.title.replace(/[^ -~]/g, '')}`,
      `Content-Type: ${problemMediaType}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      'X-Content-Type-Options: nosniff',
      ...Object.entries(refusalHeaders(refusal)).map(([name, value]) => `${name}: ${value}`),
      '',
      body,
    ].join('\r\n'),
  );
  // Gives the caller a moment to read the answer before the connection is closed.
  socket.resume();
  socket.once('end', () => socket.destroy()).setTimeout(2_000, () => socket.destroy());
}
