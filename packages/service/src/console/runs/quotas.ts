import type { EventOf } from './events.ts';
import type { ParsedEvent } from './read-event.ts';
import type { Run } from './run.ts';

const minuteMs = 60_000;
const hourMs = 3_600_000;
const megabyte = 1024 * 1024;

/** Limits on how many senders are remembered; the oldest window is forgotten first. */
const mostSenders = 10_000;

type Window = { endsAt: number; used: number };

/** How much each sender used of a limit since its window of time began. */
class SenderWindows {
  readonly #lengthMs: number;
  readonly #now: () => number;
  /** Windows by sender, in the order in which they began. */
  readonly #windows = new Map<string, Window>();

  constructor(lengthMs: number, now: () => number) {
    this.#lengthMs = lengthMs;
    this.#now = now;
  }

  /** The current window of a sender; a new one once the last has ended. */
  of(sender: string): Window {
    const now = this.#now();
    const current = this.#windows.get(sender);
    if (current && current.endsAt > now) return current;
    this.#windows.delete(sender);
    for (const [oldest, { endsAt }] of this.#windows) {
      if (endsAt > now && this.#windows.size < mostSenders) break;
      this.#windows.delete(oldest);
    }
    const begun = { endsAt: now + this.#lengthMs, used: 0 };
    this.#windows.set(sender, begun);
    return begun;
  }

  giveBack(sender: string, amount: number): void {
    const window = this.of(sender);
    window.used = Math.max(0, window.used - amount);
  }

  /** How many of these units are left of a window, at least one. */
  left({ endsAt }: Window, unitMs: number): number {
    return Math.max(1, Math.ceil((endsAt - this.#now()) / unitMs));
  }
}

/** How many runs one sender may begin in a batch and in a minute. */
export const newRunLimits = { perBatch: 200, perMinute: 1_000 };

/** How many runs one sender may still begin: limits per batch, per minute, and of the board. */
export class NewRunQuota {
  readonly #limits: typeof newRunLimits & { onBoard: number };
  readonly #minutes: SenderWindows;

  constructor(limits: typeof newRunLimits & { onBoard: number }, now: () => number) {
    this.#limits = limits;
    this.#minutes = new SenderWindows(minuteMs, now);
  }

  /** For one batch of one sender: called for each run that is not on the board, it returns why that run may not begin. */
  forBatch(sender: string, board: { live: number }): (runId: string) => string | undefined {
    const { perBatch, perMinute, onBoard } = this.#limits;
    const begun = new Set<string>();
    const refused = new Map<string, string>();
    const refusal = (): string | undefined => {
      if (begun.size >= perBatch)
        return `a batch may start at most ${perBatch} runs; send the events of the others in another batch`;
      if (board.live + begun.size >= onBoard)
        return `${onBoard} runs are live (Service:MaxRuns); try again when some have ended`;
      const minute = this.#minutes.of(sender);
      if (minute.used < perMinute) return undefined;
      return `one sender may start at most ${perMinute} runs a minute; try again in ${this.#minutes.left(minute, 1000)} s`;
    };
    return (runId) => {
      if (begun.has(runId)) return undefined;
      const why = refused.get(runId) ?? refusal();
      if (why !== undefined) {
        refused.set(runId, why);
        return why;
      }
      begun.add(runId);
      this.#minutes.of(sender).used += 1;
      return undefined;
    };
  }

  /** Runs whose events could not be written have not begun. */
  giveBack(sender: string, runs: number): void {
    this.#minutes.giveBack(sender, runs);
  }
}

/** How many bytes are archived for one run, and for one sender within an hour, independent of the meaning of the events. */
export class ArchiveQuota {
  readonly #limits: { runBytes: number; senderBytesPerHour: number };
  readonly #hours: SenderWindows;

  constructor(limits: { runBytes: number; senderBytesPerHour: number }, now: () => number) {
    this.#limits = limits;
    this.#hours = new SenderWindows(hourMs, now);
  }

  /** For one batch of one sender: called for each event, it counts the event or returns why it is not accepted. */
  forBatch(sender: string, bytesOf: (runId: string) => number): (runId: string, bytes: number) => string | undefined {
    const { runBytes, senderBytesPerHour } = this.#limits;
    const runs = new Map<string, number>();
    const hour = this.#hours.of(sender);
    return (runId, bytes) => {
      const ofRun = (runs.get(runId) ?? bytesOf(runId)) + bytes;
      if (ofRun > runBytes)
        return `run ${runId} has reached the limit of ${runBytes / megabyte} MB (Service:RunMb); publish the rest under a new run id`;
      if (hour.used + bytes > senderBytesPerHour)
        return `one publisher may send at most ${senderBytesPerHour / megabyte} MB an hour (Service:PublisherMbPerHour); try again in ${this.#hours.left(hour, minuteMs)} min`;
      runs.set(runId, ofRun);
      hour.used += bytes;
      return undefined;
    };
  }

  /** Events that could not be written will be sent again. */
  giveBack(sender: string, bytes: number): void {
    this.#hours.giveBack(sender, bytes);
  }
}

/** The largest attachment that is stored. */
const largestAttachment = 2 * megabyte;

/** Base64 writes three bytes as four characters. */
export const attachedBytes = (data: string): number => Math.floor((data.length * 3) / 4);

/**
 * Attachments that are too large, or more than the run may keep, are archived by name without their content. Returns
 * those events by their place in the batch; `taken` are the places of the events that the run accepts.
 */
export function withoutExcess(
  run: Pick<Run, 'attachmentBytes'>,
  parsed: readonly ParsedEvent[],
  taken: readonly number[],
  limitBytes: number,
): ReadonlyMap<number, ParsedEvent> {
  const named = new Map<number, ParsedEvent>();
  let total = run.attachmentBytes;
  for (const at of taken) {
    const one = parsed[at];
    if (one?.event?.type !== 'attachment' || typeof one.event.data !== 'string') continue;
    const bytes = attachedBytes(one.event.data);
    const reason = reasonAgainst(bytes, total + bytes, limitBytes);
    if (reason === null) total += bytes;
    else named.set(at, nameOnly(one, one.event, reason));
  }
  return named;
}

function reasonAgainst(bytes: number, total: number, limitBytes: number): string | null {
  if (bytes > largestAttachment) return `it is larger than ${largestAttachment} bytes`;
  if (total <= limitBytes) return null;
  return `the run has more than ${Math.round(limitBytes / megabyte)} MB of attachments (Service:AttachmentsMb)`;
}

const nameOnly = (one: ParsedEvent, event: EventOf<'attachment'>, reason: string): ParsedEvent => ({
  ...one,
  raw: { ...one.raw, data: null, reason },
  event: { ...event, data: null, reason },
});
