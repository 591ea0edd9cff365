import { setTimeout as sleep } from 'node:timers/promises';
import { batchesOf } from '../batches.ts';
import type { ImportedTest } from '../import/imported-run.ts';
import type { StreamNews } from '../import/result-stream.ts';
import { type RunEvent, ScenarioEvents } from '../import/scenario-events.ts';
import type { Places } from './places.ts';

const flushMs = 200;
const againMs = 250;
/** How long the end of a command waits for a console that is away, for all of its batches together. */
const patienceMs = 5_000;

/** The console's reaction to a batch; `again` if it may accept the same batch later. */
export type Posted = 'accepted' | 'refused' | 'again';

/** Sends tests to the console immediately, one batch after the other. While the console is away they wait. */
export class ToldTests {
  /** All tests with a verdict. */
  readonly tests: ImportedTest[] = [];
  readonly #post: (events: readonly string[]) => Promise<Posted>;
  readonly #events: ScenarioEvents;
  readonly #places: Places;
  /** Events sent before the first test. */
  #first: RunEvent[];
  #waiting: string[] = [];
  #timer: NodeJS.Timeout | null = null;
  #sending: Promise<void> = Promise.resolve();
  /** Unlimited while the command runs. */
  #waitsUntil = Number.POSITIVE_INFINITY;

  constructor(
    runId: string,
    first: readonly RunEvent[],
    places: Places,
    post: (events: readonly string[]) => Promise<Posted>,
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
    this.pass(all.map((event) => JSON.stringify(event)));
  }

  /** Sends events of others in order with its own. */
  pass(events: readonly string[]): void {
    for (const event of events) this.#waiting.push(event);
    this.#timer ??= setTimeout(() => this.#flush(), flushMs).unref();
  }

  /** Called when the command has ended. Resolves when the console has everything, or was away for too long. */
  async drain(): Promise<void> {
    this.#waitsUntil = Math.min(this.#waitsUntil, performance.now() + patienceMs);
    this.#flush();
    await this.#sending;
  }

  /** Repeats the question until there is an answer, as long as batches wait; undefined if there was none. */
  async untilAnswered<Answer>(ask: () => Promise<Answer | undefined>): Promise<Answer | undefined> {
    for (;;) {
      const answer = await ask();
      if (answer !== undefined || performance.now() >= this.#waitsUntil) return answer;
      await sleep(againMs);
    }
  }

  #flush(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
    const events = this.#waiting.splice(0);
    this.#sending = this.#sending.then(async () => {
      for (const batch of batchesOf(events))
        await this.untilAnswered(async () => ((await this.#post(batch)) === 'again' ? undefined : null));
    });
  }
}
