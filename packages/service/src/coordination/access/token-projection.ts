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

/** A revoked token whose name was not used again. */
export type EndedToken = { name: string; at: string };

type SavedTokens = {
  tokens: Map<string, Token>;
  ended: Map<string, EndedToken>;
  revoked: Set<string>;
  isUsed: boolean;
  loginsEndedAt: number;
  historyAcceptedAt: string;
};

/** The named tokens that were not revoked, including expired ones. */
export class TokenProjection implements SavableProjection<SavedTokens> {
  readonly savedAs = 'tokens-3';
  #byName = new Map<string, Token>();
  #byHash = new Map<string, Token>();
  #ended = new Map<string, EndedToken>();
  #revoked = new Set<string>();
  #isUsed = false;
  #loginsEndedAt = 0;
  #historyAcceptedAt = '';
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

  /** When and how the token of that name became invalid; undefined if it is valid or never existed. */
  endOf(name: string, now: string): { at: string; how: 'revoked' | 'expired' } | undefined {
    const token = this.#byName.get(name);
    if (token)
      return token.expiresAt !== null && token.expiresAt <= now ? { at: token.expiresAt, how: 'expired' } : undefined;
    const ended = this.#ended.get(name);
    return ended && { at: ended.at, how: 'revoked' };
  }

  /** Hashes of all tokens ever revoked. */
  revokedHashes(): Iterable<string> {
    return this.#revoked;
  }

  /** Whether a token ever existed. */
  isUsed(): boolean {
    return this.#isUsed;
  }

  /** In milliseconds since 1970; earlier logins have ended. */
  loginsEndedAt(): number {
    return this.#loginsEndedAt;
  }

  /** The time up to which a person has accepted replacements of the store; empty if nobody has. */
  historyAcceptedAt(): string {
    return this.#historyAcceptedAt;
  }

  /** Changes whenever a valid token may have become invalid. */
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
        this.#end(event.data.name, event.at);
        break;
      case 'logins_ended':
        this.#loginsEndedAt = Date.parse(event.at);
        break;
      case 'history_accepted':
        this.#historyAcceptedAt = event.at;
    }
  }

  reset(): void {
    this.#revocations += 1;
    this.#byName.clear();
    this.#byHash.clear();
    this.#ended.clear();
    this.#revoked.clear();
    this.#isUsed = false;
    this.#loginsEndedAt = 0;
    this.#historyAcceptedAt = '';
  }

  save(): SavedTokens {
    const [tokens, ended, revoked] = [this.#byName, this.#ended, this.#revoked];
    const [isUsed, loginsEndedAt, historyAcceptedAt] = [this.#isUsed, this.#loginsEndedAt, this.#historyAcceptedAt];
    return { tokens, ended, revoked, isUsed, loginsEndedAt, historyAcceptedAt };
  }

  load({ tokens, ended, revoked, isUsed, loginsEndedAt, historyAcceptedAt }: SavedTokens): void {
    for (const token of tokens.values()) this.#put(token);
    this.#ended = new Map(ended);
    this.#revoked = new Set(revoked);
    this.#isUsed = isUsed;
    this.#loginsEndedAt = loginsEndedAt;
    this.#historyAcceptedAt = historyAcceptedAt;
  }

  #put(token: Token): void {
    this.#ended.delete(token.name);
    this.#byName.set(token.name, token);
    this.#byHash.set(token.hash, token);
  }

  #end(name: string, at: string): void {
    const token = this.#byName.get(name);
    if (!token) return;
    this.#ended.set(name, { name, at });
    this.#revoked.add(token.hash);
    this.#byHash.delete(token.hash);
    this.#byName.delete(name);
  }
}
