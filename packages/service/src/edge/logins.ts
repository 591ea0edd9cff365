import { randomBytes } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';
import { hashOf } from './token.ts';

/** A browser that showed a token once. `tokenHash` is of that token: another one does not continue the login. */
export type Login = { idHash: string; tokenHash: string; startedAt: number; expiresAt: number };

/** Keeps logins over a restart. */
export type LoginStore = { read(): readonly Login[]; write(logins: readonly Login[]): Promise<void> };

export const loginDays = 30;
const mostLogins = 10_000;

/** Each browser login has a random id, so that it can be ended separately. */
export class Logins {
  readonly #clock: Clock;
  readonly #store: LoginStore;
  readonly #byId = new Map<string, Login>();
  /** How many were ended since the start. */
  ended = 0;

  constructor(clock: Clock, store: LoginStore) {
    this.#clock = clock;
    this.#store = store;
    for (const login of store.read()) this.#byId.set(login.idHash, login);
  }

  /** The id, which only the browser keeps. */
  async start(tokenHash: string): Promise<string> {
    const id = randomBytes(32).toString('base64url');
    const startedAt = this.#clock.wall();
    const idHash = hashOf(id);
    this.#byId.set(idHash, { idHash, tokenHash, startedAt, expiresAt: startedAt + loginDays * 86_400_000 });
    if (this.#byId.size > mostLogins) this.#byId.delete(this.#byId.keys().next().value as string);
    await this.#save();
    return id;
  }

  find(id: string): Login | undefined {
    const login = this.#byId.get(hashOf(id));
    return login !== undefined && login.expiresAt > this.#clock.wall() ? login : undefined;
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
