import { errors } from 'jose';
import * as oauth from 'oauth4webapi';
import { errorCode, errorMessage } from '../kernel/error-code.ts';

/** `ended`: the provider refused. `away`: it did not answer, so nothing is known. `refused`: its answer is not acceptable. */
export class ProviderFault extends Error {
  readonly how: 'ended' | 'away' | 'refused';
  constructor(how: 'ended' | 'away' | 'refused', message: string, options?: ErrorOptions) {
    super(message, options);
    this.how = how;
  }
}

export const lacks = (what: string): ProviderFault => new ProviderFault('refused', `the provider has no ${what}`);

/** OAuth errors that mean that a grant has ended. */
const final: ReadonlySet<string> = new Set(['invalid_grant', 'access_denied', 'expired_token', 'interaction_required']);
const passing: ReadonlySet<string> = new Set(['server_error', 'temporarily_unavailable', 'slow_down']);
const mayPass = (status: number): boolean => status >= 500 || status === 429;

export function faultOf(fault: unknown): ProviderFault {
  if (fault instanceof ProviderFault) return fault;
  const say = (how: 'ended' | 'away' | 'refused', text: string) => new ProviderFault(how, text, { cause: fault });
  if (fault instanceof oauth.AuthorizationResponseError)
    return say('ended', `${fault.error}${fault.error_description ? `: ${fault.error_description}` : ''}`);
  if (fault instanceof oauth.ResponseBodyError)
    return say(
      final.has(fault.error) ? 'ended' : passing.has(fault.error) || mayPass(fault.status) ? 'away' : 'refused',
      `${fault.error}${fault.error_description ? `: ${fault.error_description}` : ''}`,
    );
  if (fault instanceof oauth.WWWAuthenticateChallengeError)
    return say(mayPass(fault.status) ? 'away' : 'ended', `it answered ${fault.status}`);
  if (fault instanceof errors.JWKSTimeout) return say('away', 'it does not answer');
  if (fault instanceof errors.JOSEError) return say('refused', fault.message);
  if (fault instanceof oauth.OperationProcessingError) {
    const { cause } = fault;
    if (cause instanceof Response)
      return say(
        mayPass(cause.status) ? 'away' : 'refused',
        cause.ok ? 'its answer was not JSON' : `it answered ${cause.status}`,
      );
    const issuer = issuerIn(cause);
    if (issuer !== undefined) return say('refused', `it names itself ${issuer}`);
    return say('refused', fault.message);
  }
  if (fault instanceof oauth.UnsupportedOperationError) return say('refused', fault.message);
  return say('away', reasonOf(fault));
}

/** The issuer that a provider names, if it differs from the configured one. */
function issuerIn(cause: unknown): string | undefined {
  const { attribute, body } = (cause ?? {}) as { attribute?: string; body?: { issuer?: unknown } };
  return attribute === 'issuer' && typeof body?.issuer === 'string' ? body.issuer : undefined;
}

/** The cause inside an error of `fetch`: a name, a refused connection, a certificate. */
function reasonOf(fault: unknown): string {
  const cause = fault instanceof Error && fault.cause !== undefined ? fault.cause : fault;
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause;
  if (inner instanceof DOMException && inner.name === 'TimeoutError') return 'it does not answer';
  return errorCode(inner) ?? errorMessage(inner);
}
