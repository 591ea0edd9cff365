import type { Announcements } from '../../kernel/announcements.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Announcement, MessageData } from '../../kernel/messages.ts';
import type { RunSummary } from './contract.ts';
import type { TimeBudget } from './ports.ts';
import type { ParsedEvent } from './read-event.ts';

const announceMs = 100;
const eventsPerMessage = 1000;
/** Serialising a message full of events takes milliseconds; other messages cost almost nothing. */
const eventMessageWeight = 1000;

type RunAnnouncerDeps = {
  announcements: Announcements;
  clock: Clock;
  summaryOf: (runId: string) => RunSummary | undefined;
  timeBudget: () => TimeBudget;
};

/** Collects the changes of runs and announces them together, at most every 100 ms. */
export class RunAnnouncer {
  readonly #deps: RunAnnouncerDeps;
  #events = new Map<string, Array<MessageData<'run_events'>['events'][number]>>();
  #changed = new Set<string>();
  /** Announcements in order; a summary is made only when it is its turn. */
  readonly #pending: Array<() => Announcement | undefined> = [];
  #announcing = false;
  #announced: Promise<void> = Promise.resolve();
  readonly #stopTimer: () => void;

  constructor(deps: RunAnnouncerDeps) {
    this.#deps = deps;
    this.#stopTimer = deps.clock.every(announceMs, () => this.#flush());
  }

  events(runId: string, accepted: readonly ParsedEvent[]): void {
    this.#changed.add(runId);
    if (!this.#deps.announcements.wanted('run_events')) return;
    const raws = accepted.map(withoutContent);
    const waiting = this.#events.get(runId);
    if (waiting) for (const raw of raws) waiting.push(raw);
    else this.#events.set(runId, raws);
  }

  readonly changed = (runId: string): void => void this.#changed.add(runId);

  ejected(runIds: readonly string[]): void {
    if (runIds.length === 0) return;
    // Collected messages go first, so that no message about a run follows its ejection.
    this.#collect();
    this.#pending.push(() => ({ type: 'run_ejected', data: { runIds } }));
    void this.#flush();
  }

  /** Announces what was collected, and nothing later. */
  stop(): Promise<void> {
    this.#stopTimer();
    return this.#flush();
  }

  /** Resolves once everything that was collected is announced. A few messages are sent before this returns; many yield in between. */
  #flush(): Promise<void> {
    this.#collect();
    if (!this.#announcing) this.#announced = this.#announceAll();
    return this.#announced;
  }

  #collect(): void {
    const [events, changed] = [this.#events, this.#changed];
    this.#events = new Map();
    this.#changed = new Set();
    for (const [runId, all] of events) {
      for (let from = 0; from < all.length; from += eventsPerMessage) {
        const data = { runId, events: all.slice(from, from + eventsPerMessage) };
        this.#pending.push(() => ({ type: 'run_events', data }));
      }
    }
    for (const runId of changed) this.#pending.push(() => this.#summary(runId));
  }

  #summary(runId: string): Announcement | undefined {
    const run = this.#deps.summaryOf(runId);
    return run && { type: 'run_changed', data: { run } };
  }

  async #announceAll(): Promise<void> {
    const { announcements, timeBudget } = this.#deps;
    const budget = timeBudget();
    this.#announcing = true;
    try {
      for (let next = this.#pending.shift(); next; next = this.#pending.shift()) {
        const announcement = next();
        if (announcement) announcements.announce(announcement);
        if (budget.isSpent(announcement?.type === 'run_events' ? eventMessageWeight : 1)) await budget.pause();
      }
    } finally {
      this.#announcing = false;
    }
  }
}

/** Viewers fetch the content of an attachment when they open it, so it is not sent to everybody who follows the run. */
const withoutContent = ({ raw, event }: ParsedEvent): ParsedEvent['raw'] =>
  event?.type === 'attachment' && event.data != null ? { ...raw, data: '' } : raw;
