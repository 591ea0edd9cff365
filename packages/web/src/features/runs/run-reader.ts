import type { RunDetail } from '../../live/wire.ts';
import { LiveRun, parseNdjson } from './live-run.ts';
import type { RunNews } from './run-subscriptions.ts';

export type RunReaderDeps = {
  /** Every event of the run so far, as NDJSON text. */
  readArchive: () => Promise<string>;
  subscribe: (listener: (news: RunNews) => void) => () => void;
  /** Runs one read at a time, and once more when asked meanwhile. */
  throttle: (read: () => Promise<unknown>) => () => void;
  /** Calls once after so many milliseconds; returns how to cancel it. */
  later: (run: () => void, ms: number) => () => void;
  onDetail: (detail: RunDetail) => void;
};

/** A large run takes longer to render, so it is rendered less often and the page stays responsive. */
const redrawPauseMs = (scenarios: number): number => Math.min(1000, scenarios / 50);

/**
 * Follows one live run: reads its archive, then applies events as they come. Events that come while the archive is being
 * read wait for it, so that none is applied before those it follows.
 */
export class RunReader {
  readonly #deps: RunReaderDeps;
  readonly #live: LiveRun;
  /** Events that came during a read; null while none is under way. */
  #waiting: unknown[] | null = [];
  #cancelRedraw: (() => void) | undefined;
  #unsubscribe: (() => void) | undefined;
  #stopped = false;
  readonly #readAgain: () => void;

  constructor(first: RunDetail, deps: RunReaderDeps) {
    this.#deps = deps;
    this.#live = new LiveRun(first);
    this.#readAgain = deps.throttle(() => this.#read());
  }

  start(): void {
    this.#unsubscribe = this.#deps.subscribe((news) => this.#hear(news));
    this.#readAgain();
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelRedraw?.();
    this.#unsubscribe?.();
  }

  #hear(news: RunNews): void {
    if (news === 'again') this.#readAgain();
    else if (this.#waiting) this.#waiting.push(...news);
    else this.#apply(news);
  }

  async #read(): Promise<void> {
    if (this.#stopped) return;
    this.#waiting ??= [];
    const archive = await this.#deps.readArchive();
    this.#live.apply(parseNdjson(archive));
    const waiting = this.#waiting ?? [];
    this.#waiting = null;
    this.#apply(waiting);
  }

  #apply(events: readonly unknown[]): void {
    this.#live.apply(events);
    this.#cancelRedraw ??= this.#deps.later(() => {
      this.#cancelRedraw = undefined;
      if (!this.#stopped) this.#deps.onDetail(this.#live.detail());
    }, redrawPauseMs(this.#live.size));
  }
}
