import type { FastifyInstance } from 'fastify';
import type { AnyCommand } from '../../kernel/command.ts';
import type { DispatchContext } from '../../kernel/dispatch.ts';
import { refuse } from '../../kernel/outcome.ts';
import { socketPath } from '../../kernel/service-paths.ts';
import { type AccessPolicy, credentialsOf, isStillAdmitted } from '../admission.ts';
import type { Log } from '../http.ts';
import type { MessageFeed } from '../hub/message-feed.ts';
import { stopping } from '../hub/server-sent-events.ts';
import type { ExtraRoute } from '../openapi.ts';
import { sendRefusal } from '../rest.ts';
import type { SocketRoute } from '../upgrades.ts';
import { type AnswerRequest, answersOf, type SocketCounts } from './answer-request.ts';
import { CallConnection } from './call-connection.ts';

const maxFrameBytes = 1024 * 1024;

/** The context for answering calls on sockets. */
export type SocketCalls = { answer: AnswerRequest; counts: SocketCounts; log: Log };

export const socketCalls = <Ctx extends DispatchContext>(
  commands: readonly AnyCommand<Ctx>[],
  ctx: Ctx,
  log: Log,
): SocketCalls => {
  const counts = { calls: new Map(), refusals: new Map() };
  return { answer: answersOf(commands, ctx, counts), counts, log };
};

/** The commands on WebSockets: many concurrent calls on one connection, with the messages of the hub between their answers. */
export function createSocketRoute({ answer, log }: SocketCalls, feed: MessageFeed, policy: AccessPolicy) {
  const connections = new Set<CallConnection>();
  const route: SocketRoute = {
    path: socketPath,
    maxPayload: maxFrameBytes,
    isStillAdmitted: (request) => isStillAdmitted(request, policy, socketPath, 'token'),
    prepare(request) {
      if (feed.ended) return stopping;
      const credentials = credentialsOf(request, socketPath);
      return (ws, socket) => {
        const connection = new CallConnection(ws, socket, {
          answer,
          feed,
          quota: policy.quota,
          address: request.socket.remoteAddress ?? '',
          identify: () => policy.authenticator.recognise(credentials),
          reportFault: (err, command) =>
            log.error({ err, command }, 'a call on a socket failed with an unexpected error'),
        });
        connections.add(connection);
        socket.once('close', () => connections.delete(connection));
      };
    },
  };
  return {
    route,
    open: () => connections.size,
    beat() {
      for (const connection of connections) connection.beat();
    },
    /** Settles once the calls in progress are answered. */
    end: async () => void (await Promise.all([...connections].map((connection) => connection.end()))),
  };
}

/** A plain request gets an explanation. */
export function addSocket(app: FastifyInstance): ExtraRoute {
  app.get(socketPath, { exposeHeadRoute: false }, (_, reply) =>
    sendRefusal(reply, refuse('invalid_request', 'This is a WebSocket. Open it as one, or call REST.')),
  );
  return socketRoute;
}

export const socketRoute: ExtraRoute = {
  method: 'GET',
  path: socketPath,
  scope: 'token',
  operation: {
    operationId: 'socket',
    summary:
      'A WebSocket for calling every command by name with JSON-RPC 2.0, many at a time; subscribe also delivers the messages of the hub.',
    responses: { '101': { description: 'The socket is open' } },
  },
};
