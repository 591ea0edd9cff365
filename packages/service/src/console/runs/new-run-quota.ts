export type NewRunLimits = { perBatch: number; perMinute: number; onBoard: number };

/** What one sender may begin. */
export const newRunLimits = { perBatch: 200, perMinute: 1_000 };

const minuteMs = 60_000;
/** So many senders are remembered at once; the oldest minute is forgotten first. */
const mostSenders = 10_000;

type Minute = { endsAt: number; begun: number };

/** How many runs one sender may still begin: limits per batch, per minute, and of the board. */
export class NewRunQuota {
  readonly #limits: NewRunLimits;
  readonly #now: () => number;
  /** In the order in which their minutes began. */
  readonly #minutes = new Map<string, Minute>();

  constructor(limits: NewRunLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** For one batch of one sender: asked for each run that is not on the board, it answers why it may not begin. */
  forBatch(sender: string, board: { live: number }): (runId: string) => string | undefined {
    const { perBatch, perMinute, onBoard } = this.#limits;
    const begun = new Set<string>();
    const refused = new Map<string, string>();
    const refusal = (): string | undefined => {
      if (begun.size >= perBatch)
        return `a batch begins at most ${perBatch} runs; send the events of the others in another batch`;
      if (board.live + begun.size >= onBoard)
        return `${onBoard} runs are live (Service:MaxRuns); come back when some have ended`;
      const minute = this.#minuteOf(sender);
      if (minute.begun < perMinute) return undefined;
      const seconds = Math.max(1, Math.ceil((minute.endsAt - this.#now()) / 1000));
      return `one sender begins at most ${perMinute} runs a minute; try again in ${seconds} s`;
    };
    return (runId) => {
      if (begun.has(runId)) return undefined;
      const why = refused.get(runId) ?? refusal();
      if (why !== undefined) {
        refused.set(runId, why);
        return why;
      }
      begun.add(runId);
      this.#minuteOf(sender).begun += 1;
      return undefined;
    };
  }

  #minuteOf(sender: string): Minute {
    const now = this.#now();
    const current = this.#minutes.get(sender);
    if (current && current.endsAt > now) return current;
    this.#minutes.delete(sender);
    for (const [oldest, { endsAt }] of this.#minutes) {
      if (endsAt > now && this.#minutes.size < mostSenders) break;
      this.#minutes.delete(oldest);
    }
    const minute = { endsAt: now + minuteMs, begun: 0 };
    this.#minutes.set(sender, minute);
    return minute;
  }
}
