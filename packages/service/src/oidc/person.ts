import { type GroupScopes, type Scope, scopes } from '../kernel/access.ts';

/** The provider's claims about a person. */
export type Claims = Readonly<Record<string, unknown>>;
export type Person = { sub: string; name: string; scopes: readonly Scope[] };
/** Why a person whom the provider knows may not sign in here. */
export type Rejected = { why: string };

export const isPerson = (person: Person | Rejected): person is Person => 'sub' in person;

const mostNameLength = 120;

/**
 * The person described by these claims. The name always has an `@`, which no token name has, and characters that look
 * like others are escaped, so it cannot be mistaken for another name.
 */
export function personOf(claims: Claims, provider: string, groups: GroupScopes): Person | Rejected {
  const { sub } = claims;
  const name = nameOf(claims, provider);
  if (typeof sub !== 'string' || name === undefined)
    return { why: `${provider} gave neither an email address nor a user name. Its administrator can add the claim.` };
  if (name.length > mostNameLength) return { why: `The name that ${provider} gave is too long to be shown.` };
  const of = groupsOf(claims);
  const given = scopes.filter((scope) => [...of, '*'].some((group) => groups.get(group)?.includes(scope)));
  if (given.length > 0) return { sub, name, scopes: given };
  return { why: `You are ${name}, and ${wordsOfGroups(of, groups)}` };
}

/** An address that the provider marks as unverified may belong to anybody, and so may a user name that looks like an address. */
function nameOf(claims: Claims, provider: string): string | undefined {
  const { email, email_verified: isVerified, preferred_username: user } = claims;
  const mayBeAddress = (text: string) => isVerified !== false && /^[^@\s]+@[^@\s]+$/.test(text);
  if (typeof email === 'string' && mayBeAddress(email)) return escaped(email);
  if (typeof user !== 'string' || user.trim() === '') return undefined;
  return mayBeAddress(user) ? escaped(user) : `${escaped(user.trim()).replaceAll('@', '%40')}@${provider}`;
}

/** Escapes everything but plain letters, digits and some marks as `%` and its bytes; a slash would begin a label of somebody else. */
const escaped = (text: string): string =>
  Array.from(text.normalize('NFC').toLowerCase(), (sign) =>
    /[a-z0-9.@_+~'-]/.test(sign) ? sign : encodeURIComponent(sign.toWellFormed()),
  ).join('');

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** Some providers call groups roles. */
const groupsOf = ({ groups, roles }: Claims): readonly string[] => [...textsIn(groups), ...textsIn(roles)];

function wordsOfGroups(of: readonly string[], groups: GroupScopes): string {
  const needed = [...groups].map(([group, given]) => `${group} (${given.join(', ')})`).join(', ');
  const has =
    of.length === 0
      ? 'your provider sent no groups'
      : `none of your groups (${of.slice(0, 10).join(', ')}) gives access here`;
  return `${has}. Ask to be added to one of these: ${needed}.`;
}
