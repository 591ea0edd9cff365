import { type Identity, localIdentity, operatorIdentity, type Scope } from '../kernel/access.ts';
import type { Clock } from '../kernel/clock.ts';
import { isRefusal, type Refusal, refuse } from '../kernel/outcome.ts';
import type { Logins } from './logins.ts';
import type { People } from './people.ts';
import { RunTokens, runTokenPrefix } from './run-tokens.ts';
import { type Credentials, hashOf } from './token.ts';

export type NamedToken = { name: string; scopes: readonly Scope[]; expiresAt: string | null };

/** The current named tokens. A standalone console has none. */
export type NamedTokens = {
  byHash(hash: string): NamedToken | undefined;
  find(name: string): NamedToken | undefined;
  /** Whether a token was ever created; before that, no token can be wrong. */
  isUsed(): boolean;
  /** Logins that began before this time, in milliseconds since 1970, have ended. */
  loginsEndedAt(): number;
  /** Changes whenever a valid token may have become invalid. */
  revocations(): number;
};

const noTokens: NamedTokens = {
  find: () => undefined,
  byHash: () => undefined,
  isUsed: () => false,
  loginsEndedAt: () => 0,
  revocations: () => 0,
};

const mostHashes = 1_000;

type AuthenticatorDeps = { token: string | undefined; clock: Clock; logins: Logins };

/** Identifies the caller of a request by its token or login. One instance for both ports. */
export class Authenticator {
  readonly logins: Logins;
  readonly runTokens: RunTokens;
  readonly #operatorHash: string | undefined;
  readonly #clock: Clock;
  readonly #tries: FailedTries;
  #named = noTokens;
  #people: People | undefined;
  /** Hashes of valid tokens, so that each is computed once. */
  readonly #hashes = new Map<string, string>();

  constructor({ token, clock, logins }: AuthenticatorDeps) {
    this.#operatorHash = token === undefined ? undefined : hashOf(token);
    this.#clock = clock;
    this.#tries = new FailedTries(clock);
    this.logins = logins;
    this.runTokens = new RunTokens(this.#operatorHash, clock);
  }

  /** Whether callers must identify themselves: by a token, or by signing in. */
  get isTokenAsked(): boolean {
    return this.#operatorHash !== undefined || this.#people !== undefined;
  }

  usePeople(people: People): void {
    this.#people = people;
  }

  get people(): People | undefined {
    return this.#people;
  }

  /** Asks the provider about these credentials first; undefined if that is not needed. */
  learn(credentials: Credentials): Promise<void> | undefined {
    return this.#people?.learn(credentials);
  }

  /** Whether this service made the token, so that no provider has to be asked about it. */
  isOwnToken(token: string): boolean {
    return token.startsWith(runTokenPrefix) || this.#identityOf(this.#hashOf(token)) !== undefined;
  }

  loginsEndedAt(): number {
    return this.#named.loginsEndedAt();
  }

  /** Sets the named tokens later, because their log is opened after the first port is composed. */
  useNamedTokens(named: NamedTokens): void {
    this.#named = named;
  }

  /** Changes whenever a recognised caller may no longer be valid. */
  revocations(): string {
    return `${this.#named.revocations()} ${this.logins.ended} ${this.#people?.revocations() ?? 0}`;
  }

  /** Identifies without counting failures; undefined for a rejected caller. */
  recognise({ bearer, login }: Credentials): Identity | undefined {
    const identity =
      bearer === undefined
        ? login && this.#identifyLogin(login)
        : bearer.startsWith(runTokenPrefix)
          ? this.#identifyRun(bearer)
          : (this.#identityOf(this.#hashOf(bearer)) ?? this.#people?.ofBearer(bearer));
    if (identity && identity !== 'expired' && !isRefusal(identity)) return identity;
    const isIgnored = !this.isTokenAsked && (bearer === undefined || !this.#named.isUsed());
    return isIgnored ? localIdentity : undefined;
  }

  identify({ bearer, login }: Credentials, address: string): Identity | Refusal {
    if (bearer !== undefined) return this.identifyToken(bearer, address);
    const identity = login === undefined ? undefined : this.#identifyLogin(login);
    if (identity) return identity;
    if (!this.isTokenAsked) return localIdentity;
    return refuse('token_required', this.#whatIsAsked(login));
  }

  /** A valid token is always accepted; only wrong tokens are rate-limited. */
  identifyToken(token: string, address: string): Identity | Refusal {
    const ofRun = token.startsWith(runTokenPrefix) ? this.#identifyRun(token) : undefined;
    if (ofRun) return ofRun;
    const hash = this.#hashOf(token);
    const identity = this.#identityOf(hash);
    if (identity === 'expired') return refuse('token_invalid', 'The token has expired. Ask an admin for a new one.');
    if (identity) {
      if (this.#hashes.size >= mostHashes) this.#hashes.clear();
      this.#hashes.set(token, hash);
      return identity;
    }
    const person = this.#people?.ofBearer(token);
    if (person && !isRefusal(person)) return person;
    if (!this.isTokenAsked && !this.#named.isUsed()) return localIdentity;
    const waitSeconds = this.#tries.add(address, hash);
    if (waitSeconds === undefined && person) return person;
    if (waitSeconds === undefined)
      return refuse(
        'token_invalid',
        'Unknown token. Use the one in Service:Token, or a named token from an admin of this service.',
      );
    return refuse('too_many_requests', 'Too many wrong tokens. Wait a minute, then try again.', {
      retryAfterSeconds: waitSeconds,
    });
  }

  #whatIsAsked(login: string | undefined): string {
    const other = login === undefined ? undefined : this.logins.hostOf(login);
    if (other !== undefined)
      return `This sign-in was made on the host ${other} and is valid only there. Sign in on this host too.`;
    return this.#people
      ? `Sign in on the web page or with "signalbox login" (${this.#people.provider}), or send a token as "Authorization: Bearer …".`
      : 'Send the token as "Authorization: Bearer …", or log in on the web page.';
  }

  #hashOf(token: string): string {
    return this.#hashes.get(token) ?? hashOf(token);
  }

  #identityOf(hash: string): Identity | 'expired' | undefined {
    // A prefix of a hash cannot be guessed, so constant-time comparison is not needed.
    if (hash === this.#operatorHash) return operatorIdentity;
    const named = this.#named.byHash(hash);
    if (named === undefined) return undefined;
    if (named.expiresAt !== null && Date.parse(named.expiresAt) <= this.#clock.wall()) return 'expired';
    return { kind: 'named', name: named.name, scopes: named.scopes };
  }

  /** Valid as long as the token that made it, for one run only. */
  #identifyRun(token: string): Identity | undefined {
    const made = this.runTokens.read(token);
    if (!made) return undefined;
    const { name, runId: run } = made;
    if (name === null) return this.isTokenAsked ? { ...operatorIdentity, scopes: ['publish'], run } : localIdentity;
    // A person's name contains an @, which the name of a token never does.
    if (name.includes('@')) return this.#people && { kind: 'person', name, scopes: ['publish'], run };
    const named = this.#named.find(name);
    const isOver =
      named === undefined || (named.expiresAt !== null && Date.parse(named.expiresAt) <= this.#clock.wall());
    return isOver ? undefined : { kind: 'named', name, scopes: ['publish'], run };
  }

  #identifyLogin(id: string): Identity | undefined {
    const login = this.logins.find(id);
    if (login === undefined || login.startedAt <= this.#named.loginsEndedAt()) return undefined;
    if (login.person) return this.#people?.ofLogin(login, id);
    const identity = this.#identityOf(login.tokenHash ?? '');
    return identity === 'expired' ? undefined : identity;
  }
}

const limit = { failures: 10, withinMs: 60_000 };
/** At most this many are tracked; the oldest are forgotten first. */
const mostRemembered = 10_000;

/** Counts wrong tokens by the address they came from and by the token itself, which may come from many. */
export class FailedTries {
  readonly #clock: Clock;
  readonly #failures = new Map<string, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the seconds to wait after too many failures; undefined if the caller may try. */
  add(address: string, tokenHash: string): number | undefined {
    const now = this.#clock.monotonic();
    const counts = [`address ${address}`, `token ${tokenHash}`].map((key) => this.#add(key, now));
    return Math.max(...counts) > limit.failures ? limit.withinMs / 1000 : undefined;
  }

  #add(key: string, now: number): number {
    const recent = (this.#failures.get(key) ?? []).filter((at) => at > now - limit.withinMs).slice(-limit.failures);
    this.#failures.delete(key);
    this.#failures.set(key, [...recent, now]);
    const [oldest = key] = this.#failures.keys();
    if (this.#failures.size > mostRemembered) this.#failures.delete(oldest);
    return recent.length + 1;
  }
}

/** Notifies listeners when a caller may have lost access: a token was revoked, here or on another host, or a login ended. */
export type Revocations = { listen(listener: () => void): () => void; stop(): void };

/** Connections of a revoked token are closed within a second. */
const lookMs = 500;

export function watchRevocations(authenticator: Authenticator, clock: Clock): Revocations {
  const listeners = new Set<() => void>();
  let seen = authenticator.revocations();
  const stop = clock.every(lookMs, () => {
    const now = authenticator.revocations();
    if (now === seen) return;
    seen = now;
    for (const listener of listeners) listener();
  });
  return {
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop,
  };
}
