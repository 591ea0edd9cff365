import { type Clock, iso } from '../../../kernel/clock.ts';
import { coalesced } from '../../../kernel/one-at-a-time.ts';
import type { Attempt, Delivery, Outbox } from '../../../kernel/outbox.ts';
import type { Occurrence } from '../../../receivers/occurrence.ts';
import type { Receiver } from '../../../receivers/receivers.ts';
import type { Sent } from '../ports.ts';
import { nextTry, waitAfter } from '../schedule.ts';

/** Posts once. */
export type Send = (receiver: Receiver, occurrence: Occurrence, stopped: AbortSignal) => Promise<Sent>;

export type DeliveryDeps = {
  outbox: Outbox;
  clock: Pick<Clock, 'every'>;
  /** By the clock of the store, so that hosts that share it agree on which deliveries are due. */
  now: () => string;
  host: string;
  send: Send;
  /** Called after each attempt. */
  onTried: (receiver: Receiver, delivery: Delivery, isDelivered: boolean, error: string | null) => void;
  fault: (error: unknown) => void;
};

const lookMs = 1_000;
/** Longer than one attempt takes. */
const dutyMs = 30_000;

/** The answer of a receiver that is gone for good: the delivery is given up. */
const gone = 410;

/**
 * Sends the queue of one receiver, one item after the other, in order for each subject. After two consecutive failures
 * it pauses for all subjects, longer each time: a rejected event does not delay other subjects, and an unreachable
 * receiver is not flooded.
 */
export function deliverTo(receiver: Receiver, deps: DeliveryDeps) {
  const { outbox, clock, now, host, send, onTried, fault } = deps;
  const stopped = new AbortController();
  let failures = 0;
  let pausedUntil = 0;
  let hasDuty = false;
  const last = new LastResult(outbox);
  const wall = () => Date.parse(now());

  async function tryOne(delivery: Delivery): Promise<void> {
    const occurrence: Occurrence = JSON.parse(delivery.content);
    const sent = await send(receiver, occurrence, stopped.signal);
    // The process ended during an attempt: the next start tries again.
    if (stopped.signal.aborted && sent.status === null) return;
    const at = wall();
    const attempt = attemptOf(delivery, sent, at);
    const isDelivered = attempt.state === 'delivered';
    const isBack = isDelivered && failures > 1;
    failures = isDelivered ? 0 : failures + 1;
    pausedUntil = failures > 1 ? at + waitAfter(failures) : 0;
    onTried(receiver, delivery, isDelivered, sent.error);
    await last.take(delivery, attempt, isBack);
  }

  async function look(): Promise<void> {
    await last.record();
    while (!stopped.signal.aborted && wall() >= pausedUntil) {
      const at = wall();
      hasDuty = await outbox.takeDuty(receiver.id, host, iso(at), iso(at + dutyMs));
      if (!hasDuty) return;
      const [first] = await outbox.due(receiver.id, iso(at));
      if (!first || stopped.signal.aborted) return;
      await tryOne(first);
    }
  }

  const { run, settled } = coalesced(() => look().catch(fault));
  const stopLooking = clock.every(lookMs, () => run());
  void run();
  return {
    look: () => void run(),
    /** Sends now, even during a pause after failures. */
    resume(): void {
      pausedUntil = 0;
      void run();
    },
    sendsHere: () => hasDuty,
    async stop(): Promise<void> {
      stopLooking();
      stopped.abort();
      await settled();
      await last.record().catch(fault);
      // Releases the duty, so that another host need not wait.
      if (hasDuty) await outbox.takeDuty(receiver.id, host, now(), now()).catch(fault);
    },
  };
}

/**
 * The result of the last attempt. Nothing else is sent until it is recorded, because otherwise the item would be sent
 * again.
 */
class LastResult {
  readonly #outbox: Outbox;
  #record: (() => Promise<void>) | null = null;

  constructor(outbox: Outbox) {
    this.#outbox = outbox;
  }

  async take(delivery: Delivery, attempt: Attempt, isBack: boolean): Promise<void> {
    const record = async () => {
      await this.#outbox.settle(delivery, attempt);
      if (isBack) await this.#outbox.hurry(delivery.receiver, attempt.at);
    };
    // Waiting items are sent again, whether or not the result was recorded.
    this.#record = attempt.state === 'waiting' ? null : record;
    await record();
    this.#record = null;
  }

  async record(): Promise<void> {
    await this.#record?.();
    this.#record = null;
  }
}

function attemptOf({ attempts, queuedAt }: Delivery, { status, error }: Sent, at: number): Attempt {
  const isDelivered = status !== null && status >= 200 && status < 300;
  const next = isDelivered || status === gone ? null : nextTry(attempts + 1, Date.parse(queuedAt), at);
  const state = isDelivered ? 'delivered' : next === null ? 'failed' : 'waiting';
  return { at: iso(at), state, nextAt: next === null ? null : iso(next), status, error };
}
