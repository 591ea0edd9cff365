import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { isRefusal, type Refusal, refuseShape } from '../kernel/outcome.ts';
import type { RunSender } from '../kernel/run-summary.ts';
import { type AccessPolicy, admit, askProvider, quotaSenderOf, senderOfRun } from './admission.ts';
import { type Log, safetyHeaders } from './http.ts';
import type { RecordRequest } from './metrics.ts';
import { type ExtraRoute, jsonAnswer, jsonBody } from './openapi.ts';
import { faultProblem, problemMediaType, problemOf, refusalHeaders } from './problem.ts';
import { sendRefusal, unsupported } from './rest.ts';

const ingestBodyLimit = 8 * 1024 * 1024;
const ingestPath = '/api/ingest';
type Ingest = (body: Uint8Array, sender: RunSender) => Promise<object | Refusal>;

/** Receives a batch as bytes: its events are archived as they were sent, so the framework must not parse them. */
export function addIngest(app: FastifyInstance, ingest: Ingest, answer: z.ZodType): ExtraRoute {
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
  return ingestRoute(answer);
}

const batch = z.object({ events: z.array(z.looseObject({ type: z.string(), runId: z.string() })) });

export const ingestRoute = (answer: z.ZodType): ExtraRoute => ({
  method: 'POST',
  path: ingestPath,
  scope: 'publish',
  operation: {
    operationId: 'ingest',
    summary:
      'Accepts a batch of monitor events and answers once they are archived, flushed and folded. The only ingest route.',
    requestBody: jsonBody(batch),
    responses: { 202: jsonAnswer('Accepted; `rejected` lists the events that were not', answer) },
  },
});

/** Returns true if it handles the request; otherwise it leaves the request untouched. */
export type Shortcut = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * Handles the usual batch of a publisher without the framework, which costs as much as reading and folding fifty events. It accepts only
 * requests that the route would accept, and leaves everything unusual to the route.
 */
export function ingestShortcut(ingest: Ingest, policy: AccessPolicy, log: Log, record: RecordRequest): Shortcut {
  return (request, response) => {
    const since = performance.now();
    const length = plainLength(request);
    if (length === null || askProvider(request, policy, ingestPath) || admit(request, policy, ingestPath)) return false;
    if (policy.quota.enter(request, response, quotaSenderOf(request))) return false;
    readBody(request, length, (body) => {
      ingest(body, senderOfRun(request)).then(
        (answer) => (isRefusal(answer) ? sendProblem(response, answer) : send(response, 202, json, answer)),
        (err) => {
          log.error({ err, method: 'POST', path: ingestPath }, 'a request failed with an unexpected error');
          send(response, faultProblem.status, problemMediaType, faultProblem);
        },
      );
    });
    response.on('finish', () => record(`POST ${ingestPath}`, response.statusCode, performance.now() - since));
    return true;
  };
}

const json = 'application/json; charset=utf-8';

/** The length of the body of a usual batch; null for any other request. */
function plainLength({ method, url, headers }: IncomingMessage): number | null {
  if (url !== ingestPath || method !== 'POST' || headers.origin !== undefined || headers.expect !== undefined)
    return null;
  if (headers['content-encoding'] !== undefined || headers['transfer-encoding'] !== undefined) return null;
  const type = headers['content-type'];
  if (type !== 'application/json' && type !== json) return null;
  const length = Number(headers['content-length']);
  return Number.isInteger(length) && length > 0 && length <= ingestBodyLimit ? length : null;
}

/** An incomplete body is not answered: its sender has disconnected. */
function readBody(request: IncomingMessage, length: number, done: (body: Buffer) => void): void {
  let body: Buffer | undefined;
  let filled = 0;
  request.on('data', (chunk: Buffer) => {
    if (chunk.length === length) body = chunk;
    else {
      body ??= Buffer.allocUnsafeSlow(length);
      chunk.copy(body, filled);
    }
    filled += chunk.length;
  });
  request.on('end', () => {
    if (body && filled === length) done(body);
  });
}

function sendProblem(response: ServerResponse, refusal: Refusal): void {
  const problem = problemOf(refusal);
  send(response, problem.status, problemMediaType, problem, refusalHeaders(refusal));
}

function send(
  response: ServerResponse,
  status: number,
  mediaType: string,
  body: object,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...safetyHeaders,
    ...headers,
    'content-type': mediaType,
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}
