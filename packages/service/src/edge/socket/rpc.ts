import { isObject } from '../../kernel/is-object.ts';
import { type Refusal, refuseShape } from '../../kernel/outcome.ts';
import { faultProblem, type Problem, problemOf } from '../problem.ts';

/** JSON-RPC 2.0, as far as a service with named parameters needs it. */
export type RpcId = string | number | null;

/** Without an id it wants no answer. */
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

/** `result` is JSON already. What the headers of REST say is beside it: where a list goes on, and since when the store is away. */
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

/** An `idempotencyKey` travels among the parameters and is none of them. */
export function splitKey({
  idempotencyKey: key,
  ...input
}: RpcRequest['params']): { key: string | undefined; input: object } | Refusal {
  if (key === undefined || (typeof key === 'string' && key.length >= 1 && key.length <= 200)) return { key, input };
  return refuseShape([{ path: 'idempotencyKey', message: 'must be a string of 1 to 200 characters' }]);
}
