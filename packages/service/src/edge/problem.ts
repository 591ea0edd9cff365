import type { Fault, Refusal, RefusalCode } from '../kernel/outcome.ts';
import { docsPath } from '../kernel/service-paths.ts';

/** RFC 9457. The same object is the REST body and the structured content of an MCP tool. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  errors?: readonly Fault[];
};

export const problemMediaType = 'application/problem+json; charset=utf-8';

export function problemOf({ code, detail, errors, extra: more }: Refusal): Problem {
  const [status, title] = refusalStatus[code];
  return { type: `${docsPath}#${code}`, title, status, detail, code, ...(errors && { errors }), ...more };
}

/** The headers of a refusal: when to try again, and how to authenticate. */
export const refusalHeaders = (
  { code, extra: { retryAfterSeconds } }: Refusal,
  challenge = 'Bearer',
): Record<string, string> => ({
  ...(typeof retryAfterSeconds === 'number' && { 'retry-after': String(retryAfterSeconds) }),
  ...((code === 'token_required' || code === 'token_invalid') && { 'www-authenticate': challenge }),
});

/** An internal error. It reveals no details. */
export const faultProblem: Problem = {
  type: `${docsPath}#internal`,
  title: 'Internal error',
  status: 500,
  detail: 'The service hit an unexpected error; its log has the reason. It is safe to try again.',
  code: 'internal',
};

/** The only HTTP status codes in the code, each with the title of its refusals. */
export const refusalStatus: Record<RefusalCode, readonly [status: number, title: string]> = {
  invalid_request: [400, 'The request is not valid'],
  agent_required: [400, 'An agent is required'],
  node_done: [400, 'The node is already done'],
  cycle: [400, 'The dependency would make a cycle'],
  self_dependency: [400, 'A node cannot depend on itself'],
  self_sign_off: [400, 'The holder cannot sign off their own work'],
  signer_required: [400, 'A signer is required'],
  plans_path_not_set: [400, 'Service:PlansPath is not set'],
  unknown_format: [400, 'Unknown format'],
  token_required: [401, 'A token is required'],
  token_invalid: [401, 'The token is not valid'],
  signature_invalid: [401, 'The signature is not valid'],
  licence_required: [402, 'A licence is required'],
  licence_invalid: [402, 'The licence is not valid'],
  licence_expired: [402, 'The licence has expired'],
  host_not_allowed: [403, 'This host name is not allowed'],
  origin_not_allowed: [403, 'This origin is not allowed'],
  scope_required: [403, 'The token does not have the required scope'],
  name_not_yours: [403, 'The name belongs to another token'],
  not_found: [404, 'Not found'],
  plan_not_found: [404, 'No such plan'],
  node_not_found: [404, 'No such node'],
  session_not_found: [404, 'No such session'],
  repository_not_found: [404, 'No such repository'],
  run_not_found: [404, 'No such run'],
  attachment_not_found: [404, 'Attachment not found'],
  no_history: [404, 'No history'],
  no_event_model: [404, 'No event model'],
  note_not_found: [404, 'No such note'],
  token_not_found: [404, 'No such token'],
  method_not_allowed: [405, 'This method is not allowed here'],
  plan_exists: [409, 'The plan already exists'],
  observer_name_taken: [409, 'Another observer has this name'],
  token_exists: [409, 'The token already exists'],
  plan_archived: [409, 'The plan is archived'],
  node_exists: [409, 'The node already exists'],
  not_holder: [409, 'Not the holder of the claim'],
  stale_fence: [409, 'The claim has changed hands'],
  node_claimed: [409, 'The node is claimed'],
  node_has_dependents: [409, 'Other nodes depend on the node'],
  run_live: [409, 'The run is live'],
  model_name_mismatch: [409, 'Another event model is served'],
  idempotency_conflict: [409, 'The idempotency key is already in use'],
  version_conflict: [412, 'The plan has changed'],
  body_too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'Unsupported media type'],
  too_many_requests: [429, 'Too many requests'],
  store_unavailable: [503, 'The store cannot be reached'],
  host_unavailable: [503, 'The host cannot be reached'],
};
