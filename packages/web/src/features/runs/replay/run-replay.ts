import type { RunDetail } from '../../../live/wire.ts';
import { LiveRun, readMonitorEvent } from '../live-run.ts';

/** An event of an archive and its time; an event without a time gets the time of the previous one. */
type TimedEvent = { t: number; event: NonNullable<ReturnType<typeof readMonitorEvent>> };

export function timedEvents(events: readonly unknown[]): TimedEvent[] {
  let t = Number.NEGATIVE_INFINITY;
  return events.flatMap((raw) => {
    const event = readMonitorEvent(raw);
    if (!event) return [];
    const own = Date.parse(instantOf(event) ?? '');
    if (own > t) t = own;
    return [{ t, event }];
  });
}

const instantOf = (event: TimedEvent['event']): string | null | undefined =>
  ('at' in event ? event.at : null) ??
  ('startedAt' in event ? event.startedAt : null) ??
  ('finishedAt' in event ? event.finishedAt : null);

/** A run at any instant: its archive folded up to that instant. Going forward continues the fold, going back restarts it. */
export class RunReplay {
  readonly #events: readonly TimedEvent[];
  readonly #whole: RunDetail;
  #live: LiveRun;
  #next = 0;

  constructor(events: readonly unknown[], whole: RunDetail) {
    this.#events = timedEvents(events);
    this.#whole = whole;
    this.#live = this.#begin();
  }

  #begin(): LiveRun {
    const live = new LiveRun(this.#whole);
    live.setSummary({ ...this.#whole.run, orphaned: false });
    return live;
  }

  /** `t` in milliseconds since the epoch. */
  at(t: number): RunDetail {
    const last = this.#events[this.#next - 1];
    if (last && last.t > t) {
      this.#live = this.#begin();
      this.#next = 0;
    }
    const due: TimedEvent['event'][] = [];
    for (let moment = this.#events[this.#next]; moment && moment.t <= t; moment = this.#events[this.#next]) {
      due.push(moment.event);
      this.#next += 1;
    }
    this.#live.fold(due);
    return this.#live.detail();
  }
}
