import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { isCorrupt } from '../../../files/sqlite-error.ts';
import type { HistoryStore, HistorySuite, RunVerdicts, TestNames } from '../history/ports.ts';
import { type RunsDatabase, sumOf } from './runs-database.ts';

const runsAtOnce = 20;

/** The test history in `runs.sqlite`. Unreadable rows are left out and reported: a history with gaps is still useful, and proves nothing. */
export class HistoryRows implements HistoryStore {
  readonly #runs: RunsDatabase;
  readonly #database: DatabaseSync;
  readonly #now: () => number;
  readonly #damaged: (what: string) => void;

  constructor(runs: RunsDatabase, now: () => number, damaged: (what: string) => void) {
    this.#runs = runs;
    this.#database = runs.sqlite;
    this.#now = now;
    this.#damaged = damaged;
  }

  suites(): readonly HistorySuite[] {
    const suites: HistorySuite[] = [];
    const rows = this.#readable(
      () => this.#database.prepare('SELECT name, repository_name, sum FROM suites').all(),
      [],
    );
    for (const found of rows) {
      const [name, repository_name] = [String(found.name), found.repository_name];
      if (sumOf(name, repository_name) !== found.sum) {
        this.#damaged('a suite');
        continue;
      }
      const [repository, suite] = JSON.parse(name);
      suites.push({ repository, suite, repositoryName: repository_name === null ? null : String(repository_name) });
    }
    return suites;
  }

  names(suite: HistorySuite): TestNames {
    const names = new Map<number, string>();
    const rows = this.#database.prepare('SELECT test, uid, sum FROM tests WHERE suite = ?');
    for (const found of this.#readable(() => rows.all(this.#idOf(suite)), [])) {
      const [test, uid] = [Number(found.test), String(found.uid)];
      if (sumOf(test, uid) === found.sum) names.set(test, uid);
      else this.#damaged('the name of a test');
    }
    return names;
  }

  *runs(suite: HistorySuite): Iterable<readonly RunVerdicts[]> {
    const id = this.#idOf(suite);
    const page = this.#database.prepare(
      'SELECT run, at, facts, tests, sum FROM verdicts WHERE suite = ? AND (at, run) > (?, ?) ORDER BY at, run LIMIT ?',
    );
    for (let last: readonly [string, string] = ['', '']; ; ) {
      const rows = this.#readable(() => page.all(id, ...last, runsAtOnce), []);
      const end = rows.at(-1);
      if (!end) return;
      last = [String(end.at), String(end.run)];
      yield rows.flatMap((found) => this.#verdictsIn(found) ?? []);
    }
  }

  record(suite: HistorySuite, run: RunVerdicts, names: TestNames): number {
    const write = () => {
      const id = this.#touch(suite);
      const insert = this.#database.prepare('INSERT OR REPLACE INTO tests VALUES (?, ?, ?, ?)');
      for (const [test, uid] of names) insert.run(id, test, uid, sumOf(test, uid));
      const { runId, at, branch, commit, reasons } = run;
      const facts = JSON.stringify({ branch, commit, reasons: [...reasons] });
      const tests = new Uint8Array(run.tests.buffer, run.tests.byteOffset, run.tests.byteLength);
      const sum = sumOf(runId, at, facts, tests);
      this.#database
        .prepare('INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, ?, ?)')
        .run(id, runId, at, facts, tests, sum);
      const size = 'SELECT sum(length(tests) + length(facts)) AS bytes FROM verdicts WHERE suite = ?';
      return Number(this.#database.prepare(size).get(id)?.bytes);
    };
    return this.#readable(() => this.#runs.transaction(write), 0);
  }

  forget(suite: HistorySuite): void {
    this.#readable(() => this.#runs.transaction(() => this.#forget(this.#idOf(suite))), undefined);
  }

  forgetUnchanged(beforeMs: number): void {
    const old = this.#readable(
      () => this.#database.prepare('SELECT id FROM suites WHERE changed < ?').all(beforeMs),
      [],
    );
    for (const { id } of old) this.#readable(() => this.#runs.transaction(() => this.#forget(Number(id))), undefined);
  }

  /** The check at the start examines pages, not the order of the rows in them, so corruption may show up later. */
  #readable<Answer>(ask: () => Answer, otherwise: Answer): Answer {
    try {
      return ask();
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      this.#damaged('a page');
      return otherwise;
    }
  }

  #forget(id: number | null): void {
    for (const table of ['verdicts', 'tests']) this.#database.prepare(`DELETE FROM ${table} WHERE suite = ?`).run(id);
    this.#database.prepare('DELETE FROM suites WHERE id = ?').run(id);
  }

  #idOf(suite: HistorySuite): number | null {
    const row = this.#readable(
      () => this.#database.prepare('SELECT id FROM suites WHERE name = ?').get(nameOf(suite)),
      undefined,
    );
    return row === undefined ? null : Number(row.id);
  }

  #touch(suite: HistorySuite): number {
    const [name, repositoryName] = [nameOf(suite), suite.repositoryName];
    const upsert = this.#database.prepare(
      'INSERT INTO suites (name, repository_name, changed, sum) VALUES (?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET repository_name = excluded.repository_name, changed = excluded.changed, sum = excluded.sum RETURNING id',
    );
    return Number(upsert.get(name, repositoryName, this.#now(), sumOf(name, repositoryName))?.id);
  }

  #verdictsIn(found: Record<string, SQLOutputValue>): RunVerdicts | null {
    const [runId, at, facts] = [String(found.run), String(found.at), String(found.facts)];
    const { tests } = found;
    if (!(tests instanceof Uint8Array) || sumOf(runId, at, facts, tests) !== found.sum) {
      this.#damaged('the verdicts of a run');
      return null;
    }
    const { branch, commit, reasons } = JSON.parse(facts);
    // Copied, because the bytes that SQLite returns need not be aligned to four.
    return { runId, at, branch, commit, tests: new Int32Array(tests.slice().buffer), reasons: new Map(reasons) };
  }
}

const nameOf = ({ repository, suite }: HistorySuite): string => JSON.stringify([repository, suite]);
