import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { isRefusal, type Refusal, refuse } from '../../kernel/outcome.ts';
import { type AccessPolicy, admit, isStillAdmitted } from '../admission.ts';
import { problemMediaType, problemOf } from '../problem.ts';
import { queryIn } from '../query.ts';
import type { MessageFeed } from './message-feed.ts';
import { hubPath, stopping } from './server-sent-events.ts';
import { SocketConnection } from './socket-connection.ts';
import { readSubscription } from './subscription.ts';

export type Upgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => void;
/**
 * `cut` drops every line that is still open: the HTTP server no longer knows them. `cutRevoked` drops those of callers that
 * would not be let in again.
 */
export type Upgrades = { upgrade: Upgrade; cut(): void; cutRevoked(): void };

/** Nobody has anything long to say to a hub that only sends. Compression is off: it would cost each client its own copy. */
const options = {
  noServer: true,
  clientTracking: false,
  perMessageDeflate: false,
  autoPong: false,
  maxPayload: 16 * 1024,
  maxFragments: 16,
  maxBufferedChunks: 1024,
  closeTimeout: 2_000,
} as const;

/** All checks run before the upgrade, so a refusal is a plain HTTP answer. */
export function createUpgrades(feed: MessageFeed, policy: AccessPolicy): Upgrades {
  const server = new WebSocketServer(options);
  const lines = new Map<Socket, IncomingMessage>();
  const upgrade: Upgrade = (request, socket, head) => {
    lines.set(socket, request);
    socket.on('error', () => socket.destroy()).once('close', () => lines.delete(socket));
    const { url = '', headers } = request;
    const refusal = admit(request, policy, hubPath) ?? checkPath(request) ?? (feed.ended ? stopping : undefined);
    const asked = refusal ?? policy.quota.enter(request, socket) ?? readSubscription(url);
    if (isRefusal(asked)) return refuseUpgrade(socket, asked);
    if (headers.upgrade?.toLowerCase() !== 'websocket') return refuseUpgrade(socket, unknownProtocol);
    const negotiated = queryIn(url).has('id');
    server.handleUpgrade(request, socket, head, (ws) => new SocketConnection(ws, socket, asked, feed).open(negotiated));
  };
  return {
    upgrade,
    cut() {
      for (const socket of lines.keys()) socket.destroy();
    },
    cutRevoked() {
      for (const [socket, request] of lines) if (!isStillAdmitted(request, policy, hubPath)) socket.destroy();
    },
  };
}

const unknownProtocol = refuse('invalid_request', 'The only upgrade here is to websocket.');

function checkPath({ url = '' }: IncomingMessage): Refusal | undefined {
  const path = url.split('?', 1)[0]?.replace(/\/$/, '');
  return path === hubPath ? undefined : refuse('not_found', `There is no WebSocket here. The hub is at ${hubPath}.`);
}

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
      ...(problem.status === 429 ? [`Retry-After: ${refusal.extra.retryAfterSeconds}`] : []),
      '',
      body,
    ].join('\r\n'),
  );
  // Lets the caller read it before the line goes, but not for long.
  socket.resume();
  socket.once('end', () => socket.destroy()).setTimeout(2_000, () => socket.destroy());
}
