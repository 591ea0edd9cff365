import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { isRefusal, refuse } from '../../kernel/outcome.ts';
import type { ExtraRoute } from '../openapi.ts';
import { sendRefusal } from '../rest.ts';
import { bookmark } from './message.ts';
import type { MessageFeed } from './message-feed.ts';
import { readSubscription, type Subscription } from './subscription.ts';

export const hubPath = '/api/messages';

/** How soon an EventSource reconnects. */
const retryMs = 1_000;

/** Server-sent events. `open` holds the requests whose streams are open. */
export function addServerSentEvents(app: FastifyInstance, feed: MessageFeed, open: Set<IncomingMessage>): ExtraRoute {
  app.get(hubPath, { exposeHeadRoute: false }, (request, reply) => {
    if (!acceptsEventStream(request.headers.accept)) {
      return sendRefusal(
        reply,
        refuse('invalid_request', 'This is a stream. Send Accept: text/event-stream, or open a WebSocket.'),
      );
    }
    const asked = readSubscription(request.url, one(request.headers['last-event-id']));
    if (isRefusal(asked)) return sendRefusal(reply, asked);
    if (feed.ended) return sendRefusal(reply, stopping);
    reply.hijack();
    open.add(request.raw);
    reply.raw.once('close', () => open.delete(request.raw));
    stream(reply.raw, reply.getHeaders(), asked, feed);
  });
  return messagesRoute;
}

export const stopping = refuse('host_unavailable', 'The service is stopping. Connect again in a moment.');

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value);

/** Only clients that ask for a stream get one: others would wait for an end that never comes. */
const acceptsEventStream = (accept = ''): boolean => /(^|[\s,])text\/event-stream\b/i.test(accept);

/** Frames go straight to the socket, so the body has no chunks and ends with the connection. */
function stream(response: ServerResponse, headers: object, { filter, after }: Subscription, feed: MessageFeed): void {
  const { socket } = response;
  // While an earlier response uses the connection there is no socket yet, and that response would close it.
  if (!socket) return void response.destroy();
  response.removeHeader('transfer-encoding');
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    connection: 'close',
  });
  response.flushHeaders();
  socket.write(`retry: ${retryMs}\n\n`);
  if (after === undefined) socket.write(bookmark(feed.newestId));
  const beat = (head: number) => void socket.write(bookmark(head));
  feed.join({ protocol: 'events', filter, socket, beat, end: () => void response.end() }, after);
}

const text = { type: 'string' };
const query = (name: string, description: string) => ({
  name,
  in: 'query',
  required: false,
  description,
  schema: text,
});

export const messagesRoute: ExtraRoute = {
  method: 'GET',
  path: hubPath,
  scope: 'read',
  operation: {
    operationId: 'messages',
    summary:
      'Every change, as CloudEvents in server-sent events; a WebSocket or the SignalR JSON protocol at the same address gets the same messages.',
    parameters: [
      query('types', 'Only these types, comma separated'),
      query('plan', 'Only messages about this plan'),
      query('runId', 'Only messages about this run'),
      query('after', 'Resume after this id; `reset` comes first when that is no longer possible'),
      { name: 'Last-Event-ID', in: 'header', required: false, description: 'As `after`', schema: text },
    ],
    responses: { '200': { description: 'The stream', content: { 'text/event-stream': { schema: text } } } },
  },
};
