import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { refuse } from '../../kernel/outcome.ts';
import type { ExtraRoute } from '../openapi.ts';
import { queryIn } from '../query.ts';
import { sendRefusal } from '../rest.ts';
import { hubPath } from './server-sent-events.ts';
import { negotiation } from './signalr.ts';

const path = `${hubPath}/negotiate`;

/** SignalR clients post an empty text here to learn how to connect. */
export function addNegotiate(app: FastifyInstance): ExtraRoute {
  app.register(async (inner) => {
    inner.removeAllContentTypeParsers();
    inner.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 1024 }, (_, body, done) => done(null, body));
    inner.post(path, (request, reply) => {
      const { body, url } = request;
      if (Buffer.isBuffer(body) && body.length > 0)
        return sendRefusal(reply, refuse('unsupported_media_type', 'This call takes no body.'));
      const asked = queryIn(url).get('negotiateVersion');
      return reply.send(negotiation(asked, randomUUID(), randomUUID()));
    });
  });
  return negotiateRoute;
}

export const negotiateRoute: ExtraRoute = {
  method: 'POST',
  path,
  scope: 'read',
  operation: {
    operationId: 'negotiate_messages',
    summary: 'How a SignalR client connects. Takes no body.',
    responses: { '200': { description: 'The transports', content: { 'application/json': { schema: {} } } } },
  },
};
