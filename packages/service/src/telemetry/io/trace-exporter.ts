import { yieldIfBusy } from '../../event-loop/cooperative.ts';
import type { Clock } from '../../kernel/clock.ts';
import { coalesced } from '../../kernel/one-at-a-time.ts';
import { type Resource, type Scope, type Span, tracesText } from '../otlp.ts';
import type { OtlpTarget, SpanSource } from '../ports.ts';
import { type Posted, postOtlp } from './post-otlp.ts';

export type TraceExporterDeps = {
  target: OtlpTarget;
  resource: Resource;
  scope: Scope;
  clock: Pick<Clock, 'monotonic' | 'every'>;
  /** Called after each attempt. */
  onTried: (isTaken: boolean, why: string | null) => void;
  /** A source could not be read. */
  onFault: (error: unknown) => void;
};

/** The limit of waiting traces; further ones are dropped. */
const mostWaiting = 1_000;
const spansPerRequest = 512;
const bytesPerRequest = 512 * 1024;
/** A request that was not accepted within this time is dropped with the rest of its trace. */
const giveUpMs = 5 * 60_000;
const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
const lookMs = 500;
/** The time for sending the rest when the service stops. */
const stopMs = 2_000;

/**
 * Sends traces one after the other. Each is created only when its turn comes, so an unreachable collector costs no
 * memory; dropped traces are counted.
 */
export class TraceExporter {
  readonly counts = new Map([
    ['sent', 0],
    ['dropped', 0],
  ]);
  readonly #deps: TraceExporterDeps;
  readonly #waiting: SpanSource[] = [];
  readonly #stopped = new AbortController();
  readonly #sending = coalesced(() => this.#sendAll());
  readonly #stopLooking: () => void;
  #isStopping = false;
  #wake: (() => void) | null = null;
  #wakeAt = 0;

  constructor(deps: TraceExporterDeps) {
    this.#deps = deps;
    this.#stopLooking = deps.clock.every(lookMs, () => {
      if (this.#wake && deps.clock.monotonic() >= this.#wakeAt) this.#wake();
    });
  }

  send(source: SpanSource): void {
    if (this.#isStopping || this.#waiting.length >= mostWaiting) this.#count('dropped');
    else {
      this.#waiting.push(source);
      void this.#sending.run();
    }
  }

  /** Tries once to send the rest. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopLooking();
    this.#wake?.();
    const timer = setTimeout(() => this.#stopped.abort(), stopMs);
    await this.#sending.settled();
    clearTimeout(timer);
  }

  #count(word: 'sent' | 'dropped'): void {
    this.counts.set(word, (this.counts.get(word) ?? 0) + 1);
  }

  async #sendAll(): Promise<void> {
    for (let source = this.#waiting.shift(); source; source = this.#waiting.shift()) {
      const isSent = await this.#sendTrace(source).catch((fault: unknown) => {
        this.#deps.onFault(fault);
        return false;
      });
      this.#count(isSent ? 'sent' : 'dropped');
    }
  }

  async #sendTrace(source: SpanSource): Promise<boolean> {
    let spans: string[] = [];
    let bytes = 0;
    for await (const span of source()) {
      const text = textOf(span);
      if (spans.length > 0 && (spans.length >= spansPerRequest || bytes + text.length > bytesPerRequest)) {
        if (!(await this.#post(spans))) return false;
        spans = [];
        bytes = 0;
      }
      spans.push(text);
      bytes += text.length;
      await yieldIfBusy();
    }
    return spans.length === 0 || this.#post(spans);
  }

  /** Retries until it is accepted, refused, or too old. */
  async #post(spans: readonly string[]): Promise<boolean> {
    const { target, resource, scope, clock, onTried } = this.#deps;
    const body = tracesText(resource, scope, spans);
    const since = clock.monotonic();
    let pauseMs = firstPauseMs;
    while (!this.#stopped.signal.aborted) {
      const posted: Posted = await postOtlp(target, body, this.#stopped.signal);
      onTried(posted.kind === 'taken', posted.kind === 'taken' ? posted.rejected : posted.why);
      if (posted.kind !== 'retry') return posted.kind === 'taken';
      const waitMs = posted.waitMs ?? pauseMs;
      pauseMs = Math.min(2 * pauseMs, longestPauseMs);
      if (this.#isStopping || clock.monotonic() + waitMs - since > giveUpMs) return false;
      await this.#pause(waitMs);
    }
    return false;
  }

  #pause(ms: number): Promise<void> {
    this.#wakeAt = this.#deps.clock.monotonic() + ms;
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = null;
        resolve();
      };
    });
  }
}

const textOf = (span: Span): string => JSON.stringify(span);
