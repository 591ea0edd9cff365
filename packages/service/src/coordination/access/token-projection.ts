import type { Scope } from '../../kernel/access.ts';
import type { RecordedEvent, SavableProjection } from '../../kernel/event-log.ts';
import { isStored } from '../stored-event.ts';

export type Token = {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly hash: string;
  readonly createdAt: string;
  readonly createdBy: string;
  readonly expiresAt: string | null;
};

type SavedTokens = { tokens: Map<string, Token>; isUsed: boolean; loginsEndedAt: number };

/** The named tokens that were not revoked, including expired ones. */
export class TokenProjection implements SavableProjection {
  readonly savedAs = 'tokens';
  #byName = new Map<string, Token>();
  #byHash = new Map<string, Token>();
  #isUsed = false;
  #loginsEndedAt = 0;
  #revocations = 0;

  find(name: string): Token | undefined {
    return this.#byName.get(name);
  }

  byHash(hash: string): Token | undefined {
    return this.#byHash.get(hash);
  }

  all(): readonly Token[] {
    return [...this.#byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** Whether one ever existed. */
  isUsed(): boolean {
    return this.#isUsed;
  }

  /** Milliseconds since 1970; logins from before have ended. */
  loginsEndedAt(): number {
    return this.#loginsEndedAt;
  }

  /** Changes whenever one that was valid may no longer be. */
  revocations(): number {
    return this.#revocations;
  }

  apply(event: RecordedEvent): void {
    if (!isStored(event, 'token')) return;
    if (event.type !== 'token_created') this.#revocations += 1;
    switch (event.type) {
      case 'token_created':
        this.#isUsed = true;
        this.#put({ ...event.data, createdAt: event.at, createdBy: event.by });
        break;
      case 'token_revoked':
        this.#drop(event.data.name);
        break;
      case 'logins_ended':
        this.#loginsEndedAt = Date.parse(event.at);
    }
  }

  reset(): void {
    this.#revocations += 1;
    this.#byName.clear();
    this.#byHash.clear();
    this.#isUsed = false;
    this.#loginsEndedAt = 0;
  }

  save(): unknown {
    return { tokens: this.#byName, isUsed: this.#isUsed, loginsEndedAt: this.#loginsEndedAt } satisfies SavedTokens;
  }

  load(saved: unknown): void {
    const { tokens, isUsed, loginsEndedAt } = saved as SavedTokens;
    for (const token of tokens.values()) this.#put(token);
    this.#isUsed = isUsed;
    this.#loginsEndedAt = loginsEndedAt;
  }

  #put(token: Token): void {
    this.#byName.set(token.name, token);
    this.#byHash.set(token.hash, token);
  }

  #drop(name: string): void {
    const token = this.#byName.get(name);
    if (token) this.#byHash.delete(token.hash);
    this.#byName.delete(name);
  }
}
