import { type Identity, localIdentity, operatorIdentity, type Scope } from '../kernel/access.ts';
import type { Clock } from '../kernel/clock.ts';
import { type Refusal, refuse } from '../kernel/outcome.ts';
import { FailedTries } from './failed-tries.ts';
import { type LoginStore, Logins } from './logins.ts';
import { type Credentials, hashOf } from './token.ts';

export type NamedToken = { name: string; scopes: readonly Scope[]; expiresAt: string | null };

/** The named tokens that there are now. A console alone has none. */
export type NamedTokens = {
  byHash(hash: string): NamedToken | undefined;
  /** Whether any was ever made: before that nobody can have shown a wrong one. */
  isUsed(): boolean;
  /** Logins that began before, in milliseconds since 1970, have ended. */
  loginsEndedAt(): number;
};

const noTokens: NamedTokens = { byHash: () => undefined, isUsed: () => false, loginsEndedAt: () => 0 };

const mostHashes = 1_000;

type AuthenticatorDeps = { token: string | undefined; clock: Clock; loginStore: LoginStore };

/** Says who a request is from, by the token or the login that it shows. One for both ports. */
export class Authenticator {
  /** Whether a token is asked for. */
  readonly isTokenAsked: boolean;
  readonly logins: Logins;
  readonly #operatorHash: string | undefined;
  readonly #clock: Clock;
  readonly #tries: FailedTries;
  #named = noTokens;
  /** Hashes of tokens that were right, so that each is computed once. */
  readonly #hashes = new Map<string, string>();

  constructor({ token, clock, loginStore }: AuthenticatorDeps) {
    this.isTokenAsked = token !== undefined;
    this.#operatorHash = token === undefined ? undefined : hashOf(token);
    this.#clock = clock;
    this.#tries = new FailedTries(clock);
    this.logins = new Logins(clock, loginStore);
  }

  /** The log that holds them is opened after the first port is composed. */
  useNamedTokens(named: NamedTokens): void {
    this.#named = named;
  }

  /** The same without counting what is wrong; undefined for whoever is not let in. */
  recognise({ bearer, login }: Credentials): Identity | undefined {
    const identity =
      bearer === undefined ? login && this.#identifyLogin(login) : this.#identityOf(this.#hashOf(bearer));
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

  /** The right token is let in whatever came before; only wrong ones are slowed. */
  identifyToken(token: string, address: string): Identity | Refusal {
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
    // Of hashes nobody can guess a beginning, so they need not be compared in constant time.
    if (hash === this.#operatorHash) return operatorIdentity;
    const named = this.#named.byHash(hash);
    if (named === undefined) return undefined;
    if (named.expiresAt !== null && Date.parse(named.expiresAt) <= this.#clock.wall()) return 'expired';
    return { kind: 'named', name: named.name, scopes: named.scopes };
  }

  #identifyLogin(id: string): Identity | undefined {
    const login = this.logins.find(id);
    if (login === undefined || login.startedAt <= this.#named.loginsEndedAt()) return undefined;
    const identity = this.#identityOf(login.tokenHash);
    return identity === 'expired' ? undefined : identity;
  }
}
