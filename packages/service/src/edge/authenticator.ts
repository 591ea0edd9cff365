import { type Identity, localIdentity, operatorIdentity, type Scope } from '../kernel/access.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Refusal, refuse } from '../kernel/outcome.ts';
import { FailedTries } from './failed-tries.ts';
import { type LoginStore, Logins } from './logins.ts';
import { RunTokens, runTokenPrefix } from './run-tokens.ts';
import { type Credentials, hashOf } from './token.ts';

export type NamedToken = { name: string; scopes: readonly Scope[]; expiresAt: string | null };

/** The current named tokens. A standalone console has none. */
export type NamedTokens = {
  byHash(hash: string): NamedToken | undefined;
  find(name: string): NamedToken | undefined;
  /** Whether any was ever created: before that no token can be wrong. */
  isUsed(): boolean;
  /** Logins that began before, in milliseconds since 1970, have ended. */
  loginsEndedAt(): number;
  /** Changes whenever one that was valid may no longer be. */
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

type AuthenticatorDeps = { token: string | undefined; clock: Clock; loginStore: LoginStore };

/** Identifies the caller of a request by its token or login. One instance for both ports. */
export class Authenticator {
  /** Whether a token is required. */
  readonly isTokenAsked: boolean;
  readonly logins: Logins;
  readonly runTokens: RunTokens;
  readonly #operatorHash: string | undefined;
  readonly #clock: Clock;
  readonly #tries: FailedTries;
  #named = noTokens;
  /** Hashes of valid tokens, so that each is computed once. */
  readonly #hashes = new Map<string, string>();

  constructor({ token, clock, loginStore }: AuthenticatorDeps) {
    this.isTokenAsked = token !== undefined;
    this.#operatorHash = token === undefined ? undefined : hashOf(token);
    this.#clock = clock;
    this.#tries = new FailedTries(clock);
    this.logins = new Logins(clock, loginStore);
    this.runTokens = new RunTokens(this.#operatorHash, clock);
  }

  /** The log that holds them is opened after the first port is composed. */
  useNamedTokens(named: NamedTokens): void {
    this.#named = named;
  }

  /** Changes whenever a caller that was recognised may no longer be. */
  revocations(): string {
    return `${this.#named.revocations()} ${this.logins.ended}`;
  }

  /** The same without counting failures; undefined for a rejected caller. */
  recognise({ bearer, login }: Credentials): Identity | undefined {
    const identity =
      bearer === undefined
        ? login && this.#identifyLogin(login)
        : bearer.startsWith(runTokenPrefix)
          ? this.#identifyRun(bearer)
          : this.#identityOf(this.#hashOf(bearer));
    if (identity && identity !== 'expired') return identity;
    const isIgnored = !this.isTokenAsked && (bearer === undefined || !this.#named.isUsed());
    return isIgnored ? localIdentity : undefined;
  }

  identify({ bearer, login }: Credentials, address: string): Identity | Refusal {
    if (bearer !== undefined) return this.identifyToken(bearer, address);
    const identity = login === undefined ? undefined : this.#identifyLogin(login);
    if (identity) return identity;
    if (!this.isTokenAsked) return localIdentity;
    return refuse('token_required', 'Send the token as "Authorization: Bearer …", or log in on the web page.');
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
    if (!this.isTokenAsked && !this.#named.isUsed()) return localIdentity;
    const waitSeconds = this.#tries.add(address, hash);
    if (waitSeconds === undefined)
      return refuse(
        'token_invalid',
        'Unknown token. Use the one in Service:Token, or a named token from an admin of this service.',
      );
    return refuse('too_many_requests', 'Too many wrong tokens. Wait a minute, then try again.', {
      retryAfterSeconds: waitSeconds,
    });
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

  /** As good as the token it was made with, for its run alone. */
  #identifyRun(token: string): Identity | undefined {
    const made = this.runTokens.read(token);
    if (!made) return undefined;
    const { name, runId: run } = made;
    if (name === null) return this.isTokenAsked ? { ...operatorIdentity, scopes: ['publish'], run } : localIdentity;
    const named = this.#named.find(name);
    const isOver =
      named === undefined || (named.expiresAt !== null && Date.parse(named.expiresAt) <= this.#clock.wall());
    return isOver ? undefined : { kind: 'named', name, scopes: ['publish'], run };
  }

  #identifyLogin(id: string): Identity | undefined {
    const login = this.logins.find(id);
    if (login === undefined || login.startedAt <= this.#named.loginsEndedAt()) return undefined;
    const identity = this.#identityOf(login.tokenHash);
    return identity === 'expired' ? undefined : identity;
  }
}
