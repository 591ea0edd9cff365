import { LiveRun, readOne } from '../../../live/live-run.ts';
import type { RunDetail } from '../../../live/wire.ts';

/** An event of an archive and when it was known; an event without a time of its own counts with the one before it. */
type Moment = { t: number; event: NonNullable<ReturnType<typeof readOne>> };

export function momentsOf(events: readonly unknown[]): Moment[] {
  let t = Number.NEGATIVE_INFINITY;
  return events.flatMap((raw) => {
    const event = readOne(raw);
    if (!event) return [];
    const { at, startedAt, finishedAt } = event as { at?: string; startedAt?: string; finishedAt?: string };
    const own = Date.parse(at ?? startedAt ?? finishedAt ?? '');
    if (own > t) t = own;
    return [{ t, event }];
  });
}

/** A run at any moment of its life: its archive folded up to there. Going forward folds on, going back begins again. */
export class Replay {
  readonly #moments: readonly Moment[];
  readonly #whole: RunDetail;
  #live: LiveRun;
  #next = 0;

  constructor(events: readonly unknown[], whole: RunDetail) {
    this.#moments = momentsOf(events);
    this.#whole = whole;
    this.#live = this.#begin();
  }

  #begin(): LiveRun {
    const live = new LiveRun(this.#whole);
    live.around({ ...this.#whole.run, orphaned: false });
    return live;
  }

  /** `t` in milliseconds since the epoch. */
  at(t: number): RunDetail {
    const last = this.#moments[this.#next - 1];
    if (last && last.t > t) {
      this.#live = this.#begin();
      this.#next = 0;
    }
    const due: Moment['event'][] = [];
    for (let moment = this.#moments[this.#next]; moment && moment.t <= t; moment = this.#moments[this.#next]) {
      due.push(moment.event);
      this.#next += 1;
    }
    this.#live.fold(due);
    return this.#live.detail();
  }
}
