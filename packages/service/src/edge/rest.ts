import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { answerText } from '../kernel/answer-text.ts';
import { type AnyCommand, statusOf, unknownCaller } from '../kernel/command.ts';
import { checkLicence, type DispatchContext, dispatch, type Freshness } from '../kernel/dispatch.ts';
import { type Document, isDocument } from '../kernel/document.ts';
import { ListPage } from '../kernel/list.ts';
import { isRefusal, type Refusal, refuse, refuseShape } from '../kernel/outcome.ts';
import { traceParentText } from '../telemetry/trace-parent.ts';
import { originOf } from './admission.ts';
import { problemMediaType, problemOf, refusalHeaders } from './problem.ts';
import { restInput } from './rest-input.ts';

export const commandBodyLimit = 1024 * 1024;

/** The parts of a request that Fastify parsed. */
type RestParts = { Params: Record<string, string>; Querystring: Record<string, unknown>; Body: unknown };
type RestRequest = FastifyRequest<RestParts>;

/** Registers one route for each command with a `rest` entry. */
export function registerRoutes<Ctx extends DispatchContext>(
  app: FastifyInstance,
  commands: readonly AnyCommand<Ctx>[],
  ctx: Ctx,
): void {
  for (const command of commands) {
    const { rest } = command;
    if (!rest) continue;
    app.route<RestParts>({
      method: rest.method,
      url: rest.path.replace(/\{(\w+)\}/g, ':$1'),
      bodyLimit: rest.maxBytes ?? commandBodyLimit,
      config: { mostJsonValues: rest.maxValues, takesJsonOfAnyType: rest.anyTextIsJson },
      onRequest: async (request, reply) => {
        if (rest.method === 'DELETE' && lacksName(rest.path, request.url)) return sendRefusal(reply, nameMissing);
        const unlicensed = checkLicence(command, ctx, 'rest');
        if (unlicensed) return sendRefusal(reply, unlicensed);
      },
      handler: (request, reply) => answer(command, ctx, request, reply),
    });
  }
}

/** A script with an empty variable requests `/api/runs/`: it means one run, and must not act on all. */
const lacksName = (path: string, url: string): boolean =>
  !path.endsWith('}') && (url.split('?', 1)[0] ?? '').endsWith('/');
const nameMissing = refuse(
  'not_found',
  'The path ends where a name is expected, so nothing was deleted. Add the name, or drop the trailing slash to delete all.',
);

const json = 'application/json; charset=utf-8';

async function answer<Ctx extends DispatchContext>(
  command: AnyCommand<Ctx>,
  ctx: Ctx,
  request: RestRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const input = inputOf(command, request);
  if (isRefusal(input)) return sendRefusal(reply, input);
  const key = keyOf(request);
  if (isRefusal(key)) return sendRefusal(reply, key);

  const traceparent = traceParentText(request.headers.traceparent);
  const caller = traceparent === undefined ? undefined : { ...unknownCaller, traceparent };
  const out = await dispatch(command, ctx, input, { transport: 'rest', key, caller, by: originOf(request.raw) });
  if (isRefusal(out)) return sendRefusal(reply, out);
  if (command.effect === 'read') sayFreshness(reply, ctx.freshness?.());
  if (isDocument(out)) return sendDocument(reply, out);

  const status = command.rest ? statusOf(command.rest, out) : 200;
  reply.code(status);
  for (const [name, read] of Object.entries(command.rest?.headers ?? {})) {
    const value = read(out);
    if (value !== null) reply.header(name, value);
  }
  if (!(out instanceof ListPage)) return status === 204 ? reply.send() : reply.type(json).send(answerText(out));
  reply.header('total-count', String(out.total));
  if (out.next !== null) reply.header('link', `<${nextPage(request.url, out.next)}>; rel="next"`);
  return reply.send(out.items);
}

function sayFreshness(reply: FastifyReply, fresh: Freshness | undefined): void {
  if (!fresh) return;
  reply.header('signalbox-as-of', fresh.asOf).header('signalbox-host', encodeURIComponent(fresh.host));
  if (fresh.staleSince === null) return;
  reply.header('age', String(fresh.ageSeconds)).header('signalbox-stale-since', fresh.staleSince);
}

/** The address of the next page: the same query with another cursor. */
function nextPage(url: string, cursor: string): string {
  const [path = '', query = ''] = url.split('?', 2);
  const members = new URLSearchParams(query);
  members.delete('offset');
  members.set('cursor', cursor);
  return `${path}?${members}`;
}

function inputOf<Ctx>(command: AnyCommand<Ctx>, request: RestRequest): object | Refusal {
  const { params, query, body } = request;
  const matched = withIfMatch(command, request.headers['if-match'], query);
  if (isRefusal(matched)) return matched;
  if (!(body instanceof PlainText)) return restInput(command, { params, query: matched, body });
  const accepted = command.rest?.accepts ?? [];
  if (!accepted.includes(mediaTypeOf(request))) return unsupported(['application/json', ...accepted]);
  return restInput(command, { params, query: matched, body: body.text });
}

/** Reads a version, plain or in the quotes of an entity tag. */
function withIfMatch<Ctx>(
  { rest }: AnyCommand<Ctx>,
  header: string | undefined,
  query: Record<string, unknown>,
): Record<string, unknown> | Refusal {
  if (rest?.ifMatch === undefined || header === undefined) return query;
  const version = /^(?:"(\d{1,15})"|(\d{1,15}))$/.exec(header.trim());
  if (version) return { ...query, [rest.ifMatch]: version[1] ?? version[2] };
  return refuseShape([{ path: 'If-Match', message: 'must be the version that was read, such as 7' }]);
}

/** A body that is not JSON and is passed to its command unparsed. */
export class PlainText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const mediaTypeOf = (request: FastifyRequest): string =>
  (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

function keyOf(request: FastifyRequest): string | undefined | Refusal {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key.length >= 1 && key.length <= 200) return key;
  return refuseShape([{ path: 'Idempotency-Key', message: 'must be a single string of 1 to 200 characters' }]);
}

export const unsupported = (accepted: readonly string[]): Refusal =>
  refuse('unsupported_media_type', `Send the body as ${accepted.join(' or ')} and set Content-Type accordingly.`);

export function sendRefusal(reply: FastifyReply, refusal: Refusal, challenge?: string): FastifyReply {
  const problem = problemOf(refusal);
  return reply
    .code(problem.status)
    .headers(refusalHeaders(refusal, challenge))
    .type(problemMediaType)
    .send(JSON.stringify(problem));
}

function sendDocument(reply: FastifyReply, { mediaType, body, fileName, sandboxed }: Document): FastifyReply {
  if (sandboxed) reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
  if (fileName !== undefined) {
    reply.header('content-disposition', `attachment; filename="${fileName.replace(/[^\w.-]/g, '_')}"`);
  }
  reply.type(mediaType);
  const whole = typeof body === 'string' || body instanceof Uint8Array;
  return reply.send(whole ? body : Readable.from(body, { objectMode: false }));
}
