export type ArchiveLimits = { runBytes: number; senderBytesPerHour: number };

const hourMs = 3_600_000;
/** So many senders are remembered at once; the oldest hour is forgotten first. */
const mostSenders = 10_000;
const megabyte = 1024 * 1024;

type Hour = { endsAt: number; bytes: number };

/** How many bytes are archived for one run, and for one sender within an hour; what the events mean plays no part in it. */
export class ArchiveQuota {
  readonly #limits: ArchiveLimits;
  readonly #now: () => number;
  /** In the order in which their hours began. */
  readonly #hours = new Map<string, Hour>();

  constructor(limits: ArchiveLimits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** For one batch of one sender: asked for each event, it counts it or answers why it is not taken. */
  forBatch(sender: string, bytesOf: (runId: string) => number): (runId: string, bytes: number) => string | undefined {
    const runs = new Map<string, number>();
    const hour = this.#hourOf(sender);
    return (runId, bytes) => {
      const ofRun = (runs.get(runId) ?? bytesOf(runId)) + bytes;
      if (ofRun > this.#limits.runBytes) return runMessage(runId, this.#limits.runBytes);
      if (hour.bytes + bytes > this.#limits.senderBytesPerHour) {
        const minutes = Math.max(1, Math.ceil((hour.endsAt - this.#now()) / 60_000));
        return senderMessage(this.#limits.senderBytesPerHour, minutes);
      }
      runs.set(runId, ofRun);
      hour.bytes += bytes;
      return undefined;
    };
  }

  #hourOf(sender: string): Hour {
    const now = this.#now();
    const current = this.#hours.get(sender);
    if (current && current.endsAt > now) return current;
    this.#hours.delete(sender);
    for (const [oldest, { endsAt }] of this.#hours) {
      if (endsAt > now && this.#hours.size < mostSenders) break;
      this.#hours.delete(oldest);
    }
    const hour = { endsAt: now + hourMs, bytes: 0 };
    this.#hours.set(sender, hour);
    return hour;
  }
}

const runMessage = (runId: string, bytes: number): string =>
  `run ${runId} has the ${bytes / megabyte} MB that a run may have (Service:RunMb); publish the rest under a new run id`;
const senderMessage = (bytes: number, minutes: number): string =>
  `one publisher sends at most ${bytes / megabyte} MB an hour (Service:PublisherMbPerHour); try again in ${minutes} min`;
