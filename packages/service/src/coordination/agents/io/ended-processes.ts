import type { ProcessTable } from '../../../platform/processes.ts';
import { livenessOf } from '../session-observation.ts';

/** Enough for the following polls; the oldest are forgotten first. */
const maxRemembered = 200;

/** Which of the processes that were seen serving a session have ended since. */
export class EndedProcesses {
  readonly #table: Pick<ProcessTable, 'startTimes'>;
  readonly #seen = new Map<number, string | null>();
  readonly #ended = new Set<number>();

  constructor(table: Pick<ProcessTable, 'startTimes'>) {
    this.#table = table;
  }

  /** `serving`: the pids that serve a session now, with their start times. Others that were seen are checked. */
  async check(serving: ReadonlyMap<number, string | null>): Promise<void> {
    for (const [pid, start] of serving) {
      this.#seen.set(pid, start);
      this.#ended.delete(pid);
    }
    const missing = [...this.#seen.keys()].filter((pid) => !serving.has(pid));
    if (missing.length === 0) return;
    const living = await this.#table.startTimes(missing);
    for (const pid of missing) {
      if (livenessOf(pid, this.#seen.get(pid) ?? null, { living, own: null }) === 'live') continue;
      this.#seen.delete(pid);
      this.#ended.add(pid);
      const [oldest] = this.#ended;
      if (this.#ended.size > maxRemembered && oldest !== undefined) this.#ended.delete(oldest);
    }
  }

  all(): ReadonlySet<number> {
    return this.#ended;
  }
}
