import type { RunDetail } from '../../live/wire.ts';
import { LiveRun, parseNdjson } from './live-run.ts';

/** A batch of events of one run; `refetch` means that some may be missing. */
export type RunNews = readonly unknown[] | 'refetch';

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

const firstRetryMs = 1000;
const longestRetryMs = 30_000;

/**
 * Follows one live run: reads its archive, then applies events as they come. Events that come while the archive is being
 * read wait for it, so that none is applied before those it follows. A read that fails is repeated with a growing pause.
 */
export class RunReader {
  readonly #deps: RunReaderDeps;
  readonly #live: LiveRun;
  /** Events that came during a read; null while none is under way. */
  #waiting: unknown[] | null = [];
  /** Whether the archive was read once. Until then events alone would show a run without its beginning. */
  #hasArchive = false;
  #failures = 0;
  #cancelRetry: (() => void) | undefined;
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
    this.#cancelRetry?.();
    this.#cancelRedraw?.();
    this.#unsubscribe?.();
  }

  #hear(news: RunNews): void {
    if (news === 'refetch') this.#readAgain();
    else if (this.#waiting) this.#waiting.push(...news);
    else this.#apply(news);
  }

  async #read(): Promise<void> {
    if (this.#stopped) return;
    this.#cancelRetry?.();
    this.#waiting ??= [];
    try {
      this.#live.apply(parseNdjson(await this.#deps.readArchive()));
      this.#hasArchive = true;
      this.#failures = 0;
    } catch {
      this.#retry();
    }
    const waiting = this.#waiting ?? [];
    // The next read of the archive has them: an event is announced after it was written.
    this.#waiting = this.#hasArchive ? null : [];
    if (this.#hasArchive) this.#apply(waiting);
  }

  #retry(): void {
    if (this.#stopped) return;
    const pauseMs = Math.min(longestRetryMs, firstRetryMs * 2 ** this.#failures);
    this.#failures += 1;
    this.#cancelRetry = this.#deps.later(this.#readAgain, pauseMs);
  }

  #apply(events: readonly unknown[]): void {
    this.#live.apply(events);
    this.#cancelRedraw ??= this.#deps.later(() => {
      this.#cancelRedraw = undefined;
      if (!this.#stopped) this.#deps.onDetail(this.#live.detail());
    }, redrawPauseMs(this.#live.size));
  }
}
