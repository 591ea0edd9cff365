import { type Guard, type Remembered, rememberForMs } from '../../kernel/event-log.ts';
import { type Refusal, refuse } from '../../kernel/outcome.ts';
import { storable } from '../storable.ts';
import { isAway, notConfirmed } from './away.ts';

type Query = <Row extends object>(sql: string, values: readonly unknown[]) => Promise<Row[]>;
type KeyRow = { fingerprint: string; at: Date; token: string; answer: string | null };

/** An answer to be kept under the writing of its key that it belongs to. */
export type Answered = { key: string; token: string; answer: string };

const mostSeen = 10_000;
const waitForAnswer = { tries: 40, ms: 50 };

/** Idempotency keys of all hosts. Remembers which writing of a key was last looked at, so that no other is overwritten. */
export class Keys {
  readonly #query: Query;
  readonly #seen = new Map<string, string>();

  constructor(query: Query) {
    this.#query = query;
  }

  seen(key: string): string | null {
    return this.#seen.get(key) ?? null;
  }

  saw(key: string, token: string): void {
    this.#seen.delete(key);
    this.#seen.set(key, token);
    const [oldest] = this.#seen.keys();
    if (this.#seen.size > mostSeen && oldest !== undefined) this.#seen.delete(oldest);
  }

  /** Nothing while the database is away: the append would find the key, and refuses until it can look. */
  async remembered(key: string): Promise<Remembered | undefined> {
    this.#seen.delete(key);
    const row = await this.#find(key).catch((fault: unknown) => {
      if (isAway(fault)) return undefined;
      throw fault;
    });
    if (!row) return undefined;
    this.saw(key, row.token);
    const answer = row.answer === null ? null : JSON.parse(row.answer);
    return { key, fingerprint: row.fingerprint, at: row.at.toISOString(), answer };
  }

  /** The answer that another host gave, or is about to give, under this key. */
  async answerOf({ key, fingerprint }: Guard): Promise<unknown | Refusal> {
    for (let tries = 0; tries < waitForAnswer.tries; tries += 1) {
      const kept = await this.remembered(key);
      if (!kept) return notConfirmed();
      if (kept.fingerprint !== fingerprint) {
        return refuse('idempotency_conflict', `The key ${key} was used for another call. Use a new key for each call.`);
      }
      if (kept.answer !== null) return kept.answer;
      await new Promise((resolve) => setTimeout(resolve, waitForAnswer.ms));
    }
    return notConfirmed();
  }

  /** What cannot be saved stands without an answer, as after a crash. */
  async save(answers: readonly Answered[]): Promise<void> {
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
