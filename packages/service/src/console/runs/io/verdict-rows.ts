import type { SQLOutputValue } from 'node:sqlite';
import { readVerdict, type Verdict, type VerdictStore } from '../../../../../event-model/src/verdicts.ts';
import { isCorrupt } from '../../../files/sqlite-error.ts';
import { type RunsDatabase, sumOf } from './runs-database.ts';

const readAtOnce = 100;

/**
 * The newest verdicts of the Event Model in `runs.sqlite`. Changes are collected before they are written, each with its
 * newest state.
 */
export class VerdictRows implements VerdictStore {
  readonly #runs: RunsDatabase;
  readonly #unreadable: (count: number) => void;
  /** Unwritten verdicts by identity, the latest change last; null for a dropped one. */
  readonly #waiting = new Map<string, Verdict | null>();

  constructor(runs: RunsDatabase, unreadable: (count: number) => void) {
    this.#runs = runs;
    this.#unreadable = unreadable;
  }

  *load(): Iterable<Verdict> {
    const page = this.#runs.sqlite.prepare('SELECT * FROM newest_verdicts WHERE id > ? ORDER BY id LIMIT ?');
    let unreadable = 0;
    try {
      for (let last = 0; ; ) {
        const rows = page.all(last, readAtOnce);
        for (const row of rows) {
          const verdict = verdictIn(row);
          if (verdict) yield verdict;
          else unreadable += 1;
        }
        // The reader may drop more than fits into memory.
        this.write(rows.length);
        if (rows.length < readAtOnce) break;
        last = Number(rows.at(-1)?.id);
      }
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      unreadable += 1;
    }
    if (unreadable > 0) this.#unreadable(unreadable);
  }

  newest(identity: string): Verdict | null {
    const waiting = this.#waiting.get(identity);
    if (waiting !== undefined) return waiting;
    const row = this.#runs.sqlite.prepare('SELECT * FROM newest_verdicts WHERE identity = ?').get(identity);
    return row ? verdictIn(row) : null;
  }

  put(verdict: Verdict): void {
    this.#change(verdict.identity, verdict);
  }

  drop(identity: string): void {
    this.#change(identity, null);
  }

  #change(identity: string, verdict: Verdict | null): void {
    this.#waiting.delete(identity);
    this.#waiting.set(identity, verdict);
  }

  /** How many changes wait. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Writes the changes that waited longest. If it fails, they keep waiting. */
  write(atMost: number): void {
    const changes: [string, Verdict | null][] = [];
    for (const change of this.#waiting) {
      if (changes.length === atMost) break;
      changes.push(change);
    }
    if (changes.length === 0) return;
    this.#runs.transaction(() => {
      const remove = this.#runs.sqlite.prepare('DELETE FROM newest_verdicts WHERE identity = ?');
      // The row gets a new id, so the ids are in the order of the changes.
      const replace = this.#runs.sqlite.prepare(
        'INSERT OR REPLACE INTO newest_verdicts (identity, verdict, sum) VALUES (?, ?, ?)',
      );
      for (const [identity, verdict] of changes) {
        const text = JSON.stringify(verdict);
        if (verdict) replace.run(identity, text, sumOf(identity, text));
        else remove.run(identity);
      }
    });
    for (const [identity] of changes) this.#waiting.delete(identity);
  }
}

const verdictIn = ({ identity, verdict, sum }: Record<string, SQLOutputValue>): Verdict | null =>
  sumOf(identity, verdict) === sum ? readVerdict(String(verdict)) : null;
