import type { Scope } from '../../kernel/access.ts';
import { isRefusal, type Refusal, refuse, refuseShape } from '../../kernel/outcome.ts';
import type { TokenEvent } from './events.ts';
import type { Token } from './token-projection.ts';

type NewToken = { name: string; scopes: readonly Scope[]; hash: string; expires?: string | null | undefined };

const unitHours: Readonly<Record<string, number>> = { h: 1, d: 24, w: 7 * 24 };

/** Names the audit uses for callers without a named token. */
const reserved: ReadonlySet<string> = new Set(['operator', 'local', 'anonymous', 'service', 'observer']);

export function createToken(
  { name, scopes, hash, expires }: NewToken,
  existing: Token | undefined,
  now: string,
): TokenEvent | Refusal {
  if (reserved.has(name)) return refuseShape([{ path: 'name', message: `${name} is reserved; choose another name` }]);
  if (existing)
    return refuse('token_exists', `The token ${name} exists. Revoke it first, or choose another name.`, { name });
  const expiresAt = expires === undefined || expires === null ? null : instantOf(expires, now);
  if (isRefusal(expiresAt)) return expiresAt;
  return { type: 'token_created', data: { name, scopes: [...new Set(scopes)], hash, expiresAt } };
}

export function revokeToken(name: string, existing: Token | undefined): TokenEvent | Refusal {
  if (existing) return { type: 'token_revoked', data: { name } };
  return refuse('token_not_found', `Unknown token ${name}. "signalbox tokens list" lists them.`);
}

/** `90d`, `36h`, `4w` from now, or an instant in the future. */
function instantOf(expires: string, now: string): string | Refusal {
  const [, count, unit = ''] = /^(\d{1,5})([hdw])$/.exec(expires) ?? [];
  const at =
    count === undefined ? Date.parse(expires) : Date.parse(now) + Number(count) * (unitHours[unit] ?? 0) * 3_600_000;
  if (at > Date.parse(now)) return new Date(at).toISOString();
  return refuseShape([
    { path: 'expires', message: 'must be a duration such as 90d, 36h or 4w, or an instant in the future' },
  ]);
}
