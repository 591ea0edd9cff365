import type { Delivery, Outbox } from '../../kernel/outbox.ts';
import type { Receiver } from '../../receivers/receivers.ts';

/** `status` is null without a response; `error` is null if the receiver accepted it. */
export type Sent = { status: number | null; error: string | null };

/** The operations of this host's webhooks that commands need. */
export type Webhooks = {
  receivers: readonly Receiver[];
  outbox: Pick<Outbox, 'list' | 'counts' | 'lastTried'> & {
    again(delivery: Pick<Delivery, 'receiver' | 'id'>): Promise<boolean>;
  };
  /** Sends a test, once. */
  test(receiver: Receiver): Promise<Sent>;
  /** Tries its queued deliveries now. */
  wake(receiver: string): void;
  sendsHere(receiver: Receiver): boolean;
};
