import { randomBytes } from 'node:crypto';
import type { Scope } from '../kernel/access.ts';
import type { Clock } from '../kernel/clock.ts';
import { hashOf } from './token.ts';

/** A person who signed in at a provider. `sealed`: the provider's tokens, encrypted with a key from the login's id. */
export type PersonLogin = { sub: string; name: string; scopes: readonly Scope[]; checkedAt: number; sealed: string };

/**
 * A browser that showed a token once, or whose user signed in at a provider. `tokenHash` is the hash of that token:
 * another token does not continue the login.
 */
export type Login = {
  idHash: string;
  tokenHash?: string | undefined;
  person?: PersonLogin | undefined;
  startedAt: number;
  expiresAt: number;
};

/** Keeps logins across restarts. */
export type LoginStore = { read(): readonly Login[]; write(logins: readonly Login[]): Promise<void> };

/** The content of a login, without its id and start. */
type NewLogin = Omit<Login, 'idHash' | 'startedAt'>;

export const loginDays = 30;
const mostLogins = 10_000;

/** Each browser login has a random id, so that it can be ended separately. */
export class Logins {
  readonly #clock: Clock;
  readonly #store: LoginStore;
  readonly #host: string;
  readonly #byId = new Map<string, Login>();
  /** How many logins were ended since the start. */
  ended = 0;

  constructor(clock: Clock, store: LoginStore, host = '') {
    this.#clock = clock;
    this.#host = host;
    this.#store = store;
    for (const login of store.read()) this.#byId.set(login.idHash, login);
  }

  /** Returns the id, which only the browser keeps; it names the host that made it. */
  async start(make: (id: string) => NewLogin): Promise<string> {
    const id = `${randomBytes(32).toString('base64url')}.${Buffer.from(this.#host).toString('base64url')}`;
    const idHash = hashOf(id);
    this.#byId.set(idHash, { ...make(id), idHash, startedAt: this.#clock.wall() });
    const [oldest = idHash] = this.#byId.keys();
    if (this.#byId.size > mostLogins) this.#byId.delete(oldest);
    await this.#save();
    return id;
  }

  find(id: string): Login | undefined {
    const login = this.#byId.get(hashOf(id));
    return login !== undefined && login.expiresAt > this.#clock.wall() ? login : undefined;
  }

  /** A login with a token lasts as long as the browser is used from time to time. */
  startWithToken(tokenHash: string): Promise<string> {
    return this.start(() => ({ tokenHash, expiresAt: this.#clock.wall() + loginDays * 86_400_000 }));
  }

  /** Does nothing if the login has ended meanwhile. */
  async change(id: string, changed: Partial<NewLogin>): Promise<void> {
    const login = this.find(id);
    if (!login) return;
    this.#byId.set(login.idHash, { ...login, ...changed });
    await this.#save();
  }

  /** The host that made a login that is unknown here, if it was another host. */
  hostOf(id: string): string | undefined {
    const host = Buffer.from(id.split('.', 2)[1] ?? '', 'base64url').toString('utf8');
    return host === '' || host === this.#host || !/^[\w.-]{1,100}$/.test(host) ? undefined : host;
  }

  async end(id: string): Promise<void> {
    if (!this.#byId.delete(hashOf(id))) return;
    this.ended += 1;
    await this.#save();
  }

  #save(): Promise<void> {
    const now = this.#clock.wall();
    for (const [id, { expiresAt }] of this.#byId) if (expiresAt <= now) this.#byId.delete(id);
    return this.#store.write([...this.#byId.values()]);
  }
}
