import { batchesOf } from '../batches.ts';
import type { ImportedTest } from '../import/imported-run.ts';
import type { StreamNews } from '../import/result-stream.ts';
import { type RunEvent, ScenarioEvents } from '../import/scenario-events.ts';
import type { Places } from './places.ts';

const flushMs = 200;

/** Sends tests to the console immediately, one batch after the other. */
export class ToldTests {
  /** All tests with a verdict. */
  readonly tests: ImportedTest[] = [];
  readonly #post: (events: readonly string[]) => Promise<boolean>;
  readonly #events: ScenarioEvents;
  readonly #places: Places;
  /** Events sent before the first test. */
  #first: RunEvent[];
  #waiting: string[] = [];
  #timer: NodeJS.Timeout | null = null;
  #sending: Promise<void> = Promise.resolve();

  constructor(
    runId: string,
    first: readonly RunEvent[],
    places: Places,
    post: (events: readonly string[]) => Promise<boolean>,
  ) {
    this.#places = places;
    this.#events = new ScenarioEvents(runId);
    this.#first = [...first];
    this.#post = post;
  }

  get hasBegun(): boolean {
    return this.#first.length === 0;
  }

  tell(news: readonly StreamNews[]): void {
    if (news.length === 0) return;
    const at = new Date().toISOString();
    this.send(
      news.flatMap((one) => {
        if ('started' in one)
          return this.#events.started(this.#places.feature(one.started.feature), one.started.name, at);
        const test = this.#places.test(one.ended);
        this.tests.push(test);
        const began = new Date(Date.now() - (test.durationMs ?? 0)).toISOString();
        return this.#events.finished(test, began, at);
      }),
    );
  }

  send(events: readonly RunEvent[]): void {
    const all = [...this.#first.splice(0), ...events];
    for (const event of all) this.#waiting.push(JSON.stringify(event));
    this.#timer ??= setTimeout(() => this.#flush(), flushMs).unref();
  }

  /** Resolves when the console has accepted everything or has become unreachable. */
  async drain(): Promise<void> {
    this.#flush();
    await this.#sending;
  }

  #flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const events = this.#waiting.splice(0);
    this.#sending = this.#sending.then(async () => {
      for (const batch of batchesOf(events)) if (!(await this.#post(batch))) await this.#post(batch);
    });
  }
}
