import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { isObject } from '../../kernel/is-object.ts';
import { refuse } from '../../kernel/outcome.ts';
import type { ExtraRoute } from '../openapi.ts';
import { sendRefusal } from '../rest.ts';
import { queryIn } from '../rest-input.ts';
import { recordEnd } from './message.ts';
import { hubPath } from './server-sent-events.ts';

/** The part of the SignalR JSON hub protocol that a sending server needs. */

type SignalrRecord = Readonly<Record<string, unknown>>;

const kinds = { invocation: 1, completion: 3, streamInvocation: 4, ping: 6, close: 7 };

/** Any id works: it only names the connection to its client. */
export function negotiation(asked: string | null, id: string, token: string): object {
  const version = asked === '1' ? 1 : 0;
  return {
    negotiateVersion: version,
    connectionId: id,
    ...(version === 1 && { connectionToken: token }),
    availableTransports: [{ transport: 'WebSockets', transferFormats: ['Text'] }],
  };
}

/** The records of one frame; undefined for an invalid frame. */
export function recordsIn(text: string): SignalrRecord[] | undefined {
  if (!text.endsWith(recordEnd)) return undefined;
  try {
    const records: unknown[] = text
      .slice(0, -1)
      .split(recordEnd)
      .map((record) => JSON.parse(record));
    return records.every(isObject) ? records : undefined;
  } catch {
    return undefined;
  }
}

export const isHandshake = ({ protocol, version }: SignalrRecord): boolean =>
  typeof protocol === 'string' && typeof version === 'number';

/** `{}` accepts the handshake. */
export function answerHandshake(record: SignalrRecord): { error?: string } {
  if (!isHandshake(record)) return { error: 'The first record must be the handshake.' };
  if (record.protocol !== 'json') return { error: 'This hub supports only the json protocol.' };
  return record.version === 1 ? {} : { error: 'This hub supports only version 1 of the json protocol.' };
}

/** The answer to a record after the handshake: an error for a method call, `close` for a close record, otherwise nothing. */
export function answerRecord({ type, invocationId }: SignalrRecord): object | 'close' | undefined {
  if (type === kinds.close) return 'close';
  if (type !== kinds.invocation && type !== kinds.streamInvocation) return undefined;
  if (typeof invocationId !== 'string') return undefined;
  return { type: kinds.completion, invocationId, error: 'This hub only sends. Use the REST API to make changes.' };
}

export const closeRecord = (error?: string): object => ({
  type: kinds.close,
  ...(error ? { error } : { allowReconnect: true }),
});

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
