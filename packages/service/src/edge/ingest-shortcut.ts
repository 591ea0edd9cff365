import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRefusal, type Refusal } from '../kernel/outcome.ts';
import { type AccessPolicy, admit, askProvider, quotaSenderOf, senderOfRun } from './admission.ts';
import { type Log, safetyHeaders } from './http.ts';
import { type Ingest, ingestBodyLimit, ingestPath } from './ingest-route.ts';
import type { RecordRequest } from './metrics.ts';
import { faultProblem, problemMediaType, problemOf, refusalHeaders } from './problem.ts';

/** True when it took the request; false leaves it, untouched, to the routes. */
export type Shortcut = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * The plain batch of a publisher, past the framework, which costs as much as reading and folding fifty events. It handles only requests the
 * route would accept; everything unusual is left to the route.
 */
export function ingestShortcut(ingest: Ingest, policy: AccessPolicy, log: Log, record: RecordRequest): Shortcut {
  return (request, response) => {
    const since = performance.now();
    const length = plainLength(request);
    if (length === null || askProvider(request, policy, ingestPath) || admit(request, policy, ingestPath)) return false;
    if (policy.quota.enter(request, response, quotaSenderOf(request))) return false;
    readBody(request, length, (body) => {
      ingest(body, senderOfRun(request)).then(
        (answer) => (isRefusal(answer) ? sendRefusal(response, answer) : send(response, 202, json, answer)),
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

/** How long its body is, when it is a batch as publishers send it; null for anything else. */
function plainLength({ method, url, headers }: IncomingMessage): number | null {
  if (url !== ingestPath || method !== 'POST' || headers.origin !== undefined || headers.expect !== undefined)
    return null;
  if (headers['content-encoding'] !== undefined || headers['transfer-encoding'] !== undefined) return null;
  const type = headers['content-type'];
  if (type !== 'application/json' && type !== json) return null;
  const length = Number(headers['content-length']);
  return Number.isInteger(length) && length > 0 && length <= ingestBodyLimit ? length : null;
}

/** An incomplete body is never answered: its sender is gone. */
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

function sendRefusal(response: ServerResponse, refusal: Refusal): void {
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
