import { join } from 'node:path';
import { z } from 'zod';
import { revokeToken } from '../coordination/access/decide.ts';
import type { Token, TokenProjection } from '../coordination/access/token-projection.ts';
import type { NamedTokens } from '../edge/authenticator.ts';
import { writeAtomically } from '../files/durable-file.ts';
import { readPlainFile } from '../files/plain-file.ts';
import type { Clock } from '../kernel/clock.ts';
import type { EventLog } from '../kernel/event-log.ts';
import { SerialQueue } from '../kernel/one-at-a-time.ts';
import { isRefusal, refuse } from '../kernel/outcome.ts';
import { streams } from '../kernel/streams.ts';
import type { Logger } from './log.ts';

const mostBytes = 16 * 1024 * 1024;
const hashes = z.array(z.string());

type RevokedDeps = {
  dataPath: string;
  log: EventLog;
  tokens: TokenProjection;
  clock: Pick<Clock, 'every'>;
  logger: Pick<Logger, 'warn'>;
};

const retryMs = 1_000;

/**
 * The hashes of revoked tokens, stored beside the log on every host: restoring a log from before a revocation must not
 * admit the token again. The token is refused immediately, and revoked again in the restored log.
 */
export class RevokedTokens {
  readonly #deps: RevokedDeps;
  readonly #path: string;
  readonly #hashes: Set<string>;
  readonly #queue = new SerialQueue();
  readonly #stopRetrying: () => void;
  #onDisk: number;

  constructor(deps: RevokedDeps) {
    this.#deps = deps;
    this.#path = join(deps.dataPath, 'revoked.json');
    this.#hashes = new Set(this.#read());
    this.#onDisk = this.#hashes.size;
    deps.log.onCommitted((events) => {
      if (events.some(({ type }) => type === 'token_revoked')) this.#run(() => this.#keep());
    });
    this.#run(() => this.#revokeAgain());
    deps.log.onReplaced(() => this.#run(() => this.#revokeAgain()));
    // While a history is being replaced, the log has no connection and refuses writes; so this is retried.
    this.#stopRetrying = deps.clock.every(retryMs, () => {
      if (this.#cameBack().length > 0) this.#run(() => this.#revokeAgain());
    });
  }

  has(hash: string): boolean {
    return this.#hashes.has(hash);
  }

  /** Stops retrying; resolves once all revocations so far are on disk. */
  stop(): Promise<void> {
    this.#stopRetrying();
    return this.#queue.run(async () => undefined);
  }

  #run(work: () => Promise<void>): void {
    this.#queue.run(work).catch((err: unknown) => this.#deps.logger.warn({ err }, 'cannot store revoked tokens'));
  }

  /** Stores the revocations in the log, then revokes again those that the log no longer has. */
  async #revokeAgain(): Promise<void> {
    await this.#keep();
    const { log, tokens, logger } = this.#deps;
    for (const { name, hash } of this.#cameBack()) {
      const answer = await log.commit(() => {
        const token = tokens.find(name);
        const event = token?.hash === hash ? revokeToken(name, token) : refuse('token_not_found', name);
        if (isRefusal(event)) return event;
        return { append: [{ stream: streams.token(name), events: [{ ...event, by: 'service' }] }], answer: () => true };
      });
      if (answer === true)
        logger.warn({ token: name }, 'a restored token had been revoked before, and is revoked again');
    }
  }

  #cameBack(): Token[] {
    return this.#deps.tokens.all().filter(({ hash }) => this.has(hash));
  }

  async #keep(): Promise<void> {
    for (const hash of this.#deps.tokens.revokedHashes()) this.#hashes.add(hash);
    const count = this.#hashes.size;
    if (count === this.#onDisk) return;
    await writeAtomically(this.#path, JSON.stringify([...this.#hashes]));
    this.#onDisk = count;
  }

  #read(): readonly string[] {
    try {
      return hashes.parse(JSON.parse(readPlainFile(this.#path, mostBytes).toString('utf8')));
    } catch {
      return [];
    }
  }
}

/** The valid tokens, without those that a replaced history revoked. */
export const withoutRevoked = (tokens: TokenProjection, revoked: RevokedTokens): NamedTokens => {
  const unlessRevoked = (token: Token | undefined) => (token && !revoked.has(token.hash) ? token : undefined);
  return {
    byHash: (hash) => unlessRevoked(tokens.byHash(hash)),
    find: (name) => unlessRevoked(tokens.find(name)),
    isUsed: () => tokens.isUsed(),
    loginsEndedAt: () => tokens.loginsEndedAt(),
    revocations: () => tokens.revocations(),
  };
};
