import { type IdempotencyGuard, type RememberedAnswer, rememberForMs } from '../../kernel/event-log.ts';
import { type Refusal, refuse } from '../../kernel/outcome.ts';
import { storable } from '../storable.ts';
import { isUnavailable, notConfirmed } from './store-unavailable.ts';

type Query = <Row extends object>(sql: string, values: readonly unknown[]) => Promise<Row[]>;
type KeyRow = { fingerprint: string; at: Date; token: string; answer: string | null };

/** An answer to store with the write of the key that it belongs to. */
export type KeyAnswer = { key: string; token: string; answer: string };

const mostKnownTokens = 10_000;
const waitForAnswer = { tries: 40, ms: 50 };

/** Idempotency keys of all hosts. Remembers which version of a key was last read, so that a newer one is not overwritten. */
export class IdempotencyKeys {
  readonly #query: Query;
  readonly #knownTokens = new Map<string, string>();

  constructor(query: Query) {
    this.#query = query;
  }

  knownToken(key: string): string | null {
    return this.#knownTokens.get(key) ?? null;
  }

  rememberToken(key: string, token: string): void {
    this.#knownTokens.delete(key);
    this.#knownTokens.set(key, token);
    const [oldest] = this.#knownTokens.keys();
    if (this.#knownTokens.size > mostKnownTokens && oldest !== undefined) this.#knownTokens.delete(oldest);
  }

  /** Returns nothing while the database is unreachable: the append finds the key later, and refuses until it can. */
  async remembered(key: string): Promise<RememberedAnswer | undefined> {
    const row = await this.#stored(key);
    if (!row) return undefined;
    const answer = row.answer === null ? null : JSON.parse(row.answer);
    return { key, fingerprint: row.fingerprint, at: row.at.toISOString(), answer };
  }

  async #stored(key: string): Promise<KeyRow | undefined> {
    this.#knownTokens.delete(key);
    const row = await this.#find(key).catch((fault: unknown) => {
      if (isUnavailable(fault)) return undefined;
      throw fault;
    });
    if (row) this.rememberToken(key, row.token);
    return row;
  }

  /** The answer that another host gave, or is about to give, under this key, as JSON. */
  async answerOf({ key, fingerprint }: IdempotencyGuard): Promise<string | Refusal> {
    for (let tries = 0; tries < waitForAnswer.tries; tries += 1) {
      const stored = await this.#stored(key);
      if (!stored) return notConfirmed();
      if (stored.fingerprint !== fingerprint) {
        return refuse('idempotency_conflict', `The key ${key} was used for another call. Use a new key for each call.`);
      }
      if (stored.answer !== null && stored.answer !== 'null') return stored.answer;
      await new Promise((resolve) => setTimeout(resolve, waitForAnswer.ms));
    }
    return notConfirmed();
  }

  /** If the answer cannot be saved, the key has no answer, as after a crash. */
  async save(answers: readonly KeyAnswer[]): Promise<void> {
    if (answers.length === 0) return;
    await this.#query(
      `UPDATE signalbox.remembered AS k SET answer = a.answer
       FROM unnest($1::text[], $2::uuid[], $3::text[]) AS a (key, token, answer)
       WHERE k.key = a.key AND k.token = a.token`,
      [answers.map(({ key }) => storable(key)), answers.map(({ token }) => token), answers.map(({ answer }) => answer)],
    ).catch(() => undefined);
  }

  async forget(): Promise<void> {
    await this.#query('DELETE FROM signalbox.remembered WHERE at < clock_timestamp() - $1 * interval $$1 ms$$', [
      rememberForMs,
    ]);
  }

  async #find(key: string): Promise<KeyRow | undefined> {
    const [row] = await this.#query<KeyRow>(
      `SELECT fingerprint, at, token, answer FROM signalbox.remembered
       WHERE key = $1 AND at >= clock_timestamp() - $2 * interval $$1 ms$$`,
      [storable(key), rememberForMs],
    );
    return row;
  }
}
