import { type Refusal, refuse } from './outcome.ts';

/** What a token permits. */
export const scopes = ['read', 'work', 'author', 'publish', 'observe', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/**
 * The access that a command or route requires: a scope, or one of several. `token`: any token. `open`: no token, even
 * if tokens are required elsewhere.
 */
export type RequiredScope = Scope | readonly [Scope, ...Scope[]] | 'token' | 'open';

/** The scopes of members of a group; the group `*` is everybody at the provider. */
export type GroupScopes = ReadonlyMap<string, readonly Scope[]>;

/** Every scope with those that it contains. */
const contained: Readonly<Record<Scope, readonly Scope[]>> = {
  read: ['read'],
  work: ['work', 'read'],
  author: ['author', 'work', 'read'],
  publish: ['publish'],
  observe: ['observe'],
  admin: scopes,
};

export const identityKinds = ['local', 'operator', 'named', 'person', 'anonymous'] as const;

/**
 * The caller. `local`: tokens are off. `operator`: has Service:Token. `named`: has a named token. `anonymous`: has no token and calls an open
 * route of a service that requires tokens elsewhere. `person`: signed in at the provider of Service:OidcIssuer.
 */
export type Identity = {
  kind: (typeof identityKinds)[number];
  /** The name of a token or a person; null for all other callers. */
  name: string | null;
  /** The scopes as they were given; contained scopes are not listed. */
  scopes: readonly Scope[];
  /** The one run that a token for a run publishes to; such a token can do nothing else. */
  run?: string;
  /** For a person: the scopes that the provider's groups give here. */
  groups?: GroupScopes;
};

/** The caller as seen by this service, and its scopes. */
export type Me = Pick<Identity, 'name' | 'kind' | 'scopes'> & {
  /** Whether this service requires tokens. */
  tokenAsked: boolean;
  /**
   * For a person: the provider, when the sign-in ends, and when the provider stopped answering; null while it answers.
   */
  signedIn?: { provider: string; until: string; uncheckedSince: string | null };
} & Installation;

/** How a person starts the command line for this service, on its machine. */
export type Installation = {
  /** The command that starts its command line. */
  cli: string;
  /** Address of its run console; null if another machine's console is read. */
  consoleUrl: string | null;
  /** Address of its coordination port; null for a standalone run console. */
  serviceUrl: string | null;
};

/** The credentials that the command line receives: a pass for its calls, and a token that renews the pass. */
export type Pass = { name: string; token: string; expiresAt: string; renewal: string };
export type DeviceAnswer = {
  device: string;
  userCode: string;
  verificationUri: string;
  verificationUriComplete?: string | undefined;
  expiresIn: number;
  interval: number;
};

export const localIdentity: Identity = { kind: 'local', name: null, scopes: ['admin'] };
export const operatorIdentity: Identity = { kind: 'operator', name: null, scopes: ['admin'] };
/** Publishers that `Service:OpenIngest` admits. */
export const anonymousIdentity: Identity = { kind: 'anonymous', name: null, scopes: ['publish'] };

/** All scopes of an identity, including contained ones, in their fixed order. */
export const allScopes = ({ scopes: given }: Identity): Scope[] =>
  scopes.filter((scope) => given.some((one) => contained[one].includes(scope)));

export function mayCall({ scopes: given }: Identity, required: RequiredScope): boolean {
  if (required === 'open' || required === 'token') return true;
  const enough: readonly Scope[] = typeof required === 'string' ? [required] : required;
  return enough.some((scope) => given.some((one) => contained[one].includes(scope)));
}

/**
 * The only check of scopes. Admission calls it for a route before the body is read, and `dispatch` for a command,
 * because MCP and the socket have many commands behind one route. A refusal names the smallest sufficient scope.
 */
export function checkScope(identity: Identity, what: string, required: RequiredScope): Refusal | undefined {
  if (mayCall(identity, required)) return undefined;
  const { kind, name, scopes: given } = identity;
  const enough = typeof required === 'string' ? [required] : required;
  const who = name === null ? 'This caller' : kind === 'person' ? name : `The token ${name}`;
  const next = kind === 'person' ? groupsWith(identity, enough) : 'ask an admin for a token with it';
  const has = given.length === 0 ? 'no scope' : `only ${given.join(' and ')}`;
  return refuse('scope_required', `${what} needs the ${enough.join(' or ')} scope. ${who} has ${has}; ${next}.`, {
    scope: enough[0],
  });
}

function groupsWith({ groups = new Map() }: Identity, enough: readonly string[]): string {
  const names = [...groups].filter(([, given]) => enough.some((scope) => given.some((one) => isIn(one, scope))));
  if (names.length === 0) return 'no group grants it here: ask the operator to add one to Service:OidcGroups';
  return `ask to be added to the group ${names.map(([name]) => name).join(' or ')}`;
}

const isIn = (given: Scope, scope: string): boolean => contained[given].some((one) => one === scope);

const labelMembers = ['agent', 'by'] as const;

/**
 * Labels in a call by a named token are the token's name, or start with it and a slash, so they can be trusted. They
 * default to the name. `forOthers`: an admin may name somebody else.
 */
export function withOwnLabels(
  members: Readonly<Record<string, unknown>>,
  raw: Readonly<Record<string, unknown>>,
  { name }: Identity,
  forOthers = false,
): Readonly<Record<string, unknown>> | Refusal {
  if (name === null) return raw;
  let labelled = raw;
  for (const member of labelMembers) {
    const given = raw[member];
    if (given === name || !(member in members)) continue;
    if (given === undefined || given === null) labelled = { ...labelled, [member]: name };
    else if (typeof given === 'string' && !forOthers && !isLabelOf(given, name))
      return refuseLabel(member, given, name);
  }
  return labelled;
}

export const isLabelOf = (label: string, name: string): boolean => label === name || label.startsWith(`${name}/`);

const refuseLabel = (member: string, given: string, name: string): Refusal =>
  refuse(
    'name_not_yours',
    `You are ${name} here, so ${member} cannot be ${given.slice(0, 200)}. Leave it out, or use ${name} or ${name}/….`,
  );
