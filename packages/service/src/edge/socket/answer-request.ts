import { answerText } from '../../kernel/answer-text.ts';
import { type AnyCommand, statusOf } from '../../kernel/command.ts';
import { type CallOrigin, type DispatchContext, dispatch } from '../../kernel/dispatch.ts';
import { type Document, isDocument } from '../../kernel/document.ts';
import { isObject } from '../../kernel/is-object.ts';
import { ListPage } from '../../kernel/list.ts';
import { isRefusal, type Refusal, refuse, refuseShape } from '../../kernel/outcome.ts';
import { nearest } from '../../kernel/text.ts';
import { faultProblem, type Problem, problemOf } from '../problem.ts';

/** Writes the JSON text of a response. Long responses are written one after the other, once the connection has room. */
export type WriteAnswer = () => string | Promise<string>;
export type AnswerRequest = {
  (request: RpcRequest & { id: RpcId }, by: CallOrigin): Promise<WriteAnswer>;
  /** Whether it can be answered immediately: it neither writes nor waits for something to happen. */
  isRead(method: string): boolean;
};

/** Answered calls by command, and refused calls by the code of the refusal. */
export type SocketCounts = { calls: Map<string, number>; refusals: Map<string, number> };

const countUp = (counts: Map<string, number>, word: string) => void counts.set(word, (counts.get(word) ?? 0) + 1);

/** Every command of a registry by its name, including commands that REST does not have. */
export function answersOf<Ctx extends DispatchContext>(
  commands: readonly AnyCommand<Ctx>[],
  ctx: Ctx,
  counts: SocketCounts,
): AnswerRequest {
  const byName = new Map(commands.map((command) => [command.name, command]));
  const refused = (id: RpcId, refusal: Refusal, code?: 'unknownMethod'): WriteAnswer => {
    countUp(counts.refusals, refusal.code);
    return () => refusalText(id, refusal, code);
  };
  const stale = () => {
    const since = ctx.freshness?.().staleSince ?? null;
    return since === null ? {} : { stale: { since } };
  };
  const answer = async ({ id, method, params }: RpcRequest & { id: RpcId }, by: CallOrigin): Promise<WriteAnswer> => {
    const command = byName.get(method);
    if (!command) return refused(id, unknownMethod(method, [...byName.keys()]), 'unknownMethod');
    countUp(counts.calls, command.name);
    const split = splitKey(params);
    if (isRefusal(split)) return refused(id, split);
    const out = await dispatch(command, ctx, split.input, { transport: 'socket', key: split.key, by });
    if (isRefusal(out)) return refused(id, out);
    if (isDocument(out)) return () => documentText(id, out, command.rest?.responseTypes !== undefined);
    if (out instanceof ListPage) {
      const { items, total, next } = out;
      return () => resultText(id, JSON.stringify(items), { page: { total, next }, ...stale() });
    }
    const isEmpty = command.rest && statusOf(command.rest, out) === 204;
    return () => resultText(id, isEmpty ? '{}' : answerText(out), stale());
  };
  const isRead = (method: string): boolean => {
    const command = byName.get(method);
    return command?.effect === 'read' && !('timeoutSeconds' in command.input.shape);
  };
  return Object.assign(answer, { isRead });
}

function unknownMethod(method: string, names: readonly string[]): Refusal {
  const likely = nearest(method, names);
  const hint = likely ? `did you mean ${likely}?` : 'the reference lists the commands';
  return refuseShape([{ path: 'method', message: `unknown command ${method.slice(0, 60)}; ${hint}` }]);
}

/** Longer answers are read over REST, where they are streamed. */
const maxDocumentLength = 16 * 1024 * 1024;

async function documentText(id: RpcId, { body, path }: Document, isText: boolean): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  const parts = typeof body === 'string' || body instanceof Uint8Array ? [body] : body;
  for await (const part of parts) {
    text += typeof part === 'string' ? part : decoder.decode(part, { stream: true });
    if (text.length > maxDocumentLength)
      return refusalText(
        id,
        refuse('body_too_large', `The answer is too long for a socket. Use GET ${path ?? 'over REST'}.`),
      );
  }
  // A document that is JSON in the shape of the command's output is returned unchanged.
  return resultText(id, isText ? JSON.stringify(text) : text);
}

/** The part of JSON-RPC 2.0 that a service with named parameters needs. */
export type RpcId = string | number | null;

/** A request without an id gets no answer. */
export type RpcRequest = { id: RpcId | undefined; method: string; params: Readonly<Record<string, unknown>> };

const codes = { unreadable: -32_700, invalid: -32_600, unknownMethod: -32_601, internal: -32_603 };

/** A message that could be mistaken for the answer to another call has no id. */
export class BadRequest {
  readonly id: RpcId;
  readonly refusal: Refusal;
  constructor(id: RpcId, refusal: Refusal) {
    this.id = id;
    this.refusal = refusal;
  }
}

/** The requests of one frame: one, or a batch of them. */
export function requestsIn(value: unknown): Array<RpcRequest | BadRequest> {
  if (!Array.isArray(value)) return [requestOf(value)];
  return value.length === 0 ? [bad(null, '', 'a batch must contain at least one request')] : value.map(requestOf);
}

function requestOf(value: unknown): RpcRequest | BadRequest {
  if (!isObject(value)) return bad(null, '', 'a frame must contain a request or a list of requests');
  const { jsonrpc, id, method, params = {} } = value;
  if (id !== undefined && !isId(id)) return bad(null, 'id', 'must be a number, or a string of at most 200 characters');
  if (jsonrpc !== '2.0') return bad(id ?? null, 'jsonrpc', 'must be "2.0"');
  if (typeof method !== 'string') return bad(id ?? null, 'method', 'must be the name of a command');
  if (!isObject(params)) return bad(id ?? null, 'params', 'must be an object');
  return { id, method, params };
}

const bad = (id: RpcId, path: string, message: string): BadRequest =>
  new BadRequest(id, refuseShape([{ path, message }]));

const isId = (value: unknown): value is RpcId =>
  value === null || Number.isFinite(value) || (typeof value === 'string' && value.length <= 200);

/**
 * `result` is already JSON. It comes with the facts that REST puts into headers: the next page of a list, and when the
 * store became unreachable.
 */
export const resultText = (id: RpcId, result: string, beside: { page?: object; stale?: object } = {}): string => {
  const members = Object.entries(beside).map(([name, value]) => `,"${name}":${JSON.stringify(value)}`);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}${members.join('')}}`;
};

/** A refusal by a command has its HTTP status as the code. */
export const refusalText = (id: RpcId, refusal: Refusal, code?: keyof typeof codes): string => {
  const problem = problemOf(refusal);
  return errorText(id, code === undefined ? problem.status : codes[code], problem);
};

export const faultText = (id: RpcId): string => errorText(id, codes.internal, faultProblem);

const errorText = (id: RpcId, code: number, data: Problem): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: data.detail, data } });

export const isBadRequest = (request: RpcRequest | BadRequest): request is BadRequest => request instanceof BadRequest;

/** An `idempotencyKey` is sent among the parameters, but is not part of the input. */
export function splitKey({
  idempotencyKey: key,
  ...input
}: RpcRequest['params']): { key: string | undefined; input: object } | Refusal {
  if (key === undefined || (typeof key === 'string' && key.length >= 1 && key.length <= 200)) return { key, input };
  return refuseShape([{ path: 'idempotencyKey', message: 'must be a string of 1 to 200 characters' }]);
}
