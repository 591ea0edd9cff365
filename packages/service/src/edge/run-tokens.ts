import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../kernel/clock.ts';

export const runTokenPrefix = 'sbrun_';
const hoursValid = 24;

/** The name of the token that made it (null for the operator's), and the one run that it may publish to. */
export type RunToken = { name: string | null; runId: string; expiresAt: number };

/**
 * Tokens for one run each, for tests. They are not stored: a token contains its run and a signature of this service.
 * If an operator's token is set, they survive a restart.
 */
export class RunTokens {
  readonly #key: Buffer;
  readonly #clock: Clock;

  constructor(operatorHash: string | undefined, clock: Clock) {
    this.#key =
      operatorHash === undefined ? randomBytes(32) : createHmac('sha256', operatorHash).update('runs').digest();
    this.#clock = clock;
  }

  make(name: string | null, runId: string): { token: string; expiresAt: number } {
    const expiresAt = this.#clock.wall() + hoursValid * 3_600_000;
    const content = Buffer.from(JSON.stringify({ name, runId, expiresAt } satisfies RunToken)).toString('base64url');
    return { token: `${runTokenPrefix}${content}.${this.#codeOf(content)}`, expiresAt };
  }

  /** Undefined for a token that was not made here or has expired. */
  read(token: string): RunToken | undefined {
    const [content = '', code = ''] = token.slice(runTokenPrefix.length).split('.', 2);
    const [given, expected] = [Buffer.from(code), Buffer.from(this.#codeOf(content))];
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const run: RunToken = JSON.parse(Buffer.from(content, 'base64url').toString());
    return run.expiresAt > this.#clock.wall() ? run : undefined;
  }

  #codeOf(content: string): string {
    return createHmac('sha256', this.#key).update(content).digest('base64url');
  }
}
