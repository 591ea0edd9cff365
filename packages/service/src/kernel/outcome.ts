/** Every expected refusal. The codes are stable: callers may switch on them. */
const refusalCodes = [
  'invalid_request',
  'agent_required',
  'node_done',
  'cycle',
  'self_dependency',
  'self_sign_off',
  'signer_required',
  'plans_path_not_set',
  'unknown_format',
  'token_required',
  'token_invalid',
  'signature_invalid',
  'licence_required',
  'licence_invalid',
  'licence_expired',
  'host_not_allowed',
  'origin_not_allowed',
  'scope_required',
  'name_not_yours',
  'method_not_allowed',
  'plan_not_found',
  'node_not_found',
  'session_not_found',
  'repository_not_found',
  'run_not_found',
  'attachment_not_found',
  'no_history',
  'no_event_model',
  'note_not_found',
  'token_not_found',
  'not_found',
  'plan_exists',
  'token_exists',
  'observer_name_taken',
  'plan_archived',
  'node_exists',
  'not_holder',
  'stale_fence',
  'node_claimed',
  'node_has_dependents',
  'run_live',
  'model_name_mismatch',
  'idempotency_conflict',
  'version_conflict',
  'body_too_large',
  'unsupported_media_type',
  'too_many_requests',
  'store_unavailable',
  'host_unavailable',
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

/** A newer service may have codes that are unknown here. */
export const isRefusalCode = (text: string | null): text is RefusalCode => refusalCodes.some((code) => code === text);

/** One error in the input; `path` is its path in the REST body, such as `nodes[0].title`, `node` the id of the node there. */
export type Fault = { path: string; message: string; node?: string };

/** A refusal is an answer, not an exception: returned, typed and the same on every transport. */
export class Refusal {
  readonly code: RefusalCode;
  readonly detail: string;
  readonly errors: readonly Fault[] | undefined;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(
    code: RefusalCode,
    detail: string,
    errors?: readonly Fault[],
    more: Readonly<Record<string, unknown>> = {},
  ) {
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    this.extra = more;
  }
}

/** A refusal that passes through code that only handles errors; dispatch and the edge turn it back into an answer. */
export class RefusedError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.detail);
    this.refusal = refusal;
  }
}

/** `more` joins the problem object beside its standard members (`heldBy`, `licence`, …). */
export function refuse(code: RefusalCode, detail: string, more?: Readonly<Record<string, unknown>>): Refusal {
  return new Refusal(code, detail, undefined, more);
}

export function refuseShape(errors: readonly Fault[], code: RefusalCode = 'invalid_request', detail?: string): Refusal {
  return new Refusal(code, detail ?? summary(errors), errors);
}

export const isRefusal = (answer: unknown): answer is Refusal => answer instanceof Refusal;

function summary(errors: readonly Fault[]): string {
  const [first, ...rest] = errors;
  if (!first) return 'Invalid request: it does not match the schema.';
  const node = first.node === undefined ? '' : ` (${first.node})`;
  const where = first.path === '' ? first.message : `${first.path}${node}: ${first.message}`;
  return rest.length === 0
    ? `Invalid request: ${where}${where.endsWith('?') ? '' : '.'}`
    : `Invalid request: ${where}; ${rest.length} more in errors.`;
}
