import type { FastifyInstance } from 'fastify';
import { isRefusal, type Refusal, refuseShape } from '../kernel/outcome.ts';
import type { RunSender } from '../kernel/run-summary.ts';
import { senderOfRun } from './admission.ts';
import type { ExtraRoute } from './openapi.ts';
import { sendRefusal, unsupported } from './rest.ts';

export const ingestBodyLimit = 8 * 1024 * 1024;
export const ingestPath = '/api/ingest';
export type Ingest = (body: Uint8Array, sender: RunSender) => Promise<object | Refusal>;

/** Takes a batch as the bytes it came in: its events are archived as they are, so no parser may touch them before. */
export function addIngest(app: FastifyInstance, ingest: Ingest): ExtraRoute {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
    scope.route({
      method: 'POST',
      url: ingestPath,
      bodyLimit: ingestBodyLimit,
      handler: async (request, reply) => {
        if (request.headers['content-encoding'] !== undefined)
          return sendRefusal(reply, unsupported(['application/json']));
        const { body } = request;
        if (!(body instanceof Uint8Array)) {
          return sendRefusal(
            reply,
            refuseShape([{ path: '', message: 'the body is not JSON; send { "events": [...] }' }]),
          );
        }
        const answer = await ingest(body, senderOfRun(request.raw));
        return isRefusal(answer) ? sendRefusal(reply, answer) : reply.code(202).send(answer);
      },
    });
  });
  return ingestRoute;
}

const operation = {
  operationId: 'ingest',
  summary:
    'Accepts a batch of monitor events and answers once they are archived, flushed and folded. The only ingest route.',
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            events: {
              type: 'array',
              items: {
                type: 'object',
                properties: { type: { type: 'string' }, runId: { type: 'string' } },
                required: ['type', 'runId'],
              },
            },
          },
        },
      },
    },
  },
  responses: {
    202: {
      description: 'Accepted; `rejected` lists the events that were not',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            properties: {
              accepted: { type: 'integer' },
              ignored: { type: 'integer' },
              rejected: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: { index: { type: 'integer' }, message: { type: 'string' } },
                },
              },
            },
          },
        },
      },
    },
  },
};

export const ingestRoute: ExtraRoute = { method: 'POST', path: ingestPath, scope: 'publish', operation };
